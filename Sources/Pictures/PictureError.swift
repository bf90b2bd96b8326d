import CSystem

/// Why a file did not become a picture, or a picture not a file.
public enum PictureError: Error {
  /// open(2) failed with this `errno`.
  case cannotOpen(errno: Int32)
  /// read(2) failed with this `errno`.
  case cannotRead(errno: Int32)
  /// The path names a directory.
  case isDirectory
  /// The path names a device, pipe or socket, which might never end.
  case isNotFile
  /// The file holds no bytes.
  case isEmpty
  /// The file is larger than `PictureLimits.fileBytes`.
  case fileTooLarge(bytes: Int)
  /// The content is neither JPEG nor PNG, but this.
  case unsupported(PictureFormat)
  /// The content is of no known picture format.
  case notPicture
  /// The file ends before its picture does.
  case isTruncated
  /// The content breaks the rules of its format, in the decoder's words.
  case isDamaged(DecoderText)
  /// The file claims more pixels than `PictureLimits.filePixels`.
  case tooManyPixels(width: Int, height: Int)
  /// Decoding would take more than `PictureLimits.coefficientBytes` beside the picture itself.
  case takesTooMuchMemory(bytes: Int)
  /// The machine has not this much memory left.
  case outOfMemory(bytes: Int)
  /// Creating the file failed with this `errno`.
  case cannotCreate(errno: Int32)
  /// write(2) failed with this `errno`.
  case cannotWrite(errno: Int32)
}

/// A decoder's own words for a fault, in place: at most 159 bytes of ASCII.
public struct DecoderText: Sendable {
  private var storage = InlineArray<159, UInt8>(repeating: 0)
  /// Bytes in use, 0 to 159.
  public private(set) var count = 0

  /// Copies a C string, leaving off what does not fit.
  public init(_ text: UnsafePointer<CChar>) {
    while count < storage.count && text[count] != 0 {
      storage[count] = UInt8(bitPattern: text[count])
      count += 1
    }
  }

  /// The bytes of the text.
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { storage.span.extracting(first: count) }
  }

  /// Whether the text contains `part`.
  public func contains(_ part: StaticString) -> Bool {
    let size = part.utf8CodeUnitCount
    var start = 0
    while start + size <= count {
      var matched = 0
      while matched < size && storage[start + matched] == part.utf8Start[matched] { matched += 1 }
      if matched == size { return true }
      start += 1
    }
    return false
  }
}
