/// A name in a model file: printable ASCII, 1 to 31 characters, in the file's memory.
public struct ModelText: @unchecked Sendable {
  /// The characters, without the zeros after them.
  public let bytes: UnsafeBufferPointer<UInt8>

  /// Whether both are the same characters.
  public static func == (left: ModelText, right: StaticString) -> Bool {
    guard left.bytes.count == right.utf8CodeUnitCount else { return false }
    for offset in 0..<left.bytes.count where left.bytes[offset] != right.utf8Start[offset] {
      return false
    }
    return true
  }

  /// Whether both are the same characters.
  public static func == (left: ModelText, right: ModelText) -> Bool {
    guard left.bytes.count == right.bytes.count else { return false }
    for offset in 0..<left.bytes.count where left.bytes[offset] != right.bytes[offset] {
      return false
    }
    return true
  }

  /// Reads a text that fills `field` up with zeros; `nil` when it is malformed.
  init?(field: UnsafeRawBufferPointer) {
    let characters = field.bindMemory(to: UInt8.self)
    var count = 0
    while count < characters.count && characters[count] != 0 {
      guard characters[count] >= 0x20 && characters[count] <= 0x7E else { return nil }
      count += 1
    }
    guard count > 0 && count < characters.count else { return nil }
    for offset in count..<characters.count where characters[offset] != 0 { return nil }
    bytes = UnsafeBufferPointer(rebasing: characters[..<count])
  }
}

#if !hasFeature(Embedded)
  extension ModelText: CustomStringConvertible {
    /// The characters as a string.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
  }
#endif
