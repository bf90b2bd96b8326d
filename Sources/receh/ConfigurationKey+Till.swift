import Buttons
import Counting
import Loop

extension ConfigurationKey {
  /// The keys that say what counting is for.
  static var till: [ConfigurationKey] {
    [
      ConfigurationKey(section: "", name: "mode") { value, configuration in
        guard let mode = parseMode(value) else { return .notOneOf("tray, session or target") }
        configuration.till.mode = mode
        return nil
      },
      ConfigurationKey(section: "", name: "price") {
        number($0, 0, 100_000_000, &$1.till.price)
      },
    ]
  }

  /// The keys of `[button]`.
  static var button: [ConfigurationKey] {
    [
      ConfigurationKey(section: "button", name: "line") { line($0, &$1.till.button.line) },
      ConfigurationKey(section: "button", name: "active") { value, configuration in
        configuration.till.button.isActiveLow = matches(value, "low")
        return configuration.till.button.isActiveLow || matches(value, "high")
          ? nil : .notOneOf("high or low")
      },
      ConfigurationKey(section: "button", name: "debounce") {
        number($0, 1, 500, &$1.till.button.debounceMilliseconds)
      },
      ConfigurationKey(section: "button", name: "long") {
        number($0, 300, 10_000, &$1.till.button.longMilliseconds)
      },
    ]
  }
}

/// The mode `tray`, `session` or `target` names.
private func parseMode(_ value: Argument) -> Mode? {
  if matches(value, "tray") { return .tray }
  if matches(value, "session") { return .session }
  return matches(value, "target") ? .target : nil
}
