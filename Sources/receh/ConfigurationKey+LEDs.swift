import Announcing
import CSystem
import Lights

extension ConfigurationKey {
  /// The keys of `[leds]`.
  static var leds: [ConfigurationKey] {
    [
      ConfigurationKey(section: "leds", name: "ready") { line($0, &$1.lights.lamps.ready) },
      ConfigurationKey(section: "leds", name: "counting") { line($0, &$1.lights.lamps.counting) },
      ConfigurationKey(section: "leds", name: "unsure") { line($0, &$1.lights.lamps.unsure) },
      ConfigurationKey(section: "leds", name: "fault") { line($0, &$1.lights.lamps.fault) },
      ConfigurationKey(section: "leds", name: "bar") { bar($0, &$1.lights.lamps) },
      ConfigurationKey(section: "leds", name: "target") {
        number($0, 50, 100_000_000, &$1.lights.lamps.target)
      },
      ConfigurationKey(section: "leds", name: "active") { value, configuration in
        configuration.lights.lamps.isActiveLow = matches(value, "low")
        return configuration.lights.lamps.isActiveLow || matches(value, "high")
          ? nil : .notOneOf("high or low")
      },
    ]
  }
}

/// Takes over a GPIO line, or `off` for none.
func line(_ value: Argument, _ destination: inout LineAddress?) -> ConfigurationFault.Kind? {
  destination = nil
  if matches(value, "off") { return nil }
  destination = address(value, count: strlen(value))
  return destination == nil ? lineWanted : nil
}

private let lineWanted = ConfigurationFault.Kind.notOneOf(
  "off, a line's name such as GPIO17, or a chip's label and number such as pinctrl-bcm2711:17")

/// Takes over the lines of the bar, blanks between them, or `off` for none.
private func bar(_ value: Argument, _ lamps: inout LampSettings) -> ConfigurationFault.Kind? {
  lamps.removeBar()
  if matches(value, "off") { return nil }
  var position = 0
  while value[position] != 0 {
    let rest = value + position
    let length = strcspn(rest, (" \t" as StaticString).cString)
    if length > 0 {
      guard let address = address(rest, count: length) else { return lineWanted }
      if !lamps.appendToBar(address) { return .notOneOf("at most 10 lines") }
    }
    position += Int(length)
    position += Int(strspn(value + position, (" \t" as StaticString).cString))
  }
  return lamps.barCount == 0 ? lineWanted : nil
}

private func address(_ text: Argument, count: Int) -> LineAddress? {
  let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
  return LineAddress(unsafe Span(_unsafeStart: bytes, count: count))
}
