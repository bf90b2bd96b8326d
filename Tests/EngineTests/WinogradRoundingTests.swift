import EngineChecks
import Testing

@testable import Engine

@Suite struct WinogradRoundingTests {
  @Test(arguments: [3, 4])
  func resultsAreThoseOfTheRuleWhereverAResultChanges(rows: Int) {
    let unit = rows == 4 ? 576 : 144
    var random = RandomNumbers(seed: 22)
    var found = 0
    for _ in 0..<300 {
      let multiplier = Int32(
        random.oneIn(4) ? random.pick([1 << 30, 1 << 31 - 1]) : random.int(1 << 30...1 << 31 - 1))
      let shift = Int32(random.int(1...13))
      let lowest = Int32(random.int(-255...0))
      let highest = Int32(random.int(Int(lowest)...Int(lowest) + 255))
      guard
        let rounding = WinogradRounding(
          multiplier: multiplier, shift: shift, lowest: lowest, highest: highest, rows: rows)
      else { continue }
      found += 1
      for result in lowest...highest {
        let middle = (Double(result) - 0.5) * Double(1 << (31 + Int(shift))) / Double(multiplier)
        for accumulator in Int32(middle) - 3...Int32(middle) + 3 {
          let expected = requantised(accumulator, multiplier, shift)
          let sum = Int64(unit) * Int64(accumulator) + Int64(rounding.bias)
          guard abs(sum) <= Int64(Int32.max) else { continue }
          let product = sum * Int64(rounding.multiplier)
          let actual = Int32(product >> (31 + Int64(rounding.shift))) - rounding.results
          let bounds = { min(max($0, lowest), highest) }
          #expect(
            bounds(actual) == bounds(expected), "\(accumulator) * \(multiplier) >> \(shift)")
        }
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
