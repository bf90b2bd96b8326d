import CSystem
import Counting
import Detection
import Engine
import Frames

/// What calibration has learned of a tray and its camera.
public struct Calibration: BitwiseCopyable, Sendable {
  /// Pixels in a millimetre.
  public var scale: KnownScale
  /// Mean brightness of the empty tray, 0 to 255.
  public var light: Float
  /// The empty tray.
  public var cells = TrayCells()

  /// Makes a calibration without a ground.
  public init(scale: KnownScale, light: Float) {
    self.scale = scale
    self.light = light
  }

  /// Bytes of a file: a mark of 8, four numbers, the cells and a checksum.
  static let fileSize = 8 + 16 + 2 * 1200 + 4
  typealias Bytes = InlineArray<2428, UInt8>

  /// Reads a file; `nil` when there is none.
  /// - Parameter path: NUL-terminated.
  public static func read(
    _ path: UnsafePointer<CChar>
  ) throws(LearnedFileError) -> Calibration? {
    var bytes = Bytes(repeating: 0)
    var span = bytes.mutableSpan
    let count = SmallFile.read(path, into: &span)
    if count == -Int(ENOENT) { return nil }
    if count < 0 { throw .failed(errno: Int32(-count)) }
    guard let calibration = Calibration(bytes.span.extracting(first: count)) else {
      throw .damaged
    }
    return calibration
  }

  /// Writes a file in the place of the one before.
  /// - Parameter path: NUL-terminated, at most 507 bytes.
  public func write(_ path: UnsafePointer<CChar>) throws(LearnedFileError) {
    let bytes = encoded()
    let result = SmallFile.replace(path, with: bytes.span)
    if result < 0 { throw .failed(errno: -result) }
  }

  /// The bytes of its file.
  func encoded() -> Bytes {
    var bytes = Bytes(repeating: 0)
    var span = bytes.mutableSpan
    for index in 0..<8 { span[index] = Self.magic.utf8Start[index] }
    span.put(scale.pixelsPerMillimetre.bitPattern, at: 8)
    span.put(UInt32(scale.width), at: 12)
    span.put(scale.spread.bitPattern, at: 16)
    span.put(light.bitPattern, at: 20)
    for cell in 0..<1200 {
      span[24 + 2 * cell] = UInt8(cells.values[cell] & 255)
      span[25 + 2 * cell] = UInt8(cells.values[cell] >> 8)
    }
    let end = Self.fileSize - 4
    let checksum = span.span.extracting(first: end).withUnsafeBytes { Checksum.crc32($0) }
    span.put(checksum, at: end)
    return bytes
  }

  /// Takes a file's bytes apart; `nil` when they are none, whatever they are.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.fileSize else { return nil }
    for index in 0..<8 where bytes[index] != Self.magic.utf8Start[index] { return nil }
    let end = Self.fileSize - 4
    let checksum = bytes.extracting(first: end).withUnsafeBytes { Checksum.crc32($0) }
    let scale = Float(bitPattern: bytes.number(at: 8))
    let width = Int(bytes.number(at: 12))
    let spread = Float(bitPattern: bytes.number(at: 16))
    let light = Float(bitPattern: bytes.number(at: 20))
    guard checksum == bytes.number(at: end), scale > 0.01 && scale < 1000,
      width > 0 && width < 100_000, spread >= 0.001 && spread <= 0.1, light >= 0 && light <= 255
    else { return nil }
    self.init(
      scale: KnownScale(pixelsPerMillimetre: scale, width: width, spread: spread), light: light)
    for cell in 0..<1200 {
      cells.values[cell] = UInt16(bytes[24 + 2 * cell]) | UInt16(bytes[25 + 2 * cell]) << 8
    }
  }

  private static let magic: StaticString = "RECEHCB1"
}
