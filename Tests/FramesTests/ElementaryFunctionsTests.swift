import Foundation
import Frames
import Testing

@Suite struct ElementaryFunctionsTests {
  @Test func theExponentialAgreesWithTheSystemsToTheLastPlaces() {
    for step in -3000...3000 {
      let x = Double(step) * 0.0313
      let expected = exp(x)
      #expect(abs(ElementaryFunctions.exponential(x) - expected) <= 1e-15 * expected * 4)
    }
  }

  @Test func theExponentialOfHugeArgumentsStaysFinite() {
    #expect(ElementaryFunctions.exponential(1e9).isFinite)
    #expect(ElementaryFunctions.exponential(-1e9) > 0)
    #expect(ElementaryFunctions.exponential(0) == 1)
  }

  @Test func theLogarithmUndoesTheExponential() {
    for step in -2000...2000 {
      let x = Double(step) * 0.0471
      let back = ElementaryFunctions.logarithm(ElementaryFunctions.exponential(x))
      #expect(abs(back - x) <= 1e-14 * max(1, abs(x)))
    }
    #expect(ElementaryFunctions.logarithm(1) == 0)
  }

  @Test func sineAndCosineAgreeWithTheSystemsAtEveryAngle() {
    for step in -4000...4000 {
      let angle = Double(step) * 0.00917
      let pair = ElementaryFunctions.sineAndCosine(angle)
      #expect(abs(pair.sine - sin(angle)) < 3e-15)
      #expect(abs(pair.cosine - cos(angle)) < 3e-15)
    }
  }

  @Test func probabilitiesOfLogitsAreSymmetricAndRise() {
    var last = 0.0
    for step in -400...400 {
      let logit = Double(step) * 0.05
      let probability = ElementaryFunctions.probability(ofLogit: logit)
      let opposite = ElementaryFunctions.probability(ofLogit: -logit)
      #expect(abs(probability + opposite - 1) < 1e-15)
      #expect(probability > last)
      last = probability
    }
  }

  @Test func roundingGoesToTheNearestAndHalvesGoUp() {
    #expect(ElementaryFunctions.nearestInteger(2.5) == 3)
    #expect(ElementaryFunctions.nearestInteger(-2.5) == -2)
    #expect(ElementaryFunctions.nearestInteger(-2.6) == -3)
    #expect(ElementaryFunctions.floor(-0.1) == -1)
    #expect(ElementaryFunctions.floor(-3) == -3)
    #expect(ElementaryFunctions.floor(3.9) == 3)
  }
}
