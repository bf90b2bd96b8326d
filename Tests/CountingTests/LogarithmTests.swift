import Testing

@testable import Counting

@Suite struct LogarithmTests {
  @Test func logarithmsOfKnownPowersAreRight() {
    #expect(abs(naturalLogarithm(1)) < 1e-6)
    #expect(abs(naturalLogarithm(0.01) + 4.605_170_2) < 4e-6)
    #expect(abs(naturalLogarithm(2.718_281_8) - 1) < 1e-6)
  }

  @Test func exponentialUndoesLogarithm() {
    for step in 1...1000 {
      let probability = Float(step) / 1000
      #expect(abs(exponential(naturalLogarithm(probability)) - probability) < 4e-6)
    }
  }

  @Test func exponentialOfVeryNegativeNumbersIsZero() {
    #expect(exponential(-81) == 0)
    #expect(exponential(-.greatestFiniteMagnitude) == 0)
    #expect(exponential(-79) > 0)
  }
}
