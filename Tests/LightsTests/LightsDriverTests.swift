import Announcing
import CGPIO
import CSystem
import Counting
import Foundation
import TestSupport
import Testing

@testable import Lights

@Suite struct LightsDriverTests {
  private func address(_ text: String) throws -> LineAddress {
    let address = LineAddress(text)
    return try #require(address)
  }

  /// Settings with a lamp of each role and a bar of four.
  private func settings() throws -> LightsSettings {
    var settings = LightsSettings()
    settings.lamps.ready = try address("READY")
    settings.lamps.counting = try address("COUNTING")
    settings.lamps.unsure = try address("UNSURE")
    settings.lamps.fault = try address("FAULT")
    for index in 0..<4 { #expect(settings.lamps.appendToBar(try address("chip:\(index)"))) }
    return settings
  }

  private let names = [
    "READY", "COUNTING", "UNSURE", "FAULT", "chip:0", "chip:1", "chip:2", "chip:3",
  ]

  private func state(total: Int32 = 0, unsure: Int32 = 0) -> LightsState {
    var state = LightsState()
    state.isCounting = true
    state.total = Total(total: total, coins: 3, unsure: unsure)
    state.target = 10_000
    return state
  }

  @Test func everyLampIsRequestedInactiveAndThenSetByItsRole() throws {
    let gpio = FakeGPIO()
    gpio.lines = Set(names)
    let settings = try settings()
    gpio.run {
      var driver = LightsDriver(settings)
      driver.refresh(includesSlowStrip: true)
      gpio.calls.removeAll()
      var state = state(total: 5000, unsure: 1)
      driver.show(state)
      #expect(
        gpio.calls == [
          .set("READY", true), .set("COUNTING", false), .set("UNSURE", true), .set("FAULT", false),
          .set("chip:0", true), .set("chip:1", true), .set("chip:2", false), .set("chip:3", false),
        ])
      state.isUnsettled = true
      state.hasFault = true
      driver.show(state)
      #expect(gpio.levels["COUNTING"] == true && gpio.levels["FAULT"] == true)
      #expect(driver.lampFault == nil)
    }
  }

  @Test func theActiveLevelIsLeftToTheKernel() throws {
    let gpio = FakeGPIO()
    gpio.lines = ["READY"]
    var settings = LightsSettings()
    settings.lamps.ready = try address("READY")
    settings.lamps.isActiveLow = true
    gpio.run {
      var driver = LightsDriver(settings)
      driver.refresh(includesSlowStrip: true)
    }
    #expect(gpio.calls.first == .open("READY", isActiveLow: true))
  }

  @Test(
    arguments: [
      (0, 0), (2499, 0), (2500, 1), (9999, 3), (10_000, 4), (123_456, 4),
    ] as [(Int32, Int)])
  func theBarIsFullOnlyAtTheTarget(_ total: Int32, _ lit: Int) {
    #expect(state(total: total).litLights(of: 4) == lit)
  }

