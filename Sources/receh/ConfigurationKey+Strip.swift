import Announcing
import Lights

extension ConfigurationKey {
  /// The keys of `[strip]`.
  static var strip: [ConfigurationKey] {
    stripWiring + stripColors
  }

  /// What the strip is and where it is connected.
  private static var stripWiring: [ConfigurationKey] {
    [
      ConfigurationKey(section: "strip", name: "type") { value, configuration in
        guard let kind = parseStripKind(value) else {
          return .notOneOf("none, apa102, sk9822 or ws2812b")
        }
        configuration.lights.strip.kind = kind
        return nil
      },
      ConfigurationKey(section: "strip", name: "device") {
        path(
          $0, &$1.lights.strip.device,
          or: .notOneOf("the path of a spidev node, such as /dev/spidev0.0"))
      },
      ConfigurationKey(section: "strip", name: "clock") {
        line($0, &$1.lights.strip.clock)
      },
      ConfigurationKey(section: "strip", name: "data") {
        line($0, &$1.lights.strip.data)
      },
      ConfigurationKey(section: "strip", name: "speed") {
        number($0, 100_000, 20_000_000, &$1.lights.strip.speed)
      },
      ConfigurationKey(section: "strip", name: "order") { value, configuration in
        guard let order = parseOrder(value) else {
          return .notOneOf("usual, rgb, rbg, grb, gbr, brg or bgr")
        }
        configuration.lights.strip.order = order
        return nil
      },
      ConfigurationKey(section: "strip", name: "length") {
        number($0, 8, 144, &$1.lights.strip.length)
      },
      ConfigurationKey(section: "strip", name: "brightness") {
        number($0, 1, 100, &$1.lights.strip.brightness)
      },
      ConfigurationKey(section: "strip", name: "terminal") { value, configuration in
        guard let drawing = parseStripDrawing(value) else {
          return .notOneOf("auto, on or off")
        }
        configuration.stripDrawing = drawing
        return nil
      },
    ]
  }

  /// What is shown in which colour.
  private static var stripColors: [ConfigurationKey] {
    [
      ConfigurationKey(section: "strip", name: "ones") {
        color($0, &$1.lights.strip.palette.ones)
      },
      ConfigurationKey(section: "strip", name: "tens") {
        color($0, &$1.lights.strip.palette.tens)
      },
      ConfigurationKey(section: "strip", name: "hundreds") {
        color($0, &$1.lights.strip.palette.hundreds)
      },
      ConfigurationKey(section: "strip", name: "thousands") {
        color($0, &$1.lights.strip.palette.thousands)
      },
      ConfigurationKey(section: "strip", name: "ten-thousands") {
        color($0, &$1.lights.strip.palette.tenThousands)
      },
      ConfigurationKey(section: "strip", name: "zero") {
        color($0, &$1.lights.strip.palette.zero)
      },
      ConfigurationKey(section: "strip", name: "unsure") {
        color($0, &$1.lights.strip.palette.unsure)
      },
      ConfigurationKey(section: "strip", name: "fault") {
        color($0, &$1.lights.strip.palette.fault)
      },
      ConfigurationKey(section: "strip", name: "overflow") {
        color($0, &$1.lights.strip.palette.overflow)
      },
    ]
  }
}

/// Where `auto`, `on` or `off` draws the strip.
private func parseStripDrawing(_ value: Argument) -> Configuration.StripDrawing? {
  if matches(value, "auto") { return .auto }
  if matches(value, "on") { return .on }
  return matches(value, "off") ? .off : nil
}

private func parseStripKind(_ value: Argument) -> StripSettings.Kind? {
  if matches(value, "none") { return StripSettings.Kind.none }
  if matches(value, "apa102") { return .apa102 }
  if matches(value, "sk9822") { return .sk9822 }
  return matches(value, "ws2812b") ? .ws2812b : nil
}

private func parseOrder(_ value: Argument) -> StripSettings.Order? {
  if matches(value, "usual") { return .usual }
  if matches(value, "rgb") { return .rgb }
  if matches(value, "rbg") { return .rbg }
  if matches(value, "grb") { return .grb }
  if matches(value, "gbr") { return .gbr }
  if matches(value, "brg") { return .brg }
  return matches(value, "bgr") ? .bgr : nil
}

/// Takes over a colour: six hexadecimal digits, two each for red, green and blue.
private func color(_ value: Argument, _ destination: inout Color) -> ConfigurationFault.Kind? {
  var number: UInt32 = 0
  var count = 0
  while value[count] != 0 {
    guard count < 6, let digit = hexadecimalDigit(value[count]) else {
      return .notOneOf("six hexadecimal digits, such as ff8000 for orange")
    }
    number = number << 4 | digit
    count += 1
  }
  if count != 6 { return .notOneOf("six hexadecimal digits, such as ff8000 for orange") }
  destination = Color(
    red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
  return nil
}

private func hexadecimalDigit(_ character: CChar) -> UInt32? {
  switch UInt8(bitPattern: character) {
  case let byte where byte >= 48 && byte <= 57: UInt32(byte) - 48
  case let byte where byte >= 65 && byte <= 70: UInt32(byte) - 55
  case let byte where byte >= 97 && byte <= 102: UInt32(byte) - 87
  default: nil
  }
}
