/// Appends text to a buffer of fixed size; what does not fit is left out.
package struct LineWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  /// How many bytes were written.
  package private(set) var count = 0

  /// A writer at the buffer's first byte.
  package init(buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
  }

  /// Appends text.
  package mutating func append(_ text: StaticString) {
    for offset in 0..<text.utf8CodeUnitCount { append(text.utf8Start[offset]) }
  }

  /// Appends a number of 0 or more in decimal.
  package mutating func append(_ number: Int) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(truncatingIfNeeded: 48 + number / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func append(_ byte: UInt8) {
    guard count < buffer.count else { return }
    buffer[count] = byte
    count += 1
  }
}
