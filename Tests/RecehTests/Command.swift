import Foundation
import TestSupport

/// The built command, run from outside as its users run it.
enum Command {
  /// What a run left behind.
  struct Result {
    var status: Int32
    var output: [UInt8]
    var errors: [UInt8]

    var outputText: String { String(decoding: output, as: UTF8.self) }
    /// The lines of standard error.
    var complaints: [String] {
      String(decoding: errors, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    /// The lines of standard output.
    var lines: [String] { outputText.split(separator: "\n").map(String.init) }
  }

  /// The command stands beside the tests that are running, unless `RECEH` names another: that is
  /// how the tests are run over the board's build.
  static var path: String {
    get throws {
      if let named = ProcessInfo.processInfo.environment["RECEH"] { return named }
      let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return (tests as NSString).deletingLastPathComponent + "/receh"
    }
  }

  /// Runs `receh` with arguments, which may be any bytes but NUL.
  ///
  /// - Parameters:
  ///   - executable: another program than the command beside the tests.
  ///   - variables: set in the command's environment besides those of the tests.
  static func run(
    _ arguments: [[UInt8]], output: String? = nil, executable: String? = nil,
    variables: [String: String] = [:]
  ) throws -> Result {
    let folder = try TemporaryFolder()
    let outputPath = output ?? folder.path + "/output"
    let errorPath = folder.path + "/errors"
    // posix_spawn, because Foundation's Process takes no arguments that are not UTF-8.
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT, 0o600)
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("receh")]
    for argument in arguments {
      words.append(
        (argument.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { bytes in
          bytes.baseAddress.flatMap { strdup($0) }
        })
    }
    words.append(nil)
    defer { words.forEach { free($0) } }
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    var settings = environment.map { strdup("\($0)=\($1)") }
    settings.append(nil)
    defer { settings.forEach { free($0) } }
    var process = pid_t()
    let program = try executable ?? path
    guard posix_spawn(&process, program, &actions, nil, words, settings) == 0 else {
      throw SpawnFailure()
    }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process else { throw SpawnFailure() }
    return Result(
      // A signal shows as a negative number.
      status: status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f),
      output: output == nil ? try bytes(outputPath) : [], errors: try bytes(errorPath))
  }

  /// Runs `receh` with arguments of text.
  static func run(_ arguments: String..., output: String? = nil) throws -> Result {
    try run(arguments.map { Array($0.utf8) }, output: output)
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  struct SpawnFailure: Error {}
}
