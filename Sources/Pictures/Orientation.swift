/// How a stored picture must be turned to stand upright: the values of Exif's tag 274.
package enum Orientation: UInt16, CaseIterable {
  /// Stored upright.
  case upright = 1
  /// Mirrored left to right.
  case mirrored = 2
  /// Turned by half a turn.
  case half = 3
  /// Mirrored top to bottom.
  case flipped = 4
  /// Rows and columns exchanged.
  case transposed = 5
  /// To be turned a quarter clockwise.
  case clockwise = 6
  /// Rows and columns exchanged, then turned by half a turn.
  case transversed = 7
  /// To be turned a quarter anticlockwise.
  case anticlockwise = 8

  /// Reads the orientation out of a block of Exif data.
  ///
  /// A block that is damaged, or says nothing of the orientation, means upright: the picture itself
  /// does not depend on it.
  ///
  /// - Parameter exif: a TIFF structure from its byte-order mark on.
  package init(exif: Span<UInt8>) {
    self = .upright
    guard let reader = TIFFReader(exif), let directory = reader.long(at: 4),
      let entryCount = reader.short(at: directory)
    else { return }
    for index in 0..<entryCount {
      let entry = directory + 2 + 12 * index
      guard let tag = reader.short(at: entry) else { return }
      if tag != 274 { continue }
      // One number of type SHORT, kept in the entry itself.
      if reader.short(at: entry + 2) == 3, reader.long(at: entry + 4) == 1,
        let value = reader.short(at: entry + 8),
        let orientation = Orientation(rawValue: UInt16(value))
      {
        self = orientation
      }
      return
    }
  }

  /// Whether width and height change places.
  var exchangesAxes: Bool { rawValue >= 5 }
}

/// Numbers out of a TIFF structure in either byte order; `nil` for any place outside it.
private struct TIFFReader: ~Escapable {
  private let bytes: Span<UInt8>
  private let isBigEndian: Bool

  @_lifetime(copy bytes)
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 8 else { return nil }
    self.bytes = bytes
    isBigEndian = bytes[0] == UInt8(ascii: "M")
    let mark = isBigEndian ? UInt8(ascii: "M") : UInt8(ascii: "I")
    guard bytes[0] == mark && bytes[1] == mark && short(at: 2) == 42 else { return nil }
  }

  func short(at position: Int) -> Int? {
    guard position >= 0 && position <= bytes.count - 2 else { return nil }
    let first = Int(bytes[position])
    let second = Int(bytes[position + 1])
    return isBigEndian ? first << 8 | second : second << 8 | first
  }

  func long(at position: Int) -> Int? {
    guard let first = short(at: position), let second = short(at: position + 2) else { return nil }
    return isBigEndian ? first << 16 | second : second << 16 | first
  }
}
