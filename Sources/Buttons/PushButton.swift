import Announcing
import CSystem
import Devices
import Lights

/// A push-button on a GPIO line, found by label or name and read without waiting.
public struct PushButton: ~Copyable {
  /// Milliseconds between attempts to find a line that is missing.
  static let retryMilliseconds: Int64 = 2000
  /// Numbers of chips that are tried: Raspberry Pi boards have up to 14.
  static let chipCount = 32

  private let settings: ButtonSettings
  private var detector: PressDetector
  private var descriptor: Int32 = -1
  private var nextAttempt: Int64 = 0

  /// Whether the line could not be had when it was last tried.
  public private(set) var isMissing = false

  /// Makes a button, whose line is looked for by the first `takePress`.
  public init(_ settings: ButtonSettings) {
    self.settings = settings
    detector = PressDetector(settings)
  }

  deinit {
    if descriptor >= 0 { _ = csystem_device_close(descriptor) }
  }

  /// The press that has been completed since the last call, if any. Never waits; to be called
  /// until it returns `nil`.
  public mutating func takePress() -> Press? {
    guard let line = settings.line else { return nil }
    let now = csystem_device_milliseconds()
    if descriptor < 0 {
      if now < nextAttempt { return nil }
      nextAttempt = now + PushButton.retryMilliseconds
      descriptor = open(line)
      isMissing = descriptor < 0
      if isMissing { return nil }
      detector = PressDetector(settings)
    }
    var event = gpio_v2_line_event()
    while true {
      let count = withUnsafeMutablePointer(to: &event) { pointer in
        csystem_device_read(descriptor, pointer, MemoryLayout<gpio_v2_line_event>.size)
      }
      if count == MemoryLayout<gpio_v2_line_event>.size {
        let isActive = event.id == GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue
        let press = detector.take(
          isActive: isActive, at: Int64(event.timestamp_ns / 1_000_000))
        if let press { return press }
      } else if count < 0 && csystem_errno() == EAGAIN {
        return detector.take(now: now)
      } else {
        // The chip is gone, such as one on USB that was pulled out.
        _ = csystem_device_close(descriptor)
        descriptor = -1
        isMissing = true
        return nil
      }
    }
  }

  /// Requests the line on the chip that has it; returns its descriptor, or -1.
  private func open(_ line: LineAddress) -> Int32 {
    for number in 0..<PushButton.chipCount {
      var path = Text<32>()
      path.append("/dev/gpiochip")
      path.append(number)
      path.append(byte: 0)
      let chip = path.span.withUnsafeBytes { bytes in
        bytes.baseAddress.map {
          csystem_device_open($0.assumingMemoryBound(to: CChar.self), O_RDWR)
        } ?? -1
      }
      if chip < 0 { continue }
      let offset = find(line, on: chip)
      let found = offset.map { request($0, on: chip) }
      _ = csystem_device_close(chip)
      if let found { return found }
    }
    return -1
  }

  /// The line's number on a chip; `nil` when the chip is another or has no such line.
  private func find(_ line: LineAddress, on chip: Int32) -> UInt32? {
    var info = gpiochip_info()
    if csystem_device_ioctl(chip, csystem_gpio_chip_info, &info) < 0 { return nil }
    if line.name.count == 0 {
      let isMeant = line.chip.withCString { csystem_gpio_has_label(&info, $0) }
      return isMeant && line.offset < info.lines ? UInt32(line.offset) : nil
    }
    for offset in 0..<info.lines {
      var entry = csystem_gpio_line(offset)
      if csystem_device_ioctl(chip, csystem_gpio_line_info, &entry) < 0 { return nil }
      if line.name.withCString({ csystem_gpio_has_name(&entry, $0) }) { return offset }
    }
    return nil
  }

  /// Requests a line with the kernel's own debouncing, or without where it has none.
  private func request(_ offset: UInt32, on chip: Int32) -> Int32 {
    for hasDebounce in stride(from: 1, through: 0, by: -1) {
      var request = csystem_gpio_input(
        offset, settings.isActiveLow, hasDebounce == 1,
        UInt32(1000 * settings.debounceMilliseconds))
      if csystem_device_ioctl(chip, csystem_gpio_request, &request) >= 0 {
        csystem_gpio_do_not_wait(request.fd)
        return request.fd
      }
      if csystem_errno() == EBUSY { return -1 }
    }
    return -1
  }
}

extension Text {
  /// The text with a NUL behind it, for C. Precondition: it is not full.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    precondition(count < Capacity)
    var text = self
    text.append(byte: 0)
    let bytes = text.span
    return bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("an empty text has its NUL") }
      return body(base.assumingMemoryBound(to: CChar.self))
    }
  }
}
