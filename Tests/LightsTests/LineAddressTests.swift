import Announcing
import TestSupport
import Testing

@testable import Lights

@Suite struct LineAddressTests {
  private func string<let Capacity: Int>(_ text: Text<Capacity>) -> String {
    String(decoding: (0..<text.count).map { text[$0] }, as: UTF8.self)
  }

  @Test func aNameIsANameAndALabelHasANumber() throws {
    let named = try #require(LineAddress("GPIO17"))
    #expect(string(named.name) == "GPIO17" && named.chip.count == 0)
    let numbered = try #require(LineAddress("pinctrl-bcm2711:27"))
    #expect(string(numbered.chip) == "pinctrl-bcm2711" && numbered.offset == 27)
    #expect(numbered.name.count == 0)
  }

  @Test func aLabelMayHaveColonsItself() throws {
    let address = try #require(LineAddress("gpio-sim.0:node0:5"))
    #expect(string(address.chip) == "gpio-sim.0:node0" && address.offset == 5)
  }

  @Test(arguments: [
    "", ":", ":5", "chip:", "chip:x", "chip:-1", "chip:10000", "a b", "a\tb", "chip: 5",
    String(repeating: "x", count: 32), String(repeating: "x", count: 32) + ":5", "chip:5\u{7f}",
  ])
  func anythingElseIsNoAddress(_ text: String) {
    #expect(LineAddress(text) == nil)
  }

  @Test func anyBytesAreAnAddressOrNone() {
    var dice = Dice(state: 5)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...50, using: &dice)).map { _ in
        UInt8.random(in: 0...255, using: &dice)
      }
      guard let address = LineAddress(bytes.span) else { continue }
      #expect((address.chip.count > 0) != (address.name.count > 0))
      #expect(address.chip.count < 32 && address.name.count < 32)
      #expect(address.offset >= 0 && address.offset < 10_000)
    }
  }
}

extension LineAddress {
  /// The address that a text is, if it is one.
  init?(_ text: String) {
    self.init(Array(text.utf8).span)
  }
}
