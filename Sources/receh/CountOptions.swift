import CSystem

/// What `receh count` was asked for.
struct CountOptions {
  /// The name the command's error lines begin with.
  static let command: StaticString = "receh count"

  /// Whether to print JSON rather than a table.
  private(set) var isJSON = false
  /// Where to write the picture with the coins drawn in.
  private(set) var annotation: Argument?
  /// The model to use instead of the built-in one.
  private(set) var model: Argument?
  /// The configuration to use instead of the usual one.
  private(set) var configuration: Argument?
  /// The pictures to count.
  private(set) var images: Arguments

  /// Reads the words after `receh`, `count` first.
  ///
  /// - Returns: `nil` when only the help was asked for, which has then been printed.
  /// - Throws: `ExitStatus.usage` after telling of a mistake.
  static func parse(_ arguments: Arguments) throws(ExitStatus) -> CountOptions? {
    var options = CountOptions(images: arguments)
    var isHelp = false
    let table: [5 of CommandOption] = [
      CommandOption(name: "json", takesValue: false),
      CommandOption(name: "annotate", takesValue: true),
      CommandOption(name: "model", takesValue: true),
      CommandOption(name: "config", takesValue: true),
      CommandOption(name: "help", takesValue: false),
    ]
    options.images = try parseOptions(arguments, table, command: command) {
      (index, value) throws(ExitStatus) in
      switch index {
      case 0: options.isJSON = true
      case 1: options.annotation = value
      case 2: options.model = value
      case 3: options.configuration = value
      default: isHelp = true
      }
    }
    if isHelp {
      try show(help)
      return nil
    }
    try options.check()
    return options
  }

  private func check() throws(ExitStatus) {
    if images.count == 0 {
      complain(Self.command) { $0.write("no IMAGE given; 'receh count --help' tells how") }
      throw .usage
    }
    guard let annotation else { return }
    if images.count > 1 {
      complain(Self.command) { line in
        line.write("--annotate draws into one picture, and ")
        line.write(images.count)
        line.write(" are given; count them one at a time")
      }
      throw .usage
    }
    if isSameFile(annotation, images[0]) {
      complain(Self.command) { line in
        line.write("--annotate ")
        line.write(name: annotation)
        line.write(" would overwrite the picture itself; give another name")
      }
      throw .usage
    }
  }

  private static let help: StaticString = """
    Usage: receh count [--json] [--annotate OUT.png] [--model FILE] [--config FILE] IMAGE...

    Counts the rupiah coins in still pictures, JPEG or PNG, upright as their EXIF data says.

      --json              print one line of JSON for each picture instead of a table
      --annotate OUT.png  write a copy of the picture with the coins, their values and the
                          total drawn in; for one IMAGE at a time
      --model FILE        use this trained model instead of the built-in one
      --config FILE       read the settings from FILE; with 'withdrawn = count' in it, coins
                          withdrawn from circulation count in the total
      --help              print this

    A value of 0, or ? in the table, is a coin that is not named: a foreign one, or one that
    cannot be told for sure. It is not in the total. Places and diameters are in pixels of the
    picture. A picture of more than 50 megapixels is made smaller first, and so is its copy.

    Exit status: 0 all pictures counted; 1 a picture could not be counted, which one line on
    standard error tells of, and the others were; 2 usage, configuration or model.

    """
}

/// Whether both names lead to the same file.
private func isSameFile(_ one: Argument, _ other: Argument) -> Bool {
  var first = stat()
  var second = stat()
  guard stat(one, &first) == 0 && stat(other, &second) == 0 else { return false }
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}
