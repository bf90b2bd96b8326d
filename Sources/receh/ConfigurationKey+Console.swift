import Console

extension ConfigurationKey {
  /// The keys of `[console]`.
  static var console: [ConfigurationKey] {
    [
      ConfigurationKey(section: "console", name: "enabled") { value, configuration in
        guard let use = parseUse(value) else { return .notOneOf("auto, on or off") }
        configuration.console.use = use
        return nil
      },
      ConfigurationKey(section: "console", name: "device") {
        path($0, &$1.console.device, or: .notOneOf("the path of a tty, such as /dev/serial0"))
      },
      ConfigurationKey(section: "console", name: "baud") {
        number($0, 50, 4_000_000, &$1.console.baud)
      },
      ConfigurationKey(section: "console", name: "format") { value, configuration in
        configuration.console.isJSON = matches(value, "json")
        return configuration.console.isJSON || matches(value, "text")
          ? nil : .notOneOf("text or json")
      },
    ]
  }
}

private func parseUse(_ value: Argument) -> ConsoleSettings.Use? {
  if matches(value, "auto") { return .auto }
  if matches(value, "on") { return .on }
  return matches(value, "off") ? .off : nil
}
