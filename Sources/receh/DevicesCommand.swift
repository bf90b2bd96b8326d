import CSystem

/// `receh devices`: what the machine has, and what is wrong with it.
enum DevicesCommand {
  private static let command: StaticString = "receh devices"

  /// Runs the command.
  ///
  /// - Parameter arguments: the words after `receh`, `devices` first.
  /// - Throws: the status to end with, after telling why.
  static func run(_ arguments: Arguments) throws(ExitStatus) {
    var path: Argument?
    var report: Argument?
    var root = ("" as StaticString).cString
    var isHelp = false
    let table: [4 of CommandOption] = [
      CommandOption(name: "config", takesValue: true),
      CommandOption(name: "report", takesValue: true),
      CommandOption(name: "root", takesValue: true),
      CommandOption(name: "help", takesValue: false),
    ]
    let rest = try parseOptions(arguments, table, command: command) { index, value in
      switch index {
      case 0: path = value
      case 1: report = value
      case 2: root = value ?? root
      default: isHelp = true
      }
    }
    if isHelp {
      try show(help)
      return
    }
    try refuseWords(rest, command: command, "'receh devices --help' tells of them")
    let tree = SystemTree(root: root)
    // A mistake in the configuration is told of, and all else is still looked at.
    let configuration = try? Configuration.read(path: path, command: command)
    try write(tree, configuration ?? Configuration(), to: 1, isFull: false)
    if let report { try write(tree, configuration ?? Configuration(), report: report) }
    if configuration == nil { throw .usage }
  }

  private static func write(
    _ tree: SystemTree, _ configuration: Configuration, to descriptor: Int32, isFull: Bool
  ) throws(ExitStatus) {
    var survey = Survey(tree, configuration, descriptor: descriptor)
    survey.write(isFull: isFull)
    if survey.output.failure != 0 {
      throw complainOfOutput(command, errno: survey.output.failure)
    }
  }

  /// Writes all there is into the file of `--report`.
  private static func write(
    _ tree: SystemTree, _ configuration: Configuration, report: Argument
  ) throws(ExitStatus) {
    let descriptor = csystem_create(report)
    var code = descriptor < 0 ? csystem_errno() : 0
    if descriptor >= 0 {
      var survey = Survey(tree, configuration, descriptor: descriptor)
      survey.write(isFull: true)
      code = survey.output.failure
      if close(descriptor) != 0 && code == 0 { code = csystem_errno() }
    }
    if code == 0 { return }
    complain(command) { line in
      line.write("--report ")
      line.write(name: report)
      line.write(": cannot be written (")
      line.write(error: code)
      line.write("); check the folder and the free space")
    }
    throw .failed
  }

  private static let help: StaticString = """
    Usage: receh devices [--report FILE] [--config FILE] [--root DIR]

    Shows what receh finds on this machine, and for each thing that is wrong the way out: cameras
    with formats and rates, GPIO chips with their labels, SPI, sound, serial ports, who may use them,
    kernel, board, model and versions.

      --report FILE  write it all to a file, too, with the system's own files, for whoever helps
      --config FILE  look by this configuration instead of /etc/receh.conf
      --root DIR     look at a copy of the system's files in another folder
      --help         show this help

    Changes nothing. Exit status: 0 done, whatever is wrong with the devices; 1 the report could not
    be written; 2 usage or configuration.

    """
}
