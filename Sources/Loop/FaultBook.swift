import Counting

/// Which faults are in force, and how often each has come since it was told of: a fault that
/// repeats is told once, and its count when it is over.
struct FaultBook: ~Copyable {
  /// More than there are kinds of fault.
  static var capacity: Int { 128 }

  private var counts = InlineArray<128, Int>(repeating: 0)

  /// Notes that a fault has come; returns whether it is to be told of.
  mutating func note(_ fault: Degradation) -> Bool {
    let index = Int(fault.rawValue)
    precondition(index < FaultBook.capacity)
    // A count at its end stays there.
    if counts[index] < .max { counts[index] += 1 }
    return counts[index] == 1
  }

  /// How often a fault has come since it began; 0 when it is not in force.
  func times(_ fault: Degradation) -> Int { counts[Int(fault.rawValue)] }

  /// Notes that a fault is over.
  mutating func clear(_ fault: Degradation) {
    counts[Int(fault.rawValue)] = 0
  }

  /// Whether any fault is in force.
  var hasFault: Bool {
    for index in 0..<FaultBook.capacity where counts[index] > 0 { return true }
    return false
  }
}
