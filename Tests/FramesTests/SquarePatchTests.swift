import Frames
import TestSupport
import Testing

@Suite struct SquarePatchTests {
  private let side = SquarePatch.side

  @Test(arguments: patchReference)
  func everyPixelIsWithinAGreyLevelOfFloatingPoint(
    x: Float, y: Float, diameter: Float, row: Int, column: Int, channel: Int, expected: UInt8
  ) {
    let patch = TestPicture.reference(width: 320, height: 240)
      .patch(x: x, y: y, diameter: diameter)
    let value = patch[3 * (row * side + column) + channel]
    #expect(abs(Int(value) - Int(expected)) <= 2)
  }

  @Test func anUnscaledPatchIsACopy() {
    let picture = TestPicture.reference(width: 300, height: 260, gap: 7)
    let patch = picture.patch(x: 150, y: 130, diameter: 96)
    for row in 0..<side {
      for column in 0..<side {
        let expected = picture.value(150 - 72 + column, 130 - 72 + row, 1)
        #expect(Double(patch[3 * (row * side + column) + 1]) == expected)
      }
    }
  }

  @Test func whatLiesOutsideHasTheColourOfTheEdge() {
    let picture = TestPicture(width: 20, height: 30) { x, y, channel in
      x == 0 ? 200 : y == 29 ? 100 : 10
    }
    let left = picture.patch(x: -40, y: 15, diameter: 20)
    #expect(left.allSatisfy { $0 == 200 })
    let below = picture.patch(x: 10, y: 80, diameter: 6)
    #expect(below.allSatisfy { $0 == 100 })
  }

  @Test func aPlainPictureGivesAPlainPatchAtEverySize() {
    let picture = TestPicture(width: 90, height: 70, gap: 1) { _, _, _ in 173 }
    var random = Dice(state: 5)
    for _ in 0..<20 {
      let patch = picture.patch(
        x: .random(in: -20...110, using: &random), y: .random(in: -20...90, using: &random),
        diameter: .random(in: 0.1...200, using: &random))
      #expect(patch.allSatisfy { $0 == 173 })
    }
  }

  @Test func extremePlacesAndSizesAreBroughtIntoBounds() {
    let picture = TestPicture.reference(width: 3, height: 1)
    for (x, y, diameter) in [
      (Float(1e30), Float(-1e30), Float(1e30)), (1, 0.5, 0), (1, 0.5, -5), (0, 0, 1e-30),
    ] {
      #expect(picture.patch(x: x, y: y, diameter: diameter).count == SquarePatch.byteCount)
    }
  }

  @Test func movingTheCoinMovesThePatchByTheSamePixels() {
    let picture = TestPicture.reference(width: 400, height: 300)
    let here = picture.patch(x: 200, y: 150, diameter: 192)
    let there = picture.patch(x: 204, y: 150, diameter: 192)
    for row in 0..<side {
      for column in 0..<(side - 2) {
        #expect(here[3 * (row * side + column + 2)] == there[3 * (row * side + column)])
      }
    }
  }

  @Test func halvingIsTheRoundedMeanOfFour() {
    let picture = TestPicture.reference(width: 300, height: 300)
    let patch = picture.patch(x: 140, y: 150, diameter: 96)
    var output = [Int8](repeating: 0, count: SquarePatch.byteCount / 4)
    var span = output.mutableSpan
    SquarePatch.halve(patch.span, into: &span)
    for row in 0..<(side / 2) {
      for column in 0..<(side / 2) {
        let upper = 3 * (2 * row * side + 2 * column)
        let lower = upper + 3 * side
        let sum =
          Int(patch[upper]) + Int(patch[upper + 3]) + Int(patch[lower])
          + Int(patch[lower + 3])
        #expect(Int(output[3 * (row * side / 2 + column)]) == (sum + 2) / 4 - 128)
      }
    }
  }
}
