/// What to add to a channel's bias so that its results, off by a whole number, need no rounding.
///
/// With a multiplier m, a shift s and S = 31 + s the rule is floor((a * m + A) / 2^S), where A is
/// 2^30 + 2^(30 + s). Kernels would rather compute floor((a + bias) * m / 2^S) - results. Both grow
/// with the accumulator a, so they agree on all of them if they do where the rule's result becomes
/// each of the at most 255 numbers k that an int8 can tell from the one below. That is where
/// a * m first reaches k * 2^S - A; how far it is beyond by then lies from 0 to m - 1. The other form
/// moves all of these distances by bias * m - results * 2^S - A, so it agrees when they stay from 0
/// to m - 1. The distances leave some room, and of some hundred numbers of results one fits.
struct FoldedRounding {
  let bias: Int32
  let results: Int32

  /// Greater ones would leave 16 bits, or take long to find.
  private static let mostResults = 8192
  /// With greater shifts the numbers here could leave 64 bits.
  private static let shifts: ClosedRange<Int32> = 1...17

  /// That of results from `lowest` to `highest`, beyond which all are the same; `nil` when there is
  /// none.
  init?(multiplier: Int32, shift: Int32, lowest: Int32, highest: Int32) {
    guard FoldedRounding.shifts.contains(shift) else { return nil }
    let multiplier = Int(multiplier)
    let unit = 1 << (31 + Int(shift))
    let rounding = 1 << 30 + unit / 2
    var least = multiplier - 1
    var most = 0
    for number in stride(from: Int(lowest) + 1, through: Int(highest), by: 1) {
      let remainder = (rounding - number * unit) % multiplier
      let beyond = remainder < 0 ? remainder + multiplier : remainder
      least = min(least, beyond)
      most = max(most, beyond)
    }
    for results in 0..<FoldedRounding.mostResults {
      let needed = rounding - least + results * unit
      let bias = (needed + multiplier - 1) / multiplier
      // The accumulator itself may be as large as the limit.
      guard bias < Int(GraphLimits.accumulator) else { return nil }
      if bias * multiplier - results * unit < rounding + multiplier - most {
        self.bias = Int32(bias)
        self.results = Int32(results)
        return
      }
    }
    return nil
  }
}