  @Test func lampsAreDarkAndGivenBackAtTheEnd() throws {
    let gpio = FakeGPIO()
    gpio.lines = Set(names)
    let settings = try settings()
    gpio.run {
      var driver = LightsDriver(settings)
      driver.refresh(includesSlowStrip: true)
      driver.show(state(total: 10_000, unsure: 1))
      gpio.calls.removeAll()
      driver.darken()
      #expect(gpio.levels == Dictionary(uniqueKeysWithValues: names.map { ($0, false) }))
    }
    #expect(gpio.levels.isEmpty)
    for name in names { #expect(gpio.calls.contains(.close(name))) }
  }

  @Test(arguments: [
    (CGPIO_NO_LIBRARY.rawValue, Degradation.gpioLibraryMissing),
    (CGPIO_NO_CHIP.rawValue, .gpioChipMissing), (CGPIO_NO_LABEL.rawValue, .ledLabelUnknown),
    (CGPIO_NO_NAME.rawValue, .ledNameUnknown), (CGPIO_NO_OFFSET.rawValue, .ledNumberTooLarge),
    (EBUSY, .ledBusy), (EACCES, .ledForbidden), (EPERM, .ledForbidden), (EINVAL, .ledRefused),
  ])
  func aLineThatCannotBeHadIsToldAndTheOthersAreLit(_ code: Int32, _ fault: Degradation) throws {
    let gpio = FakeGPIO()
    gpio.lines = Set(names)
    gpio.faults["UNSURE"] = code
    let settings = try settings()
    gpio.run {
      var driver = LightsDriver(settings)
      driver.refresh(includesSlowStrip: true)
      driver.show(state(total: 10_000))
      #expect(driver.lampFault == fault)
      #expect(gpio.levels["READY"] == true && gpio.levels["chip:3"] == true)
      // Somebody gives the line back, and it is had at the next attempt.
      gpio.faults = [:]
      driver.refresh(includesSlowStrip: true)
      #expect(driver.lampFault == nil)
      #expect(gpio.levels["UNSURE"] == false)
    }
  }

  @Test func aChipThatIsTakenAwayAndPutBackIsFoundAgain() throws {
    let gpio = FakeGPIO()
    gpio.lines = Set(names)
    let settings = try settings()
    gpio.run {
      var driver = LightsDriver(settings)
      driver.refresh(includesSlowStrip: true)
      driver.show(state(total: 10_000))
      gpio.lost = Set(names)
      gpio.lines = []
      driver.refresh(includesSlowStrip: true)
      #expect(driver.lampFault == .ledLost)
      #expect(gpio.levels.isEmpty)
      driver.refresh(includesSlowStrip: true)
      #expect(driver.lampFault == .ledNameUnknown)
      gpio.lost = []
      gpio.lines = Set(names)
      driver.refresh(includesSlowStrip: true)
      #expect(driver.lampFault == nil)
      #expect(gpio.levels["READY"] == true && gpio.levels["chip:3"] == true)
    }
  }

  private func stripSettings(_ kind: StripSettings.Kind) -> LightsSettings {
    var settings = LightsSettings()
    settings.strip.kind = kind
    settings.strip.length = 8
    settings.strip.brightness = 50
    return settings
  }

  private func writes(_ kernel: FakeKernel) -> [[UInt8]] {
    kernel.calls.compactMap { if case .write(_, let bytes) = $0 { bytes } else { nil } }
  }

  @Test func aClockedStripIsDimmedByItsCurrentAndKeepsItsColours() {
    let kernel = FakeKernel()
    kernel.open = { _ in 3 }
    kernel.run {
      var driver = LightsDriver(stripSettings(.apa102))
      driver.refresh(includesSlowStrip: true)
      driver.show(state(total: 100))
    }
    // Rp100: a green light, dark, a zero, dark, a zero. 50 % of 31 is 16.
    let light: [UInt8] = [0xf0, 40, 220, 0]
    let dark: [UInt8] = [0xf0, 0, 0, 0]
    let zero: [UInt8] = [0xf0, 40, 40, 40]
    let lights = light + dark + zero + dark + zero + dark + dark + dark
    #expect(writes(kernel).last == [0, 0, 0, 0] + lights + [0, 0, 0, 0, 0])
  }

  @Test func aTimedStripIsDimmedByItsColours() {
    let kernel = FakeKernel()
    kernel.open = { _ in 3 }
    kernel.run {
      var driver = LightsDriver(stripSettings(.ws2812b))
      driver.refresh(includesSlowStrip: true)
      driver.show(state(total: 100))
    }
    let sent = writes(kernel).last.flatMap { SPIBits.decode($0) } ?? []
    #expect(sent.prefix(9) == [110, 0, 20, 0, 0, 0, 20, 20, 20])
  }

  @Test func aStripIsDarkAtTheEnd() {
    let kernel = FakeKernel()
    kernel.open = { _ in 3 }
    kernel.run {
      var driver = LightsDriver(stripSettings(.sk9822))
      driver.refresh(includesSlowStrip: true)
      var state = state(total: 900)
      state.hasFault = true
      driver.show(state)
      driver.darken()
    }
    let dark = [[UInt8]](repeating: [0xf0, 0, 0, 0], count: 8).flatMap { $0 }
    #expect(writes(kernel).last == [0, 0, 0, 0] + dark + [0, 0, 0, 0, 0])
  }

  @Test func aStripThatIsMissingOrLostComesBackWithWhatIsDue() {
    let kernel = FakeKernel()
    kernel.run {
      var driver = LightsDriver(stripSettings(.apa102))
      driver.refresh(includesSlowStrip: true)
      #expect(driver.stripFault == .stripMissing)
      driver.show(state(total: 100))
      #expect(writes(kernel).isEmpty)
      kernel.open = { _ in 3 }
      driver.refresh(includesSlowStrip: false)
      #expect(driver.stripFault == nil)
      let shown = writes(kernel).last
      kernel.write = { _, _ in -Int(ESHUTDOWN) }
      driver.refresh(includesSlowStrip: false)
      #expect(driver.stripFault == .stripLost)
      kernel.write = { $1.count }
      driver.refresh(includesSlowStrip: false)
      #expect(driver.stripFault == nil)
      #expect(writes(kernel).last == shown)
    }
  }

  @Test func aSlowStripIsShownAgainOnlyWhereThatIsAskedFor() throws {
    let gpio = FakeGPIO()
    gpio.lines = ["CLOCK", "DATA"]
    var settings = stripSettings(.apa102)
    settings.strip.clock = try address("CLOCK")
    settings.strip.data = try address("DATA")
    gpio.run {
      var driver = LightsDriver(settings)
      driver.refresh(includesSlowStrip: false)
      let pulses = gpio.calls.count { $0 == .set("CLOCK", true) }
      #expect(pulses == 8 * (4 + 4 * 8 + 4 + 1))
      driver.refresh(includesSlowStrip: false)
      #expect(gpio.calls.count { $0 == .set("CLOCK", true) } == pulses)
      driver.refresh(includesSlowStrip: true)
      #expect(gpio.calls.count { $0 == .set("CLOCK", true) } == 2 * pulses)
    }
  }
}
