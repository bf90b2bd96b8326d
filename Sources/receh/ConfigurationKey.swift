import Announcing

/// A key of the configuration file.
struct ConfigurationKey {
  /// The section it belongs to; empty for those before the first section.
  let section: StaticString
  /// Its name.
  let name: StaticString
  /// Takes its value over; returns what is wrong with it, if anything.
  let apply: (Argument, inout Configuration) -> ConfigurationFault.Kind?

  /// All keys. `board/receh.conf` documents them.
  static func all() -> [ConfigurationKey] {
    general + till + camera + voice + strip + leds + console + button + ledger + teaching
      + calibration
  }

  /// The keys before the first section.
  private static var general: [ConfigurationKey] {
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
      ConfigurationKey(section: "", name: "model") {
        path($0, &$1.model, or: .notOneOf("the path of a model file"))
      },
    ]
  }

  /// The keys of `[voice]`.
  private static var voice: [ConfigurationKey] {
    [
      ConfigurationKey(section: "voice", name: "enabled") { onOrOff($0, &$1.isVoiceOn) },
      ConfigurationKey(section: "voice", name: "volume") { number($0, 0, 200, &$1.volume) },
      ConfigurationKey(section: "voice", name: "rate") { number($0, 80, 450, &$1.rate) },
      ConfigurationKey(section: "voice", name: "pitch") { number($0, 0, 100, &$1.pitch) },
      ConfigurationKey(section: "voice", name: "changes") { onOrOff($0, &$1.saysChanges) },
    ]
  }
}

/// The language `id` or `en` names.
func parseLanguage(_ value: Argument) -> Language? {
  matches(value, "id") ? .indonesian : matches(value, "en") ? .english : nil
}

/// Takes over `on` or `off`.
func onOrOff(_ value: Argument, _ destination: inout Bool) -> ConfigurationFault.Kind? {
  destination = matches(value, "on")
  return destination || matches(value, "off") ? nil : .notOneOf("on or off")
}

/// Takes over a path, with its NUL.
/// - Parameter fault: what is wrong with an empty one.
func path<let Capacity: Int>(
  _ value: Argument, _ destination: inout Text<Capacity>, or fault: ConfigurationFault.Kind
) -> ConfigurationFault.Kind? {
  destination.removeAll()
  destination.append(cString: value)
  destination.append(byte: 0)
  if value[0] == 0 { return fault }
  return destination.isCut ? .tooLongFor(Capacity - 1) : nil
}

/// Takes over a whole number from `least` to `most`.
func number(
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
