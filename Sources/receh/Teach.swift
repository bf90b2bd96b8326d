import Announcing
import CSystem
import Detection
import Engine
import Learning

/// `receh teach`: learns a coin the model does not know from the camera, and keeps what was taught.
enum Teach {
  static let command: StaticString = "receh teach"

  /// Runs the command.
  ///
  /// - Parameter arguments: the words after `receh`, `teach` first.
  /// - Throws: the status to end with, after telling why.
  static func run(_ arguments: Arguments) throws(ExitStatus) {
    if arguments.count < 2 {
      complain(command) { line in
        line.write("no coin named; give a value such as 200 or a name such as ringgit")
      }
      throw .usage
    }
    if arguments[1][0] == CChar(UInt8(ascii: "-")) {
      try manage(arguments)
      return
    }
    let (name, value) = try coin(arguments[1])
    guard let options = try RunOptions.parse(arguments.dropping(first: 1)) else { return }
    // Every photograph of a folder is a view of its own; a camera must see the coin lie still.
    var status = stat()
    let isFolder =
      options.source.map { stat($0, &status) == 0 && status.st_mode & 0o170000 == 0o040000 }
      ?? false
    let teacher = Teacher(name: name, value: value, stillFrames: isFolder ? 1 : 4)
    try Run.teach(teacher, options)
  }

  /// A value of rupiah, or a name.
  private static func coin(_ word: Argument) throws(ExitStatus) -> (CoinName, Int32) {
    if let number = parseNumber(word) {
      for index in 0..<5 where Int(Detection.values[index]) == number {
        return (CoinName(), Detection.values[index])
      }
    }
    let bytes = UnsafeRawPointer(word).assumingMemoryBound(to: UInt8.self)
    if let name = CoinName(unsafe Span(_unsafeStart: bytes, count: strlen(word))) {
      return (name, 0)
    }
    complain(command) { line in
      line.write("'")
      line.write(name: word)
      line.write("' cannot be a coin's name; give 50, 100, 200, 500, 1000, or at most ")
      line.write(CoinName.capacity)
      line.write(" bytes without commas, quotation marks and backslashes")
    }
    throw .usage
  }

  /// Lists what has been taught, or forgets one of it.
  private static func manage(_ arguments: Arguments) throws(ExitStatus) {
    var configurationPath: Argument?
    var modelPath: Argument?
    var forgotten: Argument?
    var isList = false
    var isHelp = false
    let table: [5 of CommandOption] = [
      CommandOption(name: "config", takesValue: true),
      CommandOption(name: "model", takesValue: true),
      CommandOption(name: "forget", takesValue: true),
      CommandOption(name: "list", takesValue: false),
      CommandOption(name: "help", takesValue: false),
    ]
    let rest = try parseOptions(arguments, table, command: command) { (index, value) in
      switch index {
      case 0: configurationPath = value
      case 1: modelPath = value
      case 2: forgotten = value
      case 3: isList = true
      default: isHelp = true
      }
    }
    if isHelp {
      try show(help)
      return
    }
    if rest.count > 0 || isList == (forgotten != nil) {
      complain(command) {
        $0.write("give the coin's name first, or either --list or --forget NAME")
      }
      throw .usage
    }
    let configuration = try Configuration.read(path: configurationPath, command: command)
    let model = try TrainedModel(
      ModelOrigin(option: modelPath, configuration: configuration), command: command)
    let path = configuration.taughtPath()
    var coins = TaughtCoins()
    try coins.read(path, model: model.model.checksum, command: command)
    if let forgotten {
      let (name, value) = try coin(forgotten)
      if !coins.remove(name: name, value: value) {
        complain(command) { line in
          line.write("'")
          line.write(name: forgotten)
          line.write("' has not been taught; 'receh teach --list' tells what has")
        }
        throw .failed
      }
      do throws(LearnedFileError) {
        try TaughtFile.write(path, coins, model: model.model.checksum)
      } catch {
        throw tell(path, error, command: command)
      }
    } else {
      try list(coins)
    }
  }

  private static func list(_ coins: borrowing TaughtCoins) throws(ExitStatus) {
    var output = Output(descriptor: 1)
    for index in 0..<coins.count {
      let kind = coins[index]
      if kind.value > 0 {
        output.write("Rp")
        output.write(Int(kind.value))
      } else {
        output.write(kind.name.span)
      }
      output.write(", ")
      output.write(kind.viewCount)
      output.write(" views\n")
    }
    try output.finish(command)
  }

  /// Tells why the file of taught coins cannot be used.
  static func tell(
    _ path: Argument, _ error: LearnedFileError, command: StaticString
  ) -> ExitStatus {
    complain(command) { line in
      line.write(name: path)
      switch error {
      case .failed(let code):
        line.write(": cannot be read or written (")
        line.write(error: code)
        line.write("); check the folder and who may write to it")
      case .damaged: line.write(": is damaged or no file of taught coins; delete it and teach anew")
      case .earlierVersion:
        line.write(": was taught to an earlier version, which looked at coins in another way; ")
        line.write("delete it and teach anew")
      case .laterVersion:
        line.write(": was written by a later version; use that one, or name another file in ")
        line.write("[teaching] of the configuration")
      case .otherModel:
        line.write(": was taught with another model, to which coins look different; teach anew")
      }
    }
    return .failed
  }

  private static let help: StaticString = """
    Usage: receh teach VALUE|NAME [OPTION of receh run...]
           receh teach --list | --forget VALUE|NAME [--config FILE] [--model FILE]

    Learns a coin that is not known: lay it down alone, turn it a little after each view, and turn
    it over when told to; five views of each face are taken. VALUE is 50, 100, 200, 500 or 1000 for
    a rupiah coin, which then counts; any other coin is counted under its NAME. Calibrate the tray
    before ('receh calibrate'): then the coin is told by its size as well as by its look, and far
    surer.

      --source SRC       where frames come from; every picture of a folder is taken for a view
      --list             tell what has been taught
      --forget NAME      forget what has been taught under this value or name
      --help             show this help

    'receh run --help' tells of the other options. What is taught lies in the file that [teaching]
    of the configuration names, and counts from the next start of 'receh run' on.
    Exit status: 0 learned; 1 not learned or not saved; 2 usage or configuration.

    """
}

extension TaughtCoins {
  /// Reads what has been taught, in the place of what there is.
  ///
  /// - Throws: `ExitStatus.failed` after telling why it cannot be used.
  mutating func read(_ path: Argument, model: UInt32, command: StaticString) throws(ExitStatus) {
    do throws(LearnedFileError) {
      try TaughtFile.read(path, model: model, into: &self)
    } catch {
      throw Teach.tell(path, error, command: command)
    }
  }
}
