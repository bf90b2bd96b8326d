/// A borrowed picture of interleaved 8-bit red, green, blue pixels, top row first.
///
/// The memory belongs to whoever made the view and must outlive it.
public struct ImageView {
  /// First byte of the top left pixel.
  public let base: UnsafePointer<UInt8>
  /// Width in pixels, at least 1.
  public let width: Int
  /// Height in pixels, at least 1.
  public let height: Int
  /// Distance in bytes from a row to the next, at least `3 * width`.
  public let stride: Int

  /// Describes a picture in memory owned by the caller.
  public init(base: UnsafePointer<UInt8>, width: Int, height: Int, stride: Int) {
    precondition(width > 0 && height > 0 && stride >= 3 * width)
    self.base = base
    self.width = width
    self.height = height
    self.stride = stride
  }

  /// The part of the picture whose top left pixel is (`x`, `y`), sharing its memory.
  ///
  /// Precondition: the part lies within the picture and is at least one pixel.
  public func part(x: Int, y: Int, width: Int, height: Int) -> ImageView {
    precondition(x >= 0 && y >= 0 && width >= 1 && height >= 1)
    precondition(x + width <= self.width && y + height <= self.height)
    return ImageView(base: base + y * stride + 3 * x, width: width, height: height, stride: stride)
  }
}
