import EngineChecks
import Testing

@testable import Engine

@Suite struct RequantisationTests {
  @Test func halvesRoundUpAtEachStep() {
    // A multiplier of 2^30 halves: 3/2 -> 2, -3/2 -> -1; then 2/4 -> 1 (halves up), -1/4 -> 0.
    #expect(requantised(3, 1 << 30, 0) == 2)
    #expect(requantised(-3, 1 << 30, 0) == -1)
    #expect(requantised(3, 1 << 30, 2) == 1)
    #expect(requantised(-3, 1 << 30, 2) == 0)
  }

  @Test func theLargestAccumulatorsDoNotOverflow() {
    let largest = Int32(1 << 30)
    #expect(requantised(largest, Int32.max, 0) == largest)
    #expect(requantised(-largest, Int32.max, 0) == -largest + 1)
    #expect(requantised(largest, Int32.max, 30) == 1)
    #expect(requantised(-largest, Int32.max, 30) == -1)
  }

  @Test func itIsWithinOneOfTheRealQuotient() {
    var random = RandomNumbers(seed: 9)
    for _ in 0..<10_000 {
      let accumulator = Int32(random.int(-(1 << 30)...1 << 30))
      let multiplier = Int32(random.int(1 << 30...1 << 31 - 1))
      let shift = Int32(random.int(0...30))
      let real = Double(accumulator) * Double(multiplier) / Double(1 << (31 + Int(shift)))
      #expect(abs(Double(requantised(accumulator, multiplier, shift)) - real) < 1)
    }
  }
}
