import EngineChecks
import Testing

@testable import Engine

@Suite struct WinogradRoundingTests {
  @Test(arguments: [3, 4])
  func resultsAreThoseOfTheRuleWhereverAResultChanges(rows: Int) {
    let unit: Int64 = rows == 4 ? 576 : 144
    var random = RandomNumbers(seed: 22)
    var found = 0
    for _ in 0..<300 {
      let scaling = ScalingCase(shifts: 1...13, &random)
      guard
        let rounding = WinogradRounding(
          multiplier: scaling.multiplier, shift: scaling.shift,
          lowest: scaling.results.lowerBound, highest: scaling.results.upperBound, rows: rows)
      else { continue }
      found += 1
      for accumulator in scaling.accumulators(&random) {
        let sum = unit * Int64(accumulator) + Int64(rounding.bias)
        // Others are computed directly.
        guard abs(sum) <= Int64(Int32.max) else { continue }
        let product = sum * Int64(rounding.multiplier)
        let result = Int32(product >> (31 + Int64(rounding.shift))) - rounding.results
        #expect(scaling.isRight(result, accumulator), "\(accumulator), \(scaling)")
      }
    }
    #expect(found > 250)
  }

  @Test func unusualShiftsAreLeftToDirectConvolutions() {
    for shift: Int32 in [0, 14, 30] {
      #expect(
        WinogradRounding(multiplier: 1 << 30, shift: shift, lowest: -128, highest: 127, rows: 4)
          == nil)
    }
  }
}
