import Announcing
import CGPIO
import CSystem
import Counting
import Foundation
import TestSupport
import Testing

@testable import Lights

@Suite struct StripPortTests {
  private func settings(_ kind: StripSettings.Kind) -> StripSettings {
    var settings = StripSettings()
    settings.kind = kind
    settings.speed = 1_000_000
    return settings
  }

  private func bytes(_ values: [UInt8]) -> StripBytes {
    var bytes = StripBytes()
    for value in values { bytes.append(byte: value) }
    return bytes
  }

  @Test(arguments: [
    (StripSettings.Kind.apa102, UInt32(1_000_000)), (.sk9822, 1_000_000), (.ws2812b, 2_400_000),
  ])
  func aNodeIsSetUpOnceAndGetsEveryPictureInOneWrite(
    _ kind: StripSettings.Kind, _ speed: UInt32
  ) throws {
    let kernel = FakeKernel()
    kernel.open = { $0 == "/dev/spidev0.0" ? 9 : -ENOENT }
    var arguments: [UInt32] = []
    kernel.control = { _, request, argument in
      guard let argument else { return -EFAULT }
      arguments.append(
        request == csystem_spi_set_speed
          ? argument.load(as: UInt32.self) : UInt32(argument.load(as: UInt8.self)))
      return 0
    }
    try kernel.run {
      var port = StripPort(settings(kind))
      try port.open()
      let isOpen = port.isOpen
      #expect(isOpen)
      try port.send(bytes([1, 2, 3]))
      try port.send(bytes([4]))
    }
    // Mode 0, 8 bits a word, and the clock.
    #expect(arguments == [0, 8, speed])
    #expect(
      kernel.calls == [
        .open("/dev/spidev0.0", O_RDWR | O_CLOEXEC | O_NOCTTY),
        .control(9, csystem_spi_set_mode), .control(9, csystem_spi_set_bits),
        .control(9, csystem_spi_set_speed), .write(9, [1, 2, 3]), .write(9, [4]), .close(9),
      ])
  }

  @Test(arguments: [
    (ENOENT, Degradation.stripMissing), (ENXIO, .stripMissing), (EACCES, .stripForbidden),
    (EPERM, .stripForbidden), (EBUSY, .stripBusy), (EIO, .stripUnfit),
  ])
  func aNodeThatCannotBeOpenedSaysWhy(_ code: Int32, _ fault: Degradation) {
    let kernel = FakeKernel()
    kernel.open = { _ in -code }
    kernel.run {
      var port = StripPort(settings(.apa102))
      do throws(Degradation) {
        try port.open()
        Issue.record("opened")
      } catch {
        #expect(error == fault)
      }
    }
  }

  @Test func aFileThatIsNoNodeIsClosedAgain() {
    let kernel = FakeKernel()
    kernel.open = { _ in 4 }
    kernel.control = { _, _, _ in -ENOTTY }
    kernel.run {
      var port = StripPort(settings(.ws2812b))
      do throws(Degradation) {
        try port.open()
        Issue.record("opened")
      } catch {
        #expect(error == .stripUnfit)
      }
      let isOpen = port.isOpen
      #expect(!isOpen)
    }
    #expect(kernel.calls.last == .close(4))
  }

  @Test(arguments: [
    (ESHUTDOWN, Degradation.stripLost), (ENODEV, .stripLost), (EMSGSIZE, .stripTooLong),
  ])
  func aNodeThatTakesNoMoreIsClosed(_ code: Int32, _ fault: Degradation) throws {
    let kernel = FakeKernel()
    kernel.open = { _ in 4 }
    kernel.write = { _, _ in -Int(code) }
    try kernel.run {
      var port = StripPort(settings(.apa102))
      try port.open()
      do throws(Degradation) {
        try port.send(bytes([1]))
        Issue.record("sent")
      } catch {
        #expect(error == fault)
      }
      let isOpen = port.isOpen
      #expect(!isOpen)
    }
    #expect(kernel.calls.last == .close(4))
  }

  private func settingsOnLines() throws -> StripSettings {
    var settings = settings(.apa102)
    settings.clock = LineAddress("CLOCK")
    settings.data = LineAddress("chip:3")
    return settings
  }

  @Test func onLinesEachBitIsPutOnTheDataLineBeforeTheClockRises() throws {
    let gpio = FakeGPIO()
    gpio.lines = ["CLOCK", "chip:3"]
    let settings = try settingsOnLines()
    try gpio.run {
      var port = StripPort(settings)
      try port.open()
      try port.send(bytes([0b1011_0000]))
    }
    let pulse: [FakeGPIO.Call] = [.set("CLOCK", true), .set("CLOCK", false)]
    var expected: [FakeGPIO.Call] = [
      .open("CLOCK", isActiveLow: false), .open("chip:3", isActiveLow: false),
    ]
    // 1, 0, 1, 1, and then zeros; the data line is touched where it changes.
    expected += [.set("chip:3", true)] + pulse + [.set("chip:3", false)] + pulse
    expected += [.set("chip:3", true)] + pulse + pulse + [.set("chip:3", false)] + pulse
    expected += pulse + pulse + pulse
    #expect(Array(gpio.calls.prefix(expected.count)) == expected)
    // Both are left low.
    #expect(gpio.calls.dropFirst(expected.count).contains(.set("CLOCK", false)))
    #expect(gpio.calls.dropFirst(expected.count).contains(.set("chip:3", false)))
    #expect(gpio.levels.isEmpty)
  }

  @Test(arguments: [
    (CGPIO_NO_NAME.rawValue, Degradation.stripLineMissing), (EBUSY, .stripLineBusy),
    (EACCES, .stripForbidden),
  ])
  func aLineThatCannotBeHadGivesTheOtherBack(_ code: Int32, _ fault: Degradation) throws {
    let gpio = FakeGPIO()
    gpio.lines = ["CLOCK"]
    gpio.faults = ["chip:3": code]
    let settings = try settingsOnLines()
    gpio.run {
      var port = StripPort(settings)
      do throws(Degradation) {
        try port.open()
        Issue.record("opened")
      } catch {
        #expect(error == fault)
      }
      #expect(gpio.levels.isEmpty)
    }
  }
}
