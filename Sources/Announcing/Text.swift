/// A line of UTF-8 text of at most `Capacity` bytes, stored in place: it never allocates.
///
/// What does not fit is left out and noted in `isCut`, so that no line runs over its buffer.
public struct Text<let Capacity: Int>: BitwiseCopyable, Sendable {
  private var bytes = InlineArray<Capacity, UInt8>(repeating: 0)

  /// Length in bytes, 0 to `Capacity`.
  public private(set) var count = 0

  /// Whether something did not fit and was left out.
  public private(set) var isCut = false

  /// Makes an empty text.
  public init() {}

  /// The text's bytes. Precondition of a subscript: `0 <= index < count`.
  public subscript(index: Int) -> UInt8 {
    precondition(index < count)
    return bytes[index]
  }

  /// The text's bytes, not NUL-terminated.
  public var span: Span<UInt8> {
    // Always inlined: the optimiser's own version for one capacity takes the text by value, and the
    // span would be of a copy that is gone.
    @inline(__always)
    @_lifetime(borrow self)
    borrowing get { bytes.span.extracting(first: count) }
  }

  /// Lends the text, whose last byte is a NUL, as a C string.
  public func withCString<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(count > 0 && bytes[count - 1] == 0)
    return try withUnsafePointer(to: bytes) { pointer throws(Failure) in
      try body(UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
    }
  }

  /// Appends one byte.
  public mutating func append(byte: UInt8) {
    if count == Capacity {
      isCut = true
      return
    }
    bytes[count] = byte
    count += 1
  }

  /// Appends a fixed piece of text.
  public mutating func append(_ text: StaticString) {
    let start = text.utf8Start
    for index in 0..<text.utf8CodeUnitCount { append(byte: start[index]) }
  }

  /// Appends a whole number in decimal.
  public mutating func append(_ number: Int) {
    append(number, groupedBy: nil)
  }

  /// Appends a whole number in decimal.
  /// - Parameter separator: the byte put between groups of three digits, or `nil` for none.
  public mutating func append(_ number: Int, groupedBy separator: UInt8?) {
    if number < 0 { append(byte: UInt8(ascii: "-")) }
    let magnitude = number.magnitude
    var divisor: UInt = 1
    var digits = 1
    while magnitude / divisor >= 10 {
      divisor *= 10
      digits += 1
    }
    while digits > 0 {
      append(byte: UInt8(ascii: "0") + UInt8(magnitude / divisor % 10))
      digits -= 1
      if digits > 0 { divisor /= 10 }
      if let separator, digits > 0, digits % 3 == 0 { append(byte: separator) }
    }
  }

  /// Appends a probability with two decimals, `0.00` to `1.00`.
  public mutating func append(probability: Float) {
    let hundredths = Int(min(max(probability, 0), 1) * 100 + 0.5)
    append(hundredths / 100)
    append(byte: UInt8(ascii: "."))
    append(byte: UInt8(ascii: "0") + UInt8(hundredths / 10 % 10))
    append(byte: UInt8(ascii: "0") + UInt8(hundredths % 10))
  }

  /// Empties the text.
  public mutating func removeAll() {
    count = 0
    isCut = false
  }
}

extension Text: Equatable {
  /// Whether two texts are the same bytes.
  public static func == (first: Text, second: Text) -> Bool {
    if first.count != second.count { return false }
    for index in 0..<first.count where first[index] != second[index] { return false }
    return true
  }
}
