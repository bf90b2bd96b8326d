/// The name a user has given to a coin: a few words of UTF-8, as they are spoken.
public struct CoinName: BitwiseCopyable, Sendable, Equatable {
  /// Most bytes of a name.
  public static let capacity = 24

  private var bytes = InlineArray<24, UInt8>(repeating: 0)
  /// Length in bytes, 0 for no name.
  public private(set) var count = 0

  /// No name.
  public init() {}

  /// Takes a name over; `nil` when it is empty, too long, or has characters that would break a
  /// line or a table: control characters, quotation marks, backslashes or commas.
  public init?(_ text: Span<UInt8>) {
    if text.count == 0 || text.count > CoinName.capacity { return nil }
    for index in 0..<text.count {
      let byte = text[index]
      if byte < 0x20 || byte == 0x7f || byte == 0x22 || byte == 0x2c || byte == 0x5c { return nil }
      bytes[index] = byte
    }
    count = text.count
  }

  /// The name's bytes.
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { bytes.span.extracting(first: count) }
  }

  /// Whether both are the same bytes.
  public static func == (first: CoinName, second: CoinName) -> Bool {
    if first.count != second.count { return false }
    for index in 0..<first.count where first.bytes[index] != second.bytes[index] { return false }
    return true
  }
}
