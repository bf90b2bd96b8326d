/// How a channel's sums, a whole number of times the convolution's, are scaled to the same results.
///
/// With a multiplier m, a shift s and S = 31 + s the rule is floor((a * m + A) / 2^S), where A is
/// 2^30 + 2^(30 + s). The sums are c * a, c being 576 or 144, 9/8 times a power of two. Kernels compute
/// floor((c * a + bias) * M / 2^T) - results, with M near m * 8/9 and T as much greater than S as the
/// power of two says. As for `FoldedRounding` both agree on all accumulators if they do where the
/// result becomes each of the at most 255 numbers k above the lowest: at the least a that gives k the
/// other form has to give k as well, and less at the one before. Each k bounds the bias from both
/// sides, c apart.
struct WinogradRounding {
  let bias: Int32
  let results: Int32
  let multiplier: Int32
  /// T - 31.
  let shift: Int32

  /// How many numbers of results are tried; the first nearly always fits.
  private static let mostResults = 64
  /// With greater shifts the numbers here could leave 64 bits.
  private static let shifts: ClosedRange<Int32> = 1...13

  /// That of results from `lowest` to `highest`, beyond which all are the same; `nil` when there is
  /// none.
  init?(multiplier: Int32, shift: Int32, lowest: Int32, highest: Int32, rows: Int) {
    guard WinogradRounding.shifts.contains(shift) else { return nil }
    let scaling = rows == 4 ? (factor: 576, bits: 9) : (factor: 144, bits: 7)
    let old = Int(multiplier)
    let new = (2 * (old << scaling.bits) + scaling.factor) / (2 * scaling.factor)
    let oldUnit = 1 << (31 + Int(shift))
    let newUnit = oldUnit << scaling.bits
    let rounding = 1 << 30 + oldUnit / 2
    for results in 0..<WinogradRounding.mostResults {
      var least = Int(Int32.min)
      var most = Int(Int32.max)
      for number in stride(from: Int(lowest) + 1, through: Int(highest), by: 1) {
        let first = WinogradRounding.ceiling(number * oldUnit - rounding, old)
        let needed = WinogradRounding.ceiling((number + results) * newUnit, new)
        least = max(least, needed - scaling.factor * first)
        most = min(most, needed - 1 - scaling.factor * (first - 1))
      }
      guard least <= most else { continue }
      bias = Int32(least + (most - least) / 2)
      self.results = Int32(results)
      self.multiplier = Int32(new)
      self.shift = shift + Int32(scaling.bits)
      return
    }
    return nil
  }

  /// The least whole number that is not below `dividend / divisor`.
  private static func ceiling(_ dividend: Int, _ divisor: Int) -> Int {
    let quotient = dividend / divisor
    return quotient * divisor < dividend ? quotient + 1 : quotient
  }
}
