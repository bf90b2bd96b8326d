/// How a channel's sums are scaled by 32-bit floats to the very results of the rule.
///
/// With a multiplier m, a shift s and S = 31 + s the rule is floor((a * m + A) / 2^S), where A is
/// 2^30 + 2^(30 + s). Kernels compute round((c * (a - origin)) * multiplier + addend) + results, the
/// product and the sum rounded once; c is 1, or what Winograd's sums are multiplied by. Both grow with
/// the accumulator a, so they agree on all of them if they do where the rule's result becomes each of
/// the at most 255 numbers k that an int8 can tell from the one below: at the least a that gives k, and
/// at the one before. Each k bounds the addend from both sides. The origin puts zero in the middle of
/// the results, where floats are closest to each other. About half of all channels that have a shift of
/// 10 can be scaled so, all with one of 8; exported multipliers are chosen so that theirs can.
struct FloatScaling {
  let multiplier: Float
  let addend: Float
  let origin: Int32
  let results: Int32

  /// With greater shifts the numbers here could leave 64 bits.
  private static let shifts: ClosedRange<Int32> = 0...17
  /// How many multipliers, one float apart, are tried on each side of the nearest one.
  private static let mostSteps = 3

  /// That of results from `lowest` to `highest`, beyond which all are the same; `nil` when there is
  /// none.
  init?(multiplier: Int32, shift: Int32, lowest: Int32, highest: Int32, unit: Int) {
    guard FloatScaling.shifts.contains(shift) else { return nil }
    let divisor = 1 << (31 + Int(shift))
    let rounding = 1 << 30 + (shift > 0 ? divisor / 2 : 0)
    let scale = Double(multiplier) / Double(divisor)
    results = (lowest + highest + 1) / 2
    let middle = (Double(results) / scale).rounded()
    guard abs(middle) < Double(GraphLimits.accumulator) else { return nil }
    origin = Int32(middle)
    // What the accumulator less its origin first has to be for each number.
    var firsts = InlineArray<256, Int>(repeating: 0)
    let count = Int(highest - lowest)
    for index in 0..<count {
      let number = Int(lowest) + 1 + index
      let dividend = number * divisor - rounding
      let quotient = dividend / Int(multiplier)
      let first = quotient * Int(multiplier) < dividend ? quotient + 1 : quotient
      firsts[index] = unit * (first - Int(origin))
      guard abs(firsts[index]) < Int(Int32.max) - unit else { return nil }
    }
    let lowest = Int(lowest - results)
    for step in 0...2 * FloatScaling.mostSteps {
      var candidate = Float(scale / Double(unit))
      for _ in 0..<(step + 1) / 2 {
        candidate = step % 2 == 1 ? candidate.nextUp : candidate.nextDown
      }
      guard
        let addend = FloatScaling.addend(
          candidate, firsts, lowest: lowest, count: count, unit: unit)
      else { continue }
      self.multiplier = candidate
      self.addend = addend
      return
    }
    return nil
  }

  /// What to add to the products with a multiplier; `nil` when nothing fits.
  private static func addend(
    _ multiplier: Float, _ firsts: borrowing InlineArray<256, Int>, lowest: Int, count: Int,
    unit: Int
  ) -> Float? {
    var least = -Double.infinity
    var most = Double.infinity
    for index in 0..<count {
      let boundary = Double(lowest + index) + 0.5
      // What rounding the sum to a float may change there.
      let room = Double(Float(abs(boundary)).ulp) / 2
      least = max(least, boundary - Double(firsts[index]) * Double(multiplier) + room)
      most = min(most, boundary - Double(firsts[index] - unit) * Double(multiplier) - room)
    }
    guard least < most else { return nil }
    let addend = count == 0 ? 0 : Float((least + most) / 2)
    for index in 0..<count {
      let number = Float(lowest + 1 + index)
      let at = addend.addingProduct(Float(firsts[index]), multiplier)
      let before = addend.addingProduct(Float(firsts[index] - unit), multiplier)
      guard at.rounded(.toNearestOrEven) >= number && before.rounded(.toNearestOrEven) < number
      else { return nil }
    }
    return addend
  }
}
