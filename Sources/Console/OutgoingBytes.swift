/// Lines waiting to be written, in a ring of fixed size: a line goes in whole or not at all.
struct OutgoingBytes: ~Copyable {
  /// Bytes that wait at most: a third of a second at 115200 baud, and over a minute's events of a
  /// busy tray. A slower reader loses lines, and is told how many.
  static let capacity = 4096

  private var ring = InlineArray<4096, UInt8>(repeating: 0)
  private var start = 0
  /// How many bytes wait.
  private(set) var count = 0

  /// Adds a line, or more; returns `false`, changing nothing, when they do not fit.
  /// - Parameter returns: whether each newline gets a carriage return before it, as terminals want.
  mutating func append(_ line: Span<UInt8>, returns: Bool) -> Bool {
    var needed = line.count
    if returns {
      for index in 0..<line.count where line[index] == UInt8(ascii: "\n") { needed += 1 }
    }
    if needed > OutgoingBytes.capacity - count { return false }
    for index in 0..<line.count {
      if returns && line[index] == UInt8(ascii: "\n") { append(UInt8(ascii: "\r")) }
      append(line[index])
    }
    return true
  }

  private mutating func append(_ byte: UInt8) {
    ring[(start + count) % OutgoingBytes.capacity] = byte
    count += 1
  }

  /// The oldest bytes that lie together; empty when none wait.
  var front: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      ring.span.extracting(start..<start + min(count, OutgoingBytes.capacity - start))
    }
  }

  /// Takes the oldest bytes out. Precondition: there are that many.
  mutating func remove(first number: Int) {
    precondition(number <= count)
    start = (start + number) % OutgoingBytes.capacity
    count -= number
  }

  /// Empties the ring.
  mutating func removeAll() {
    count = 0
  }
}
