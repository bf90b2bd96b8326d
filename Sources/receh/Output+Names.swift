extension Output {
  /// Writes a file name for people: control characters and bytes that are not UTF-8 as `\xNN`, so
  /// that a name is one line and cannot command the terminal.
  mutating func write(name: UnsafePointer<CChar>) {
    forEachPiece(of: name) { piece, isCharacter in
      // U+0080 to U+009F are control characters too.
      let isControl =
        piece[0] < 0x20 || piece[0] == 0x7f
        || piece.count == 2 && piece[0] == 0xc2 && piece[1] < 0xa0
      if isCharacter && !isControl {
        write(piece)
        return
      }
      for index in 0..<piece.count {
        write("\\x")
        write(hexadecimal: piece[index])
      }
    }
  }

  /// Writes a string of JSON, quotation marks included; what is not UTF-8 becomes U+FFFD.
  mutating func write(json text: UnsafePointer<CChar>) {
    write("\"")
    forEachPiece(of: text) { piece, isCharacter in
      switch piece[0] {
      case _ where !isCharacter: write("\u{fffd}")
      case UInt8(ascii: "\""): write("\\\"")
      case UInt8(ascii: "\\"): write("\\\\")
      case ..<0x20:
        write("\\u00")
        write(hexadecimal: piece[0])
      default: write(piece)
      }
    }
    write("\"")
  }

  private mutating func write(hexadecimal byte: UInt8) {
    let digits: StaticString = "0123456789abcdef"
    write(byte: digits.utf8Start[Int(byte >> 4)])
    write(byte: digits.utf8Start[Int(byte & 15)])
  }
}

/// Takes a C string apart into characters of UTF-8 and, between them, the longest beginnings of
/// characters that do not go on as they must, as the Unicode standard counts them.
private func forEachPiece(
  of text: UnsafePointer<CChar>, _ body: (_ piece: Span<UInt8>, _ isCharacter: Bool) -> Void
) {
  let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
  var position = 0
  while bytes[position] != 0 {
    let first = bytes[position]
    let length =
      switch first {
      case 0xc2...0xdf: 2
      case 0xe0...0xef: 3
      case 0xf0...0xf4: 4
      default: 1
      }
    // The second byte of some has a narrower range: no overlong forms, surrogates or beyond
    // U+10FFFF.
    var range: ClosedRange<UInt8> =
      switch first {
      case 0xe0: 0xa0...0xbf
      case 0xed: 0x80...0x9f
      case 0xf0: 0x90...0xbf
      case 0xf4: 0x80...0x8f
      default: 0x80...0xbf
      }
    var count = 1
    while count < length && range.contains(bytes[position + count]) {
      range = 0x80...0xbf
      count += 1
    }
    let piece = unsafe Span(_unsafeStart: bytes + position, count: count)
    body(piece, count == length && (first < 0x80 || length > 1))
    position += count
  }
}
