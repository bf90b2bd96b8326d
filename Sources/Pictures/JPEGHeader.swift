/// What the markers of a JPEG file say before its first pixels.
struct JPEGHeader {
  /// Width as stored, in pixels.
  private(set) var width = 0
  /// Height as stored, in pixels.
  private(set) var height = 0
  /// 1 for grey, 3 for colour, 4 for inks.
  private(set) var components = 0
  /// How the picture must be turned.
  private(set) var orientation = Orientation.upright
  /// Whether Adobe's marker is there; with it, inks are stored as their opposite.
  private(set) var hasAdobeMarker = false
  /// Bytes of coefficients a decoder keeps until the last scan; 0 when one scan holds everything.
  private(set) var coefficientBytes = 0
  /// Offset of a JFIF version that the library would warn of; 0 where there is none.
  private var versionOffset = 0
  /// Offset of Adobe's colour transform; 0 where there is none.
  private var transformOffset = 0
  /// Adobe's colour transform, as stored.
  private var transform: UInt8 = 0
  /// Offset in the file of the first scan.
  private(set) var scanStart = 0

  /// Walks the markers up to the first scan.
  ///
  /// - Parameter bytes: the file, beginning with the two bytes of its first marker.
  /// - Throws: `PictureError.isTruncated`, or `isDamaged` where the markers make no picture.
  init(_ bytes: Span<UInt8>) throws(PictureError) {
    var position = 2
    var hasExif = false
    var isProgressive = false
    var samples = 0
    while true {
      // Decoders skip what is not a marker; so does this.
      while try byte(bytes, position) != 0xff { position += 1 }
      while try byte(bytes, position) == 0xff { position += 1 }
      let marker = bytes[position]
      position += 1
      switch marker {
      case 0x00, 0x01, 0xd0...0xd8: continue
      case 0xd9: throw .isTruncated
      default: break
      }
      let length = try short(bytes, position)
      guard length >= 2 else { throw damage("a marker segment of impossible length") }
      guard length <= bytes.count - position else { throw .isTruncated }
      let segment = bytes.extracting(position + 2..<position + length)
      switch marker {
      case 0xc0...0xc3, 0xc5...0xc7, 0xc9...0xcb, 0xcd...0xcf:
        isProgressive = marker & 3 == 2
        samples = try readFrame(segment)
      case 0xe1 where !hasExif && isExif(segment):
        hasExif = true
        orientation = Orientation(exif: segment.extracting(droppingFirst: 6))
      case 0xee where segment.count >= 12 && segment[0] == UInt8(ascii: "A"):
        hasAdobeMarker = true
        transformOffset = position + 13
        transform = segment[11]
      case 0xe0 where segment.count >= 14 && versionOffset == 0 && isJFIF(segment):
        if segment[5] != 1 { versionOffset = position + 7 }
      case 0xda:
        guard width > 0 && height > 0 && segment.count > 0 else {
          throw damage("a scan without the picture's size")
        }
        scanStart = position
        if isProgressive || Int(segment[0]) < components { coefficientBytes = 2 * samples }
        return
      default: break
      }
      position += length
    }
  }

  /// The transform the library takes an unknown one for.
  private var usualTransform: UInt8 { components == 4 ? 2 : 1 }

  private var hasUnknownTransform: Bool {
    transformOffset > 0 && transform != 0 && transform != usualTransform
  }

  /// Whether the library would warn of something that leaves the picture whole.
  ///
  /// It tells of its first warning alone, so this one would hide all damage that follows.
  var isUnusual: Bool { versionOffset > 0 || hasUnknownTransform }

  /// Writes what the library takes unusual values for into a copy of the file.
  func makeUsual(_ bytes: UnsafeMutablePointer<UInt8>) {
    if versionOffset > 0 { bytes[versionOffset] = 1 }
    if hasUnknownTransform { bytes[transformOffset] = usualTransform }
  }

  /// Reads a frame header; returns the number of its samples in all components.
  private mutating func readFrame(_ segment: Span<UInt8>) throws(PictureError) -> Int {
    height = try short(segment, 1)
    width = try short(segment, 3)
    components = Int(try byte(segment, 5))
    guard components == 1 || components == 3 || components == 4 else {
      throw damage("neither 1, 3 nor 4 components")
    }
    var largest = (across: 1, down: 1)
    var factors = 0
    for index in 0..<components {
      let sampling = Int(try byte(segment, 7 + 3 * index))
      largest = (max(largest.across, sampling >> 4), max(largest.down, sampling & 15))
      factors += (sampling >> 4) * (sampling & 15)
    }
    return width * height * factors / (largest.across * largest.down)
  }
}

private func isJFIF(_ segment: Span<UInt8>) -> Bool {
  segment[0] == 0x4a && segment[1] == 0x46 && segment[2] == 0x49 && segment[3] == 0x46
    && segment[4] == 0
}

private func isExif(_ segment: Span<UInt8>) -> Bool {
  let mark: InlineArray<6, UInt8> = [0x45, 0x78, 0x69, 0x66, 0, 0]
  guard segment.count >= 6 else { return false }
  for index in 0..<6 where segment[index] != mark[index] { return false }
  return true
}

private func byte(_ bytes: Span<UInt8>, _ position: Int) throws(PictureError) -> UInt8 {
  guard position < bytes.count else { throw .isTruncated }
  return bytes[position]
}

private func short(_ bytes: Span<UInt8>, _ position: Int) throws(PictureError) -> Int {
  Int(try byte(bytes, position)) << 8 | Int(try byte(bytes, position + 1))
}

/// The error of a fault found here rather than by the library.
func damage(_ text: StaticString) -> PictureError {
  .isDamaged(DecoderText(UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)))
}
