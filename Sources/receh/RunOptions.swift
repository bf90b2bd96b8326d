import Announcing
import CSystem
import Loop

/// What `receh run` was asked for.
struct RunOptions {
  /// The name the command's error lines begin with.
  static let command: StaticString = "receh run"

  /// The configuration to use instead of the usual one.
  private(set) var configuration: Argument?
  /// Where frames come from.
  private(set) var source: Argument?
  /// Most frames to count.
  private(set) var frames = Int.max
  /// Frames a second in thousandths, or `nil` to count as fast as possible.
  private(set) var rate: Int?
  /// Whether to print JSON rather than lines to read.
  private(set) var isJSON = false
  /// The model to use instead of the configured or built-in one.
  private(set) var model: Argument?
  /// The WAV file to speak into.
  private(set) var wav: Argument?
  /// The language to use instead of the configured one.
  private(set) var language: Language?
  /// Whether nothing is spoken.
  private(set) var isSilent = false
  /// Whether the configuration is only to be checked.
  private(set) var isCheck = false

  /// Reads the words after `receh`, `run` first.
  ///
  /// - Returns: `nil` when only the help was asked for, which has then been printed.
  /// - Throws: `ExitStatus.usage` after telling of a mistake.
  static func parse(_ arguments: Arguments) throws(ExitStatus) -> RunOptions? {
    var options = RunOptions()
    var isHelp = false
    let table: [11 of CommandOption] = [
      CommandOption(name: "config", takesValue: true),
      CommandOption(name: "source", takesValue: true),
      CommandOption(name: "frames", takesValue: true),
      CommandOption(name: "fps", takesValue: true),
      CommandOption(name: "json", takesValue: false),
      CommandOption(name: "model", takesValue: true),
      CommandOption(name: "wav", takesValue: true),
      CommandOption(name: "language", takesValue: true),
      CommandOption(name: "no-voice", takesValue: false),
      CommandOption(name: "check", takesValue: false),
      CommandOption(name: "help", takesValue: false),
    ]
    let rest = try parseOptions(arguments, table, command: command) {
      (index, value) throws(ExitStatus) in
      switch index {
      case 0: options.configuration = value
      case 1: options.source = value
      case 2: options.frames = try number(value, "--frames")
      case 3: options.rate = try rate(value)
      case 4: options.isJSON = true
      case 5: options.model = value
      case 6: options.wav = value
      case 7: options.language = try language(value)
      case 8: options.isSilent = true
      case 9: options.isCheck = true
      default: isHelp = true
      }
    }
    if isHelp {
      try show(help)
      return nil
    }
    try refuseWords(rest, command: command, "give frames as --source DIR or --source FILE.y4m")
    if options.isSilent && options.wav != nil {
      complain(command) { $0.write("--wav and --no-voice exclude each other; give one of them") }
      throw .usage
    }
    return options
  }

  private static func number(
    _ value: Argument?, _ option: StaticString
  ) throws(ExitStatus) -> Int {
    if let value, let number = parseNumber(value), number > 0 { return number }
    throw refuse(value, option, "a whole number from 1 to 999999999")
  }

  private static func language(_ value: Argument?) throws(ExitStatus) -> Language {
    if let value, let language = parseLanguage(value) { return language }
    throw refuse(value, "--language", "id or en")
  }

  /// A rate such as 30 or 29.97, in thousandths.
  private static func rate(_ value: Argument?) throws(ExitStatus) -> Int {
    guard let value else { throw .usage }
    var thousandths = 0
    var decimals = -1
    var index = 0
    while value[index] != 0 && thousandths <= 1_000_000 && decimals < 3 {
      let digit = Int(value[index]) - 48
      if value[index] == CChar(UInt8(ascii: ".")) && decimals < 0 && index > 0 {
        decimals = 0
      } else if digit >= 0 && digit <= 9 {
        thousandths = 10 * thousandths + digit
        if decimals >= 0 { decimals += 1 }
      } else {
        break
      }
      index += 1
    }
    let isWhole = value[index] == 0 && index > 0
    for _ in max(decimals, 0)..<3 { thousandths *= 10 }
    if isWhole && thousandths > 0 && thousandths <= 1_000_000 { return thousandths }
    throw refuse(value, "--fps", "a number above 0 and at most 1000, such as 30 or 29.97")
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
    Usage: receh run [--source v4l2:NODE|DIR|FILE.y4m] [OPTION...]

    Counts the coins in frames, one after the other, and says each new total once it has settled.

      --source v4l2:NODE a camera, such as v4l2:/dev/video0; without --source, the camera of the
                         configuration, or the first there is
      --source DIR       the JPEG and PNG pictures of a folder, in natural order of their names
      --source FILE.y4m  a YUV4MPEG2 video, as 'ffmpeg -i IN OUT.y4m' makes it
      --fps N            play N frames a second; without it, as fast as they can be counted,
                         and times are those of the video's rate, or of 10 pictures a second
      --frames N         stop after N frames
      --json             print events as JSON lines
      --language id|en   speak and write Indonesian or English
      --wav FILE         speak into a WAV file instead of the speaker
      --no-voice         speak nothing
      --model FILE       use another model than the built-in one
      --config FILE      read this configuration instead of /etc/receh.conf
      --check            check the configuration and the model, and end
      --help             show this help

    Stops at the end of the frames, and on SIGINT and SIGTERM. SIGHUP has the configuration read
    anew, SIGUSR1 has the total said again. Started by systemd it tells when it is ready, gives
    signs of life to a watchdog, and logs with priorities.
    Exit status: 0 done; 1 the work failed, at least in part; 2 usage or configuration.

    """
}
