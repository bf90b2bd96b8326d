import Counting
import Testing

@testable import Announcing

@Suite struct StripTests {
  /// The strip as letters: V, B, G, Y, W for places, z for a zero, o for an unsure coin, r for a
  /// fault, x for overflow, and a dot for a light that is off.
  private func strip(
    _ total: Total, length: Int = 24, isHolding: Bool = false, hasFault: Bool = false
  ) -> String {
    var image = StripImage(length: length, brightness: 100)
    image.show(total, isHolding: isHolding, hasFault: hasFault)
    return (0..<image.span.count).map { letter(image.span[$0]) }.joined()
  }

  private func letter(_ color: Color) -> String {
    switch (color.red, color.green, color.blue) {
    case (180, 0, 255): "V"
    case (20, 60, 255): "B"
    case (0, 220, 40): "G"
    case (230, 200, 0): "Y"
    case (200, 200, 200): "W"
    case (40, 40, 40): "z"
    case (255, 110, 0): "o"
    case (255, 0, 0): "r"
    case (60, 0, 60): "x"
    case (0, 0, 0): "."
    default: "?"
    }
  }

  @Test func aTotalIsShownDigitByDigit() {
    #expect(strip(Total(total: 1600, coins: 3)) == "B.GGGGGG.z.z............")
    #expect(strip(Total(total: 21_350, coins: 25)) == "VV.B.GGG.YYYYY.z........")
  }

  @Test func unsureCoinsAreCountedFromTheOtherEnd() {
    #expect(strip(Total(total: 200, coins: 3, unsure: 2)) == "GG.z.z................oo")
  }

  @Test func onlyUnsureCoinsShowAZeroSoThatTheTrayIsNotTakenForEmpty() {
    #expect(strip(Total(coins: 1, unsure: 1)) == "z......................o")
    #expect(strip(Total()) == "........................")
  }

  @Test func aFaultTakesTheLastLight() {
    #expect(
      strip(Total(total: 200, coins: 2, unsure: 1), hasFault: true)
        == "GG.z.z................or")
  }

  @Test func aTotalThatDoesNotFitIsNotShownInPart() {
    #expect(strip(Total(total: 9900, coins: 18), length: 16) == "xxxxxxxxxxxxxxxx")
    #expect(strip(Total(total: 200, coins: 9, unsure: 8), length: 12) == "xxxxxxxxxxxx")
  }

  @Test func theLargestTotalFitsTheLongestStrip() {
    let image = strip(Total(total: 99_950, coins: 64, unsure: 60), length: 144)
    #expect(!image.contains("x") && !image.contains("?"))
  }

  @Test func aHoldDimsTheLastTotal() {
    var image = StripImage(length: 8, brightness: 40)
    image.show(Total(total: 100, coins: 1), isHolding: false, hasFault: false)
    #expect(image.span[0] == Color(red: 0, green: 88, blue: 16))
    image.show(Total(total: 100, coins: 1), isHolding: true, hasFault: false)
    #expect(image.span[0] == Color(red: 0, green: 22, blue: 4))
  }

  @Test func aStripIsDrawnInTerminalColours() {
    var image = StripImage(length: 8, brightness: 100)
    image.show(Total(total: 100, coins: 1), isHolding: false, hasFault: false)
    let off = "\u{1B}[48;2;0;0;0m "
    let zero = "\u{1B}[48;2;40;40;40m "
    #expect(
      text { $0.append(image) }
        == "\u{1B}[48;2;0;220;40m " + off + zero + off + zero + off + off + off + "\u{1B}[0m\n")
  }

  @Test func theLongestStripFitsItsLine() {
    var image = StripImage(length: 144, brightness: 100)
    image.show(Total(total: 999_999, coins: 64, unsure: 64), isHolding: false, hasFault: true)
    var line = StripLine()
    line.append(image)
    #expect(!line.isCut)
  }
}
