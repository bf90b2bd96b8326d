import Foundation
import Testing

@testable import Detection

@Suite struct OutlineTests {
  @Test func aCircleIsAsWideAsTwoRadii() {
    #expect(Outline(x: 0, y: 0, radius: 20).longerAxis == 40)
  }

  @Test func theLongerAxisFollowsTheStrain() {
    for (ratio, angle) in [(1.2, 0.0), (1.5, 0.8), (1.05, 2.9)] {
      let outline = Outline(
        x: 0, y: 0, radius: 30, cosineStrain: Float(log(ratio) * cos(2 * angle)),
        sineStrain: Float(log(ratio) * sin(2 * angle)))
      #expect(abs(Double(outline.longerAxis) - 60 * sqrt(ratio)) < 1e-3)
    }
  }

  @Test func aCorrectionIsInRadiiOfTheCircle() {
    let corrected = Outline(x: 100, y: 50, radius: 40, cosineStrain: 0.3).corrected(
      by: OutlineCorrection(x: 0.1, y: -0.2, logRadius: 0.1, cosineStrain: 0.05, sineStrain: 0))
    #expect(abs(corrected.x - 104) < 1e-4 && abs(corrected.y - 42) < 1e-4)
    #expect(abs(Double(corrected.radius) - 40 * exp(0.1)) < 1e-4)
    #expect(corrected.cosineStrain == 0.05)
  }

  @Test func wildCorrectionsAreCutBack() {
    let corrected = Outline(x: 0, y: 0, radius: 10).corrected(
      by: OutlineCorrection(x: 90, y: -90, logRadius: -90, cosineStrain: 300, sineStrain: -400))
    #expect(corrected.x == 7.5 && corrected.y == -7.5)
    #expect(abs(corrected.radius - 5) < 0.01)
    #expect(corrected.longerAxis <= 10 * 1.66)
  }
}
