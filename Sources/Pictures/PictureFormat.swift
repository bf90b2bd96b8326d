/// A format of picture files, as told by a file's first bytes.
public enum PictureFormat: Sendable {
  /// JPEG, which is decoded.
  case jpeg
  /// PNG, which is decoded.
  case png
  /// HEIC or HEIF, what telephones of one maker save.
  case heic
  /// AVIF.
  case avif
  /// WebP.
  case webp
  /// GIF.
  case gif
  /// Windows bitmap.
  case bitmap
  /// TIFF, and raw formats built on it.
  case tiff
  /// PDF.
  case pdf

  /// Recognises the format, whatever the file is called; `nil` when no rule fits.
  ///
  /// - Parameter bytes: the file, from its beginning.
  public init?(of bytes: Span<UInt8>) {
    if matches(bytes, "\u{ff}\u{d8}\u{ff}", at: 0) {
      self = .jpeg
    } else if matches(bytes, "\u{89}PNG\r\n\u{1a}\n", at: 0) {
      self = .png
    } else if matches(bytes, "ftypavi", at: 4) {
      self = .avif
    } else if matches(bytes, "ftyphe", at: 4) || matches(bytes, "ftypm", at: 4) {
      self = .heic
    } else if matches(bytes, "RIFF", at: 0) && matches(bytes, "WEBP", at: 8) {
      self = .webp
    } else if matches(bytes, "GIF8", at: 0) {
      self = .gif
    } else if matches(bytes, "BM", at: 0) {
      self = .bitmap
    } else if matches(bytes, "II*\0", at: 0) || matches(bytes, "MM\0*", at: 0) {
      self = .tiff
    } else if matches(bytes, "%PDF", at: 0) {
      self = .pdf
    } else {
      return nil
    }
  }
}

/// Whether `bytes` hold, from `start`, the characters of `pattern`, each one byte.
private func matches(_ bytes: Span<UInt8>, _ pattern: StaticString, at start: Int) -> Bool {
  var position = start
  var utf8 = 0
  while utf8 < pattern.utf8CodeUnitCount {
    // Characters from U+0080 to U+00FF take two bytes of UTF-8.
    var character = pattern.utf8Start[utf8]
    if character >= 0x80 {
      utf8 += 1
      character = character << 6 | pattern.utf8Start[utf8] & 0x3f
    }
    guard position < bytes.count && bytes[position] == character else { return false }
    position += 1
    utf8 += 1
  }
  return true
}
