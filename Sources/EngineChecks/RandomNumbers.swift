/// Random numbers for the cases: the same in every run and on every machine.
public struct RandomNumbers {
  private var state: UInt64

  /// Starts a sequence; the same seed gives the same one everywhere.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits (SplitMix64).
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `range`, all about equally likely.
  public mutating func int(_ range: ClosedRange<Int>) -> Int {
    let count = UInt64(range.upperBound - range.lowerBound + 1)
    return range.lowerBound + Int(next() % count)
  }

  /// True once in `times`.
  public mutating func oneIn(_ times: Int) -> Bool { int(1...times) == 1 }

  /// One of `choices`. Precondition: there is one.
  public mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[int(0...choices.count - 1)]
  }
}
