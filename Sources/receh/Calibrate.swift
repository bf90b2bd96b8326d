import CSystem
import Learning

/// `receh calibrate`: learns the tray's scale, light and ground, and keeps them.
enum Calibrate {
  static let command: StaticString = "receh calibrate"

  /// Runs the command.
  ///
  /// - Parameter arguments: the words after `receh`, `calibrate` first.
  /// - Throws: the status to end with, after telling why.
  static func run(_ arguments: Arguments) throws(ExitStatus) {
    if arguments.count > 1 && matches(arguments[1], "--help") {
      try show(help)
      return
    }
    guard let options = try RunOptions.parse(arguments) else { return }
    try Run.calibrate(options)
  }

  /// Reads what was learned of the tray; `nil` where there is nothing, or after telling why it
  /// cannot be used.
  static func read(_ path: Argument, command: StaticString) -> Calibration? {
    do throws(LearnedFileError) {
      return try Calibration.read(path)
    } catch {
      complain(command) { line in
        line.write(name: path)
        switch error {
        case .failed(let code):
          line.write(": cannot be read (")
          line.write(error: code)
          line.write("); check who may read it")
        case .damaged, .earlierVersion, .laterVersion, .otherModel:
          line.write(": is damaged or no calibration; run receh calibrate")
        }
      }
      return nil
    }
  }

  private static let help: StaticString = """
    Usage: receh calibrate [OPTION of receh run...]

    Learns the tray in front of the camera: empty it when told to, then lay down some known coins side
    by side. From then on the coins' diameters in millimetres are evidence of what they are, and a
    camera that was moved, or a light that went out, is noticed and said.

      --source SRC       where frames come from
      --help             show this help

    'receh run --help' tells of the other options. What is learned lies in the file that [calibration]
    of the configuration names, and counts from the next start of 'receh run' on.
    Exit status: 0 calibrated; 1 not calibrated or not saved; 2 usage or configuration.

    """
}
