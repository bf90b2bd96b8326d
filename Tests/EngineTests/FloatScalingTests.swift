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
        let multiplier = Int32(random.int(1 << 30...1 << 31 - 1))
        let shift = Int32(random.int(0...9))
        let lowest = Int32(random.int(-255...0))
        let highest = Int32(random.int(Int(lowest)...Int(lowest) + 255))
        guard
          let scaling = FloatScaling(
            multiplier: multiplier, shift: shift, lowest: lowest, highest: highest, unit: unit)
        else { continue }
        found += 1
        for accumulator in accumulators(multiplier, shift, lowest...highest, &random) {
          let sum = unit * (Int(accumulator) - Int(scaling.origin))
          guard let sum = Int32(exactly: sum) else { continue }
          let float = scaling.addend.addingProduct(Float(sum), scaling.multiplier)
          let actual = Int32(float.rounded(.toNearestOrEven)) + scaling.results
          let expected = requantised(accumulator, multiplier, shift)
          let bounds = { min(max($0, lowest), highest) }
          #expect(
            bounds(actual) == bounds(expected), "\(accumulator) * \(multiplier) >> \(shift)")
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

    /// Those around each change of the result, and some between and beyond.
    private func accumulators(
      _ multiplier: Int32, _ shift: Int32, _ results: ClosedRange<Int32>,
      _ random: inout RandomNumbers
    ) -> [Int32] {
      var all: [Int32] = [0, -1, 1]
      for result in results {
        let middle = (Double(result) - 0.5) * Double(1 << (31 + Int(shift))) / Double(multiplier)
        let near = Int32(middle)
        for distance: Int32 in -3...3 { all.append(near + distance) }
      }
      for _ in 0..<50 { all.append(Int32(random.int(-1 << 21...1 << 21))) }
      return all
    }
  }
#endif
