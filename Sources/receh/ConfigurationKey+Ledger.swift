extension ConfigurationKey {
  /// The keys of `[ledger]`.
  static var ledger: [ConfigurationKey] {
    [
      ConfigurationKey(section: "ledger", name: "enabled") { onOrOff($0, &$1.isLedgerOn) },
      ConfigurationKey(section: "ledger", name: "file") {
        path($0, &$1.ledgerFile, or: .notOneOf("the path of a file, such as /var/lib/receh/ledger"))
      },
    ]
  }

  /// The keys of `[calibration]`.
  static var calibration: [ConfigurationKey] {
    [
      ConfigurationKey(section: "calibration", name: "file") {
        path(
          $0, &$1.calibrationFile,
          or: .notOneOf("the path of a file, such as /var/lib/receh/calibration"))
      }
    ]
  }

  /// The keys of `[teaching]`.
  static var teaching: [ConfigurationKey] {
    [
      ConfigurationKey(section: "teaching", name: "file") {
        path($0, &$1.taughtFile, or: .notOneOf("the path of a file, such as /var/lib/receh/taught"))
      }
    ]
  }
}
