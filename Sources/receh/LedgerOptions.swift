import Announcing
import CSystem
import Ledger

/// What `receh ledger` was asked for.
struct LedgerOptions {
  /// How entries are printed.
  enum Form {
    /// Columns for people, and the sum.
    case table
    /// Values with commas between.
    case csv
    /// An object a line.
    case json
  }

  /// The name the command's error lines begin with.
  static let command: StaticString = "receh ledger"

  /// The configuration to use instead of the usual one.
  private(set) var configuration: Argument?
  /// The file to read instead of the configured one.
  private(set) var file: Argument?
  /// The language to use instead of the configured one.
  private(set) var language: Language?
  /// How entries are printed.
  private(set) var form = Form.table
  /// Milliseconds since 1970 (UTC) from which on entries are shown.
  private(set) var since: Int64?

  /// Reads the words after `receh`, `ledger` first.
  ///
  /// - Returns: `nil` when only the help was asked for, which has then been printed.
  /// - Throws: `ExitStatus.usage` after telling of a mistake.
  static func parse(_ arguments: Arguments) throws(ExitStatus) -> LedgerOptions? {
    var options = LedgerOptions()
    var isHelp = false
    var hasForm = false
    let table: [7 of CommandOption] = [
      CommandOption(name: "csv", takesValue: false),
      CommandOption(name: "json", takesValue: false),
      CommandOption(name: "since", takesValue: true),
      CommandOption(name: "file", takesValue: true),
      CommandOption(name: "config", takesValue: true),
      CommandOption(name: "language", takesValue: true),
      CommandOption(name: "help", takesValue: false),
    ]
    let rest = try parseOptions(arguments, table, command: command) {
      (index, value) throws(ExitStatus) in
      switch index {
      case 0, 1:
        if hasForm {
          complain(command) { $0.write("--csv and --json exclude each other; give one of them") }
          throw .usage
        }
        hasForm = true
        options.form = index == 0 ? .csv : .json
      case 2: options.since = try since(value)
      case 3: options.file = value
      case 4: options.configuration = value
      case 5:
        guard let value, let language = parseLanguage(value) else {
          throw refuse(value, "--language", "id or en")
        }
        options.language = language
      default: isHelp = true
      }
    }
    if isHelp {
      try show(help)
      return nil
    }
    try refuseWords(rest, command: command, "give another ledger as --file FILE")
    return options
  }

  /// A day and time of day, local unless it ends in `Z`, or `today`.
  private static func since(_ value: Argument?) throws(ExitStatus) -> Int64 {
    guard let value else { throw .usage }
    var count = strlen(value)
    let isUniversal = count > 0 && value[count - 1] == CChar(UInt8(ascii: "Z"))
    if isUniversal { count -= 1 }
    let bytes = UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self)
    var time = CalendarTime(unsafe Span(_unsafeStart: bytes, count: count))
    if matches(value, "today") {
      let now = csystem_clock_milliseconds()
      time = CalendarTime(milliseconds: now + offset(at: now))
      time?.milliseconds = 0
    }
    guard let time else {
      throw refuse(
        value, "--since", "a day and time such as 2026-11-30, 2026-11-30T09:15 or today")
    }
    if isUniversal { return time.sinceEpoch }
    // The offset is that of the time sought, which lies within a day of the one given.
    let guess = time.sinceEpoch - offset(at: time.sinceEpoch)
    return time.sinceEpoch - offset(at: guess)
  }

  /// Milliseconds by which local time is ahead of UTC.
  private static func offset(at milliseconds: Int64) -> Int64 {
    Int64(csystem_local_offset(milliseconds / 1000)) * 60_000
  }

  /// Tells of an option's value that makes no sense.
  private static func refuse(
    _ value: Argument?, _ option: StaticString, _ wanted: StaticString
  ) -> ExitStatus {
    complain(command) { line in
      line.write(option)
      line.write(" '")
      if let value { line.write(name: value) }
      line.write("' makes no sense; give ")
      line.write(wanted)
    }
    return .usage
  }

  private static let help: StaticString = """
    Usage: receh ledger [OPTION...]

    Tells what has been counted and kept: batches of sessions, sales and saved trays.

      --csv              print values with commas between, a heading first
      --json             print one JSON object a line
      --since TIME       only entries from then on: 2026-11-30, 2026-11-30T09:15, or today, in
                         local time, or in UTC with a Z behind; entries made while the machine's
                         clock was not set go with those round them
      --file FILE        read this ledger instead of the configured one
      --language id|en   write Indonesian or English
      --config FILE      read this configuration instead of /etc/receh.conf
      --help             show this help

    Times in CSV and JSON are UTC. The ledger may be read while it is written.
    Exit status: 0 done; 1 unreadable, wholly or in part; 2 usage or configuration.

    """
}
