import Announcing

/// A key of the configuration file.
struct ConfigurationKey {
  /// The section it belongs to; empty for those before the first section.
  let section: StaticString
  /// Its name.
  let name: StaticString
  /// Takes its value over; returns what is wrong with it, if anything.
  let apply: (Argument, inout Configuration) -> ConfigurationFault.Kind?

  /// How many keys there are.
  static let count = 11

  /// All keys. `board/receh.conf` documents them.
  static func all() -> [11 of ConfigurationKey] {
    [
      ConfigurationKey(section: "", name: "language") { value, configuration in
        guard let language = parseLanguage(value) else { return .notOneOf("id or en") }
        configuration.language = language
        return nil
      },
      ConfigurationKey(section: "", name: "withdrawn") { value, configuration in
        configuration.countsWithdrawn = matches(value, "count")
        return configuration.countsWithdrawn || matches(value, "ignore")
          ? nil : .notOneOf("count or ignore")
      },
      ConfigurationKey(section: "", name: "stable") {
        number($0, 0, 10_000, &$1.stableMilliseconds)
      },
      ConfigurationKey(section: "", name: "model") { value, configuration in
        configuration.model.removeAll()
        configuration.model.append(cString: value)
        configuration.model.append(byte: 0)
        return value[0] == 0 ? .notOneOf("the path of a model file") : nil
      },
      ConfigurationKey(section: "voice", name: "enabled") { value, configuration in
        configuration.isVoiceOn = matches(value, "on")
        return configuration.isVoiceOn || matches(value, "off") ? nil : .notOneOf("on or off")
      },
      ConfigurationKey(section: "voice", name: "volume") { number($0, 0, 200, &$1.volume) },
      ConfigurationKey(section: "voice", name: "rate") { number($0, 80, 450, &$1.rate) },
      ConfigurationKey(section: "voice", name: "pitch") { number($0, 0, 100, &$1.pitch) },
      ConfigurationKey(section: "strip", name: "length") { number($0, 8, 144, &$1.stripLength) },
      ConfigurationKey(section: "strip", name: "brightness") {
        number($0, 1, 100, &$1.stripBrightness)
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
}

/// The language `id` or `en` names.
func parseLanguage(_ value: Argument) -> Language? {
  matches(value, "id") ? .indonesian : matches(value, "en") ? .english : nil
}

/// Where `auto`, `on` or `off` draws the strip.
private func parseStripDrawing(_ value: Argument) -> Configuration.StripDrawing? {
  if matches(value, "auto") { return .auto }
  if matches(value, "on") { return .on }
  return matches(value, "off") ? .off : nil
}

/// Takes over a whole number from `least` to `most`.
private func number(
  _ value: Argument, _ least: Int, _ most: Int, _ destination: inout Int
) -> ConfigurationFault.Kind? {
  guard let number = parseNumber(value), number >= least && number <= most else {
    return .notWithin(least, most)
  }
  destination = number
  return nil
}

/// The whole number of at most 9 digits that is all of `value`.
func parseNumber(_ value: Argument) -> Int? {
  var number = 0
  var count = 0
  while value[count] != 0 {
    let digit = Int(value[count]) - 48
    if digit < 0 || digit > 9 || count == 9 { return nil }
    number = 10 * number + digit
    count += 1
  }
  return count > 0 ? number : nil
}

extension Text {
  /// Appends a C string without its NUL.
  mutating func append(cString text: Argument) {
    var index = 0
    while text[index] != 0 {
      append(byte: UInt8(bitPattern: text[index]))
      index += 1
    }
  }
}
