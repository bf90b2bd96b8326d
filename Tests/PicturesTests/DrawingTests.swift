import Pictures
import TestSupport
import Testing

private let ink = Colour(red: 200, green: 100, blue: 50)

/// A black picture that `body` draws on.
private func drawing(
  width: Int, height: Int, _ body: (inout Picture) -> Void
) throws -> Decoded {
  var picture = try Picture(
    decoding: PNGBytes(width: width, height: height).file { _, _, _ in 0 }.span)
  body(&picture)
  return Decoded(picture)
}

private func draw(
  _ text: String, on picture: inout Picture, x: Int, y: Int, height: Int, pen: Int
) {
  let letters = Array(text.utf8)
  picture.drawText(letters.span, x: x, y: y, height: height, pen: pen, colour: ink)
}

@Suite struct DrawingTests {
  @Test(arguments: [
    (50, 40, 0, 3), (50, 40, 1, 3), (50, 40, 17, 2), (3, 70, 30, 4), (95, 8, 200, 3),
  ])
  func aCircleIsItsOutlineAndNothingElse(x: Int, y: Int, radius: Int, pen: Int) throws {
    let decoded = try drawing(width: 100, height: 80) {
      $0.drawCircle(x: 16 * x, y: 16 * y, radius: 16 * radius, pen: 16 * pen, colour: ink)
    }
    for row in 0..<80 {
      for column in 0..<100 {
        let across = Double(column) + 0.5 - Double(x)
        let down = Double(row) + 0.5 - Double(y)
        let distance = abs((across * across + down * down).squareRoot() - Double(radius))
        let red = decoded[column, row][0]
        if distance < Double(pen) - 1 { #expect(red == 200, "\(column), \(row)") }
        if distance > Double(pen) + 1 { #expect(red == 0, "\(column), \(row)") }
      }
    }
  }

  @Test func aLineHasRoundEndsAndSmoothEdges() throws {
    let decoded = try drawing(width: 60, height: 40) {
      $0.drawLine(from: (16 * 10, 16 * 8), to: (16 * 45, 16 * 30), pen: 16 * 4, colour: ink)
    }
    var shades = Set<UInt8>()
    for row in 0..<40 {
      for column in 0..<60 {
        let x = Double(column) + 0.5 - 10
        let y = Double(row) + 0.5 - 8
        let along = min(1, max(0, (x * 35 + y * 22) / (35 * 35 + 22 * 22)))
        let distance =
          ((x - 35 * along) * (x - 35 * along) + (y - 22 * along) * (y - 22 * along)).squareRoot()
        shades.insert(decoded[column, row][0])
        if distance < 3 { #expect(decoded[column, row] == [200, 100, 50]) }
        if distance > 5 { #expect(decoded[column, row] == [0, 0, 0]) }
      }
    }
    #expect(shades.count > 4)
  }

  @Test func aLineWithoutLengthIsADot() throws {
    let decoded = try drawing(width: 9, height: 9) {
      $0.drawLine(from: (72, 72), to: (72, 72), pen: 32, colour: ink)
    }
    #expect(decoded[4, 4] == [200, 100, 50])
    #expect(decoded[0, 4] == [0, 0, 0])
  }

  @Test func nothingIsDrawnOutsideThePicture() throws {
    let far = Picture.drawingLimit
    let decoded = try drawing(width: 8, height: 8) {
      for x in [-far, 0, far] {
        for y in [-far, 0, far] where x != 0 || y != 0 {
          $0.drawCircle(x: x, y: y, radius: 16 * 50, pen: 16, colour: ink)
          draw("8", on: &$0, x: x, y: y, height: 16 * 20, pen: 16)
        }
      }
      $0.drawCircle(x: 64, y: 64, radius: far, pen: far, colour: ink)
    }
    #expect(decoded.pixels.allSatisfy { $0 == [200, 100, 50] })
    let untouched = try drawing(width: 8, height: 8) {
      $0.drawCircle(x: -far, y: 64, radius: 16 * 50, pen: 16, colour: ink)
      draw("8", on: &$0, x: far, y: far, height: 16 * 20, pen: 16)
    }
    #expect(untouched.pixels.allSatisfy { $0 == [0, 0, 0] })
  }

  @Test func everyLetterLooksDifferent() throws {
    var seen: [[[UInt8]]] = []
    for letter in "0123456789Rp?+ " {
      let decoded = try drawing(width: 30, height: 44) {
        draw(String(letter), on: &$0, x: 16 * 4, y: 16 * 4, height: 16 * 24, pen: 24)
      }
      #expect(!seen.contains(decoded.pixels))
      #expect(decoded.pixels.contains([200, 100, 50]) == (letter != " "))
      seen.append(decoded.pixels)
    }
  }

  @Test func aTextIsAsWideAsItSays() throws {
    let width = Lettering.width(count: 3, height: 16 * 24)
    #expect(width == 16 * 64)
    let decoded = try drawing(width: 100, height: 40) {
      draw("888", on: &$0, x: 16 * 10, y: 16 * 8, height: 16 * 24, pen: 16)
    }
    let inked = (0..<100).filter { column in (0..<40).contains { decoded[column, $0][0] > 0 } }
    #expect(inked.first == 9)
    #expect(inked.last == 10 + width / 16)
  }
}
