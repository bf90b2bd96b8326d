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
}
