import CSystem
import Frames

/// A picture of interleaved 8-bit red, green, blue pixels, and the owner of their memory.
public struct Picture: ~Copyable {
  /// First byte of the top left pixel; rows follow one another without gaps.
  package let base: UnsafeMutablePointer<UInt8>
  /// Width in pixels, at least 1.
  public let width: Int
  /// Height in pixels, at least 1.
  public let height: Int
  /// How many pixels of the file, upright, one pixel of the picture's edge stands for: 1 unless the
  /// file was too large to decode in full.
  public let reduction: Reduction

  /// Allocates a picture whose pixels have no meaning yet.
  ///
  /// - Parameters:
  ///   - width: width in pixels, at least 1.
  ///   - height: height in pixels, at least 1.
  ///   - reduction: pixels of the file that one pixel stands for.
  /// - Throws: `PictureError.outOfMemory`.
  public init(
    width: Int, height: Int, reduction: Reduction = Reduction(numerator: 1, denominator: 1)
  ) throws(PictureError) {
    precondition(width > 0 && height > 0)
    let size = 3 * width * height
    guard let memory = malloc(size) else { throw .outOfMemory(bytes: size) }
    self.init(
      adopting: memory.assumingMemoryBound(to: UInt8.self), width: width, height: height,
      reduction: reduction)
  }

  /// Takes over `3 * width * height` bytes from `malloc`.
  init(adopting base: UnsafeMutablePointer<UInt8>, width: Int, height: Int, reduction: Reduction) {
    self.base = base
    self.width = width
    self.height = height
    self.reduction = reduction
  }

  deinit {
    free(base)
  }

  /// Lends the pixels to `body`, for no longer than its call.
  public borrowing func withView<Result, Failure: Error>(
    _ body: (ImageView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(ImageView(base: base, width: width, height: height, stride: 3 * width))
  }

  /// The offset from `base` of the pixel in column `x` and row `y`.
  func offset(_ x: Int, _ y: Int) -> Int {
    3 &* (y &* width &+ x)
  }
}

/// The ratio between an edge of the file's picture and the same edge of the picture decoded from
/// it.
public struct Reduction: Equatable, Sendable {
  /// Pixels of the file for every `denominator` pixels decoded, at least 1.
  public let numerator: Int
  /// At least 1.
  public let denominator: Int

  /// Makes a ratio of two positive numbers.
  public init(numerator: Int, denominator: Int) {
    precondition(numerator > 0 && denominator > 0)
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A length in pixels of the decoded picture, in pixels of the file's.
  public func inFile(_ length: Float) -> Float {
    length * Float(numerator) / Float(denominator)
  }
}
