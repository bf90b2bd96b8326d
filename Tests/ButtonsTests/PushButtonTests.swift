import CSystem
import Lights
import TestSupport
import Testing

@testable import Buttons

/// The kernel's GPIO interface, answered by a stand-in: two chips, the button on line 17 of the
/// second.
@Suite struct PushButtonTests {
  let kernel = FakeKernel()
  private static let lineDescriptor: Int32 = 999

  private func settings(_ address: String) throws -> ButtonSettings {
    var settings = ButtonSettings()
    let bytes = Array(address.utf8)
    settings.line = LineAddress(bytes.span)
    try #require(settings.line != nil)
    return settings
  }

  /// Has the kernel know two chips, and refuse requests by `refusals`, one after the other.
  private func plugIn(refusals: [Int32] = []) {
    var left = refusals
    kernel.open = { path in
      path == "/dev/gpiochip0" ? 10 : path == "/dev/gpiochip4" ? 14 : -ENOENT
    }
    kernel.control = { descriptor, request, argument in
      guard let argument else { return -EINVAL }
      switch request {
      case csystem_gpio_chip_info:
        let info = argument.assumingMemoryBound(to: gpiochip_info.self)
        info.pointee.lines = 20
        let label = descriptor == 14 ? "pinctrl-rp1" : "another"
        withUnsafeMutableBytes(of: &info.pointee.label) { $0.copyBytes(from: label.utf8) }
      case csystem_gpio_line_info:
        let info = argument.assumingMemoryBound(to: gpio_v2_line_info.self)
        let name = descriptor == 14 ? "GPIO\(info.pointee.offset)" : "OTHER"
        withUnsafeMutableBytes(of: &info.pointee.name) { $0.copyBytes(from: name.utf8) }
      default:
        let asked = argument.assumingMemoryBound(to: gpio_v2_line_request.self)
        #expect(asked.pointee.offsets.0 == 17 && asked.pointee.num_lines == 1)
        if !left.isEmpty { return -left.removeFirst() }
        asked.pointee.fd = Self.lineDescriptor
      }
      return 0
    }
  }

  private func edge(_ isActive: Bool, at milliseconds: UInt64) -> [UInt8] {
    var event = gpio_v2_line_event()
    event.timestamp_ns = milliseconds * 1_000_000
    event.id =
      isActive
      ? GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue : GPIO_V2_LINE_EVENT_FALLING_EDGE.rawValue
    return withUnsafeBytes(of: event) { Array($0) }
  }

  private func feed(_ edges: [[UInt8]]) {
    var left = edges
    kernel.read = { _ throws(FakeKernel.FakeError) in
      if left.isEmpty { throw FakeKernel.FakeError(code: EAGAIN) }
      return left.removeFirst()
    }
  }

  @Test(arguments: ["pinctrl-rp1:17", "GPIO17"])
  func aPressOnALineFoundByLabelOrNameIsTold(_ address: String) throws {
    plugIn()
    feed([edge(true, at: 1000), edge(false, at: 1200)])
    kernel.milliseconds = 1500
    var button = PushButton(try settings(address))
    let presses = kernel.run { [button.takePress(), button.takePress()] }
    #expect(presses == [.short, nil])
    let isMissing = button.isMissing
    #expect(!isMissing)
  }

  @Test func theLineIsRequestedWithDebounceAndTheChipIsClosed() throws {
    plugIn()
    var button = PushButton(try settings("pinctrl-rp1:17"))
    kernel.run { _ = button.takePress() }
    let made = kernel.calls.filter {
      if case .open(let path, _) = $0 { return path.hasSuffix("0") || path.hasSuffix("p4") }
      return true
    }
    let flags = O_RDWR | O_CLOEXEC | O_NOCTTY
    #expect(
      made.prefix(7) == [
        .open("/dev/gpiochip0", flags), .control(10, UInt(csystem_gpio_chip_info)), .close(10),
        .open("/dev/gpiochip4", flags), .control(14, UInt(csystem_gpio_chip_info)),
        .control(14, UInt(csystem_gpio_request)), .close(14),
      ])
  }

  @Test func aKernelWithoutDebouncingIsAskedAgainWithout() throws {
    plugIn(refusals: [EINVAL])
    var button = PushButton(try settings("GPIO17"))
    kernel.run { _ = button.takePress() }
    let isMissing = button.isMissing
    #expect(!isMissing)
    #expect(kernel.calls.filter { $0 == .control(14, UInt(csystem_gpio_request)) }.count == 2)
  }

  @Test func aLineThatIsMissingIsLookedForAgain() throws {
    var button = PushButton(try settings("GPIO17"))
    kernel.run { _ = button.takePress() }
    let isMissing = button.isMissing
    #expect(isMissing)
    plugIn()
    let before = kernel.calls.count
    kernel.milliseconds = 1999
    kernel.run { _ = button.takePress() }
    #expect(kernel.calls.count == before)
    kernel.milliseconds = 2000
    kernel.run { _ = button.takePress() }
    let isStillMissing = button.isMissing
    #expect(!isStillMissing)
  }

  @Test func aLineInUseIsMissing() throws {
    plugIn(refusals: [EBUSY])
    var button = PushButton(try settings("GPIO17"))
    kernel.run { _ = button.takePress() }
    let isMissing = button.isMissing
    #expect(isMissing)
    #expect(kernel.calls.filter { $0 == .control(14, UInt(csystem_gpio_request)) }.count == 1)
  }

  @Test func aChipThatIsPulledOutIsNoticed() throws {
    plugIn()
    kernel.read = { _ throws(FakeKernel.FakeError) in throw FakeKernel.FakeError(code: ENODEV) }
    var button = PushButton(try settings("GPIO17"))
    kernel.run { _ = button.takePress() }
    let isMissing = button.isMissing
    #expect(isMissing)
    #expect(kernel.calls.last == .close(Self.lineDescriptor))
  }

  @Test func withoutAButtonNothingIsAsked() {
    var button = PushButton(ButtonSettings())
    kernel.run { _ = button.takePress() }
    #expect(kernel.calls.isEmpty)
  }
}
