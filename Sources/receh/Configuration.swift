import Announcing
import CSystem
import Camera
import Console
import Lights
import Loop

/// What the configuration file says; every key has a default, so that no file is needed.
struct Configuration {
  /// Where a strip of lights is drawn in the terminal.
  enum StripDrawing {
    /// Where standard output is a terminal.
    case auto
    case on
    case off
  }

  /// The file read when `--config` names none; it may be missing.
  static let usualPath: StaticString = "/etc/receh.conf"

  /// The language of speech and lines.
  var language = Language.indonesian
  /// Whether withdrawn coins add to the total.
  var countsWithdrawn = false
  /// Milliseconds for which a change must hold before it is said.
  var stableMilliseconds = 250
  /// Path of the model to use instead of the built-in one, with its NUL; empty for none.
  var model = Text<256>()
  /// Whether totals are spoken.
  var isVoiceOn = true
  /// Loudness, 0 to 200; 100 is the voice's own.
  var volume = 100
  /// Words a minute, 80 to 450.
  var rate = 160
  /// Pitch, 0 to 100.
  var pitch = 50
  /// Whether a change of the total is spoken before the total.
  var saysChanges = false
  /// The lights on GPIO lines and strips.
  var lights = LightsSettings()
  /// Where the strip is drawn in the terminal.
  var stripDrawing = StripDrawing.auto
  /// The camera.
  var camera = CameraSettings()
  /// The serial console.
  var console = ConsoleSettings()

  /// Mode, price and button.
  var till = Till.Settings()
  /// Whether batches, sales and sessions are kept in a file.
  var isLedgerOn = true
  /// Path of the ledger, with its NUL; empty for the usual one.
  var ledgerFile = Text<512>()

  /// The ledger where none is configured.
  static let usualLedger: StaticString = "/var/lib/receh/ledger"

  /// Path of the file of taught coins, with its NUL; empty for the usual one.
  var taughtFile = Text<508>()

  /// The file of taught coins where none is configured.
  static let usualTaught: StaticString = "/var/lib/receh/taught"

  /// Path of the ledger; kept until the process ends, because a thread works with it.
  func ledgerPath() -> Argument { Configuration.keep(ledgerFile, or: Configuration.usualLedger) }

  /// Path of the calibration's file, with its NUL; empty for the usual one.
  var calibrationFile = Text<508>()

  /// The calibration's file where none is configured.
  static let usualCalibration: StaticString = "/var/lib/receh/calibration"

  /// Path of the calibration's file; kept until the process ends.
  func calibrationPath() -> Argument {
    Configuration.keep(calibrationFile, or: Configuration.usualCalibration)
  }

  /// Path of the file of taught coins; kept until the process ends.
  func taughtPath() -> Argument { Configuration.keep(taughtFile, or: Configuration.usualTaught) }

  private static func keep<let Capacity: Int>(
    _ text: Text<Capacity>, or usual: StaticString
  ) -> Argument {
    if text.count == 0 { return usual.cString }
    let path = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
    for index in 0..<text.count { path[index] = CChar(bitPattern: text[index]) }
    return UnsafePointer(path)
  }

  /// Reads the file of `--config`, or the usual one if there is one.
  ///
  /// - Parameters:
  ///   - path: the value of `--config`, or `nil`.
  ///   - command: who tells of a fault.
  /// - Throws: `ExitStatus.usage` after telling of the fault with file and line.
  static func read(path: Argument?, command: StaticString) throws(ExitStatus) -> Configuration {
    let file = path ?? usualPath.cString
    let descriptor = csystem_open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    if descriptor < 0 && path == nil && csystem_errno() == ENOENT { return Configuration() }
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0, let memory = AlignedMemory(size: limit),
      let count = load(descriptor, memory.bytes)
    else {
      let code = csystem_errno()
      complain(command) { line in
        line.write(name: file)
        line.write(": cannot be read (")
        line.write(error: code)
        line.write("); check the name and who may read it")
      }
      throw .usage
    }
    if count == limit {
      complain(command) { line in
        line.write(name: file)
        line.write(": is longer than 65535 bytes; name a configuration file")
      }
      throw .usage
    }
    var parser = ConfigurationParser(
      bytes: UnsafeRawBufferPointer(rebasing: memory.bytes.prefix(count)))
    guard let fault = parser.parse() ?? parser.findContradiction() else {
      return parser.configuration
    }
    complain(command) { line in
      line.write(name: file)
      line.write(":")
      line.write(fault.line)
      line.write(": ")
      line.write(fault)
    }
    throw .usage
  }

  private static let limit = 65_536

  /// Reads a file to its end or the memory's; `nil` if it cannot be read.
  private static func load(_ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Int? {
    var count = 0
    while count < limit {
      let received = CSystem.read(descriptor, memory.baseAddress.map { $0 + count }, limit - count)
      if received == 0 { break }
      if received < 0 {
        if csystem_errno() == EINTR { continue }
        return nil
      }
      count += received
    }
    return count
  }
}
