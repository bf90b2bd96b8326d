#if arch(x86_64)
  import EngineChecks
  import Testing

  @testable import Engine

  @Suite struct FloatScalingTests {
    @Test(arguments: [1, 144, 576])
    func resultsAreThoseOfTheRuleWhereverAResultChanges(unit: Int) {
      var random = RandomNumbers(seed: 31)
      var found = 0
      for _ in 0..<300 {
        let scaling = ScalingCase(shifts: 0...9, &random)
        guard
          let floats = FloatScaling(
            multiplier: scaling.multiplier, shift: scaling.shift,
            lowest: scaling.results.lowerBound, highest: scaling.results.upperBound, unit: unit)
        else { continue }
        found += 1
        for accumulator in scaling.accumulators(&random) {
          // Sums beyond 32 bits do not come here.
          guard let sum = Int32(exactly: unit * (Int(accumulator) - Int(floats.origin))) else {
            continue
          }
          let scaled = floats.addend.addingProduct(Float(sum), floats.multiplier)
          let result = Int32(scaled.rounded(.toNearestOrEven)) + floats.results
          #expect(scaling.isRight(result, accumulator), "\(accumulator), \(scaling)")
        }
      }
      #expect(found > 200)
    }

    @Test func shiftsTooGreatForFloatsAreLeftToWholeNumbers() {
      for shift: Int32 in [16, 18, 30] {
        #expect(
          FloatScaling(
            multiplier: 1_234_567_891, shift: shift, lowest: -128, highest: 127, unit: 1) == nil)
      }
    }
  }
#endif
