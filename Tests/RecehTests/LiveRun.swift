import Foundation
import TestSupport
import Testing

/// A `receh run` that goes on while a test looks at it and meddles with it.
final class LiveRun {
  private let process = Process()
  private let output = Pipe()
  private let errors: String
  private var rest = Data()
  /// The events read so far.
  private(set) var events: [RunFixture.Event] = []

  /// Starts a run over the fixture's frames, which are shown at `rate` frames a second.
  init(
    _ fixture: RunFixture, _ arguments: [String] = [], rate: String = "20",
    variables: [String: String] = [:]
  ) throws {
    errors = fixture.folder.path + "/errors-" + UUID().uuidString
    try #require(FileManager.default.createFile(atPath: errors, contents: nil))
    process.executableURL = URL(fileURLWithPath: try Command.path)
    process.arguments =
      ["run", "--model", fixture.model, "--json", "--source", fixture.frames, "--fps", rate]
      + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    // What a broken run never says would be waited for without end.
    let guardian = process.processIdentifier
    DispatchQueue.global().asyncAfter(deadline: .now() + 100) { [weak process] in
      if process?.isRunning == true { kill(guardian, SIGKILL) }
    }
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// The run's process.
  var identifier: pid_t { process.processIdentifier }

  /// Reads on until an event is one that is wanted; `nil` when the run has ended before.
  @discardableResult
  func wait(for isWanted: (RunFixture.Event) -> Bool) throws -> RunFixture.Event? {
    while let event = try next() {
      if isWanted(event) { return event }
    }
    return nil
  }

  /// Reads on until an event of this name.
  @discardableResult
  func wait(for name: String) throws -> RunFixture.Event? {
    try wait { $0.event == name }
  }

  /// Reads the next event; `nil` at the end.
  private func next() throws -> RunFixture.Event? {
    while true {
      if let end = rest.firstIndex(of: 10) {
        let line = rest[rest.startIndex..<end]
        rest = Data(rest[(end + 1)...])
        let event = try JSONDecoder().decode(RunFixture.Event.self, from: Data(line))
        events.append(event)
        return event
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      rest.append(more)
    }
  }

  /// Waits until something has come about; returns whether it has before the run's end.
  func wait(until isSo: () throws -> Bool) rethrows -> Bool {
    while process.isRunning {
      if try isSo() { return true }
      usleep(5000)
    }
    return try isSo()
  }

  /// Sends a signal.
  func send(_ signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Reads to the end and returns the exit status, or a signal's number made negative.
  func end() throws -> Int32 {
    while try next() != nil {}
    process.waitUntilExit()
    let status = process.terminationStatus
    return process.terminationReason == .exit ? status : -status
  }

  /// The lines of standard error so far.
  var complaints: [String] {
    get throws {
      try String(contentsOfFile: errors, encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }
}

/// The library in which what lies beneath the command fails.
enum Faults {
  /// The variable that preloads it.
  static var preload: [String: String] {
    get throws {
      let path = (try Command.path as NSString).deletingLastPathComponent + "/libFaults.so"
      try #require(FileManager.default.fileExists(atPath: path))
      return ["LD_PRELOAD": path]
    }
  }
}
