import EngineChecks
import Testing

@testable import Engine

@Suite struct FoldedRoundingTests {
  @Test func resultsAreThoseOfTheRuleWhereverAResultChangesAndAtTheEnds() {
    var random = RandomNumbers(seed: 21)
    var found = 0
    for _ in 0..<400 {
      let multiplier = Int32(
        random.oneIn(4) ? random.pick([1 << 30, 1 << 31 - 1]) : random.int(1 << 30...1 << 31 - 1))
      let shift = Int32(random.int(1...13))
      let lowest = Int32(random.int(-255...0))
      let highest = Int32(random.int(Int(lowest)...Int(lowest) + 255))
      guard
        let folded = FoldedRounding(
          multiplier: multiplier, shift: shift, lowest: lowest, highest: highest)
      else { continue }
      found += 1
      for accumulator in accumulators(multiplier, shift, lowest...highest, &random) {
        let expected = requantised(accumulator, multiplier, shift)
        let product = Int64(accumulator + folded.bias) * Int64(multiplier)
        let actual = Int32(product >> 32) >> (shift - 1) - folded.results
        let bounds = { min(max($0, lowest), highest) }
        #expect(
          bounds(actual) == bounds(expected), "\(accumulator) * \(multiplier) >> \(shift)")
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

  /// Those around each change of the result, the extremes, and some between.
  private func accumulators(
    _ multiplier: Int32, _ shift: Int32, _ results: ClosedRange<Int32>,
    _ random: inout RandomNumbers
  ) -> [Int32] {
    var all: [Int32] = [-1 << 30, 1 << 30, 0, -1, 1]
    for result in results {
      let middle = (Double(result) - 0.5) * Double(1 << (31 + Int(shift))) / Double(multiplier)
      let near = Int32(middle)
      for distance: Int32 in -3...3 { all.append(near + distance) }
    }
    for _ in 0..<50 { all.append(Int32(random.int(-1 << 30...1 << 30))) }
    return all
  }
}
