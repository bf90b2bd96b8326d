/// Holds every instruction set's kernels to the reference, over random operators.
///
/// In goes a seed; out come counts of cases that agreed bit for bit and that did not. The cases are
/// whole models, built in memory and loaded as any other, so that the loader, the planner and the
/// packing are checked along with the kernels. Used by the tests and by `engine-check`, which runs
/// on an emulated board. Depends on `Engine` alone and allocates freely: it is no part of the loop.
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
  public mutating func pick(_ choices: [Int]) -> Int { choices[int(0...choices.count - 1)] }
}
