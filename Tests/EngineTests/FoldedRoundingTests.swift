import EngineChecks
import Testing

@testable import Engine

@Suite struct FoldedRoundingTests {
  @Test func resultsAreThoseOfTheRuleWhereverAResultChangesAndAtTheEnds() {
    var random = RandomNumbers(seed: 21)
    var found = 0
    for _ in 0..<400 {
      let scaling = ScalingCase(shifts: 1...13, &random)
      guard
        let folded = FoldedRounding(
          multiplier: scaling.multiplier, shift: scaling.shift,
          lowest: scaling.results.lowerBound, highest: scaling.results.upperBound)
      else { continue }
      found += 1
      for accumulator in scaling.accumulators(&random) {
        let product = Int64(accumulator + folded.bias) * Int64(scaling.multiplier)
        let result = Int32(product >> 32) >> (scaling.shift - 1) - folded.results
        #expect(scaling.isRight(result, accumulator), "\(accumulator), \(scaling)")
      }
    }
    #expect(found > 360)
  }

  @Test func unusualShiftsAreNotFolded() {
    for shift: Int32 in [0, 18, 30] {
      #expect(
        FoldedRounding(multiplier: 1 << 30, shift: shift, lowest: -128, highest: 127) == nil)
    }
  }
}
