// The command: in go the words of the command line, the configuration and pictures or films; out
// come lines on standard output, speech, annotated pictures and an exit status. It alone opens
// files, allocates and tells of faults; all counting is done in the modules it depends on, which
// are all.

import CSystem

/// The `receh` command: finds out which command is meant, and ends with its status.
@main
struct Receh {
  /// The version of the program and its model.
  static let version: StaticString = "0.1.0"

  static func main() {
    csystem_fill_standard_descriptors()
    csystem_ignore_broken_pipes()
    guard let arguments = Arguments.ofProcess() else {
      complain("receh") { $0.write("there is no command line; give the name as its first word") }
      exit(ExitStatus.failed.rawValue)
    }
    do {
      try run(arguments)
    } catch {
      exit(error.rawValue)
    }
  }

  private static func run(_ arguments: Arguments) throws(ExitStatus) {
    guard arguments.count > 1 else {
      complain("receh") { $0.write("no command given; 'receh --help' tells of them") }
      throw .usage
    }
    let word = arguments[1]
    if matches(word, "--help") {
      try show(help)
    } else if matches(word, "--version") {
      try showVersion()
    } else if matches(word, "count") {
      try Count.run(arguments.dropping(first: 1))
    } else if matches(word, "devices") {
      try DevicesCommand.run(arguments.dropping(first: 1))
    } else if matches(word, "ledger") {
      try LedgerCommand.run(arguments.dropping(first: 1))
    } else if matches(word, "teach") {
      try Teach.run(arguments.dropping(first: 1))
    } else if matches(word, "calibrate") {
      try Calibrate.run(arguments.dropping(first: 1))
    } else if matches(word, "run") {
      try Run.run(arguments.dropping(first: 1))
    } else {
      complain("receh") { line in
        line.write(word[0] == CChar(UInt8(ascii: "-")) ? "unknown option '" : "unknown command '")
        line.write(name: word)
        line.write("'; 'receh --help' tells of the commands")
      }
      throw .usage
    }
  }

  private static func showVersion() throws(ExitStatus) {
    var output = Output(descriptor: 1)
    output.write("receh ")
    output.write(version)
    output.write("\n")
    try output.finish("receh")
  }

  private static let help: StaticString = """
    Receh counts rupiah coins and says the total.

    Usage: receh run [OPTION...]               count frames one after the other, and speak
           receh count [OPTION...] IMAGE...    count the coins in still pictures
           receh calibrate [OPTION...]         learn the tray's scale, light and ground
           receh teach VALUE|NAME [OPTION...]  learn a coin that is not known
           receh ledger [OPTION...]            what has been counted and kept
           receh devices [OPTION...]           what the machine has, and what is wrong with it
           receh --help | --version

    'receh COMMAND --help' tells of the options.

    Exit status: 0 done; 1 the work failed; 2 usage or configuration.

    """
}

/// Writes a help text to standard output.
func show(_ text: StaticString) throws(ExitStatus) {
  var output = Output(descriptor: 1)
  output.write(text)
  try output.finish("receh")
}

/// Tells that standard output cannot be written, which is then the command's failure.
func complainOfOutput(_ command: StaticString, errno code: Int32) -> ExitStatus {
  complain(command) { line in
    line.write("standard output cannot be written (")
    line.write(error: code)
    line.write("); check the disk or the program that reads it")
  }
  return .failed
}

extension Output {
  /// Passes on what is left; tells of a failure to write, which is then the command's.
  mutating func finish(_ command: StaticString) throws(ExitStatus) {
    flush()
    if failure != 0 { throw complainOfOutput(command, errno: failure) }
  }

  /// Writes what an `errno` means.
  mutating func write(error code: Int32) {
    write(name: csystem_error_text(code))
  }
}
