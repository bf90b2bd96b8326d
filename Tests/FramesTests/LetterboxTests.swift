import Frames
import TestSupport
import Testing

@Suite struct LetterboxTests {
  private func box(_ width: Int, _ height: Int, shrink: Int = 1) -> Letterbox {
    Letterbox(
      sourceWidth: width, sourceHeight: height, width: 320, height: 240, shrink: shrink)
  }

  /// The share of each source pixel in an output pixel, straight from the definition.
  private func shares(output: Int, outputs: Int, sources: Int, shrinks: Bool) -> [(Int, Double)] {
    let step = Double(sources) / Double(outputs)
    if shrinks {
      let begin = Double(output) * step
      let end = Double(output + 1) * step
      let last = min(sources - 1, Int(end.rounded(.up)) - 1)
      return (Int(begin)...last).map { pixel in
        (pixel, max(0, min(end, Double(pixel + 1)) - max(begin, Double(pixel))) / step)
      }
    }
    let place = (Double(output) + 0.5) * step - 0.5
    let first = Int(place.rounded(.down))
    let fraction = place - Double(first)
    return [(first, 1 - fraction), (first + 1, fraction)]
  }

  @Test func anySizeEqualsTheDefinitionToOneGreyLevel() {
    var random = Dice(state: 1)
    for round in 0..<24 {
      let width = Int.random(in: 1...(round % 2 == 0 ? 60 : 700), using: &random)
      let height = Int.random(in: 1...(round % 3 == 0 ? 40 : 500), using: &random)
      let noise = (0..<997).map { _ in Int.random(in: 0...255, using: &random) }
      let picture = TestPicture(width: width, height: height, gap: round % 5) { x, y, channel in
        noise[(x * 31 + y * 101 + channel * 7) % 997]
      }
      let box = box(width, height)
      let output = picture.letterboxed(box)
      let shrinks = box.innerWidth <= width && box.innerHeight <= height
      for _ in 0..<60 {
        let column = Int.random(in: 0..<box.innerWidth, using: &random)
        let row = Int.random(in: 0..<box.innerHeight, using: &random)
        let across = shares(
          output: column, outputs: box.innerWidth, sources: width, shrinks: shrinks)
        let down = shares(output: row, outputs: box.innerHeight, sources: height, shrinks: shrinks)
        for channel in 0..<3 {
          var expected = 0.0
          for (y, share) in down {
            for (x, part) in across { expected += share * part * picture.value(x, y, channel) }
          }
          let place = 3 * ((box.top + row) * 320 + box.left + column) + channel
          #expect(abs(Double(output[place]) - expected) <= 0.502)
        }
      }
    }
  }

  @Test(arguments: letterboxReference)
  func everyPixelIsWithinAGreyLevelOfOpenCVs(
    width: Int, height: Int, row: Int, column: Int, channel: Int, expected: UInt8
  ) {
    let output = TestPicture.reference(width: width, height: height)
      .letterboxed(box(width, height))
    let value = output[3 * (row * 320 + column) + channel]
    #expect(abs(Int(value) - Int(expected)) <= 1)
  }

  @Test func theBorderIsMiddleGreyAndThePictureIsCentred() {
    let box = box(100, 400)
    #expect(box.innerWidth == 60 && box.innerHeight == 240)
    #expect(box.left == 130 && box.top == 0)
    let output = TestPicture(width: 100, height: 400) { _, _, _ in 9 }.letterboxed(box)
    for row in 0..<240 {
      for column in 0..<320 {
        let isPicture = (130..<190).contains(column)
        #expect(output[3 * (row * 320 + column)] == (isPicture ? 9 : 128))
      }
    }
  }

  @Test func aSinglePixelFillsTheSquareItIsFittedInto() {
    let box = box(1, 1)
    #expect(box.innerWidth == 240 && box.innerHeight == 240)
    let output = TestPicture(width: 1, height: 1, gap: 5) { _, _, channel in 60 + channel }
      .letterboxed(box)
    #expect(output[3 * (120 * 320 + 160)] == 60)
    #expect(output[3 * (0 * 320 + 40) + 2] == 62)
    #expect(output[0] == 128)
  }

  @Test func theFastWayForTwiceTheSizeEqualsTheGeneralWay() {
    var random = Dice(state: 3)
    let noise = (0..<1009).map { _ in Int.random(in: 0...255, using: &random) }
    let picture = TestPicture(width: 640, height: 480, gap: 11) { x, y, channel in
      noise[(x * 13 + y * 97 + channel * 5) % 1009]
    }
    let output = picture.letterboxed(box(640, 480))
    for row in stride(from: 0, to: 240, by: 7) {
      for column in 0..<320 {
        for channel in 0..<3 {
          var sum = 0.0
          for y in 0..<2 {
            for x in 0..<2 { sum += picture.value(2 * column + x, 2 * row + y, channel) }
          }
          #expect(output[3 * (row * 320 + column) + channel] == UInt8((sum + 2) / 4))
        }
      }
    }
  }

  @Test func theBytesBetweenRowsAreNeverRead() {
    for (width, height) in [(640, 480), (37, 91), (801, 3)] {
      let tight = TestPicture.reference(width: width, height: height)
      let loose = TestPicture.reference(width: width, height: height, gap: 29)
      #expect(tight.letterboxed(box(width, height)) == loose.letterboxed(box(width, height)))
    }
  }

  @Test func placesComeBackFromTheRoundTrip() {
    var random = Dice(state: 4)
    for _ in 0..<200 {
      let box = box(
        Int.random(in: 1...9000, using: &random), Int.random(in: 1...9000, using: &random),
        shrink: Int.random(in: 1...3, using: &random))
      let x = Float.random(in: 0...Float(box.sourceWidth), using: &random)
      let y = Float.random(in: 0...Float(box.sourceHeight), using: &random)
      let place = box.place(x: x, y: y)
      #expect(place.x >= Float(box.left) - 0.01)
      #expect(place.x <= Float(box.left + box.innerWidth) + 0.01)
      let back = box.sourcePlace(x: place.x, y: place.y)
      // A hundredth of an input pixel, and rounding of a 32-bit number.
      #expect(abs(back.x - x) <= 0.01 * max(1, box.scale))
      #expect(abs(back.y - y) <= 0.01 * max(1, box.scale))
    }
  }

  @Test func aShrunkLetterboxLeavesRoomAllAround() {
    let box = box(640, 480, shrink: 2)
    #expect(box.innerWidth == 160 && box.innerHeight == 120 && box.left == 80 && box.top == 60)
    #expect(box.scale == 4)
  }

  @Test func theLargestPicturesAreAveragedWithoutOverflow() {
    let picture = TestPicture(width: 30_000, height: 40) { _, _, _ in 255 }
    let output = picture.letterboxed(box(30_000, 40))
    #expect(output[3 * (box(30_000, 40).top * 320 + 160)] == 255)
  }

  @Test func aPartOfAPictureIsThatPart() {
    let picture = TestPicture.reference(width: 50, height: 40, gap: 3)
    let part = picture.view.part(x: 7, y: 9, width: 20, height: 10)
    for y in 0..<10 {
      for x in 0..<20 {
        #expect(Double(part.base[y * part.stride + 3 * x]) == picture.value(x + 7, y + 9, 0))
      }
    }
  }
}
