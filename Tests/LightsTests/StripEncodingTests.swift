import Announcing
import TestSupport
import Testing

@testable import Lights

@Suite struct StripEncodingTests {
  private func bytes(
    _ colors: [Color], _ kind: StripSettings.Kind, order: StripSettings.Order = .usual,
    current: Int = 31
  ) -> [UInt8] {
    var text = StripBytes()
    StripEncoding.append(colors.span, kind: kind, order: order, current: current, to: &text)
    #expect(!text.isCut)
    return (0..<text.count).map { text[$0] }
  }

  private func colors(_ count: Int, _ dice: inout Dice) -> [Color] {
    (0..<count).map { _ in
      Color(
        red: .random(in: 0...255, using: &dice), green: .random(in: 0...255, using: &dice),
        blue: .random(in: 0...255, using: &dice))
    }
  }

  private let red = Color(red: 255, green: 0, blue: 0)
  private let mixed = Color(red: 0x12, green: 0x34, blue: 0x56)

  @Test(arguments: [StripSettings.Kind.apa102, .sk9822])
  func aClockedStripGetsStartLightsLatchAndPadding(_ kind: StripSettings.Kind) {
    let start: [UInt8] = [0, 0, 0, 0]
    let lights: [UInt8] = [0xff, 0, 0, 0xff, 0xff, 0x56, 0x34, 0x12]
    let end: [UInt8] = [0, 0, 0, 0, 0]
    #expect(bytes([red, mixed], kind) == start + lights + end)
  }

  @Test func theCurrentIsInTheLowFiveBits() {
    #expect(bytes([mixed], .apa102, current: 1)[4] == 0xe1)
    #expect(bytes([mixed], .apa102, current: 31)[4] == 0xff)
  }

  @Test(
    arguments: [
      (StripSettings.Order.rgb, [0x12, 0x34, 0x56]), (.rbg, [0x12, 0x56, 0x34]),
      (.grb, [0x34, 0x12, 0x56]), (.gbr, [0x34, 0x56, 0x12]), (.brg, [0x56, 0x12, 0x34]),
      (.bgr, [0x56, 0x34, 0x12]),
    ] as [(StripSettings.Order, [UInt8])])
  func coloursAreSentInTheOrderThatIsSet(_ order: StripSettings.Order, _ parts: [UInt8]) {
    #expect(Array(bytes([mixed], .apa102, order: order)[5..<8]) == parts)
    #expect(SPIBits.decode(bytes([mixed], .ws2812b, order: order)) == parts)
  }

  @Test func aTimedStripGetsThreeBitsForEachBitBetweenSilences() {
    let sent = bytes([mixed], .ws2812b)
    let silence = [UInt8](repeating: 0, count: 90)
    // Green 0x34, red 0x12, blue 0x56; a one is 110 and a zero 100.
    let lights: [UInt8] = [
      0b1001_0011, 0b0110_1001, 0b1010_0100, 0b1001_0010, 0b0110_1001, 0b0011_0100, 0b1001_1010,
      0b0110_1001, 0b1011_0100,
    ]
    #expect(sent == silence + lights + silence)
  }

  @Test func aTimedStripShowsEveryColourOfEveryLight() {
    var dice = Dice(state: 22)
    for count in [1, 8, 60, 144] {
      let colors = colors(count, &dice)
      let expected = colors.flatMap { [$0.green, $0.red, $0.blue] }
      #expect(SPIBits.decode(bytes(colors, .ws2812b)) == expected)
    }
  }

  // A light passes on what follows its own 32 bits half a clock late, so that the last of a long
  // strip shows wrong colours unless enough edges follow. The bytes go through a model of the
  // chain.
  @Test(arguments: [false, true])
  func theLastLightOfEveryLengthShowsItsColour(_ latchesLate: Bool) {
    var dice = Dice(state: 17)
    for count in 1...144 {
      let colors = colors(count, &dice)
      let shown = ClockedChain.show(
        bytes(colors, latchesLate ? .sk9822 : .apa102), lights: count, latchesLate: latchesLate)
      #expect(shown == colors, "\(count) lights")
    }
  }

  @Test func withoutPaddingTheModelOfAChainShowsTheFault() {
    var dice = Dice(state: 18)
    let colors = colors(144, &dice)
    let whole = bytes(colors, .apa102)
    let cut = Array(whole.dropLast(4 + 9))
    #expect(ClockedChain.show(cut, lights: 144, latchesLate: false) != colors)
    let unlatched = Array(whole.dropLast(9))
    #expect(ClockedChain.show(unlatched, lights: 144, latchesLate: true) != colors)
  }

  @Test func lightsBeyondTheLengthStayDark() {
    let white = Color(red: 255, green: 255, blue: 255)
    let sent = bytes([Color](repeating: white, count: 60), .sk9822)
    let shown = ClockedChain.show(sent, lights: 64, latchesLate: false)
    #expect(Array(shown.suffix(4)) == [Color?](repeating: nil, count: 4))
  }
}
