import Foundation
import TestSupport
import Testing

/// Runs that something outside holds up or has taken descriptors from.
@Suite struct RunStoppingTests {
  let fixture: RunFixture

  init() throws {
    fixture = try RunFixture()
  }

  private func process(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Command.path)
    process.arguments = ["run", "--model", fixture.model, "--json", "--no-voice"] + arguments
    process.standardError = FileHandle.nullDevice
    return process
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalEndsTheWaitForAPipeThatSaysNothing(_ signal: Int32) throws {
    let pipe = fixture.folder.path + "/silent.y4m"
    #expect(mkfifo(pipe, 0o600) == 0)
    let process = try process(["--source", pipe])
    process.standardOutput = FileHandle.nullDevice
    // Tests run on threads that block signals, and a process inherits that.
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    // Can be opened without waiting only once the run opens it too.
    var writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    while writer < 0 && process.isRunning {
      usleep(1000)
      writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    }
    kill(process.processIdentifier, signal)
    // A run that waits on would end with status 1 at the end of the pipe.
    close(writer)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
  }

  @Test func aSignalEndsARunWhoseOutputNobodyReads() throws {
    try fixture.show([RunFixture.red], frames: 2)
    let output = Pipe()
    let full = output.fileHandleForWriting.fileDescriptor
    #expect(fcntl(full, F_SETFL, O_NONBLOCK) == 0)
    let block = [UInt8](repeating: 10, count: 4096)
    while write(full, block, block.count) > 0 {}
    #expect(fcntl(full, F_SETFL, 0) == 0)
    let process = try process(["--source", fixture.frames])
    process.standardOutput = output
    try process.run()
    while process.isRunning && !holdsSignals(process.processIdentifier) { usleep(1000) }
    kill(process.processIdentifier, SIGTERM)
    // Only a run that waits for its reader sees this signal.
    let guardian = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: guardian)
    process.waitUntilExit()
    guardian.cancel()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 1)
  }

  /// Whether a process keeps SIGTERM pending, as `/proc` tells.
  private func holdsSignals(_ process: pid_t) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
    let mask = line.flatMap { UInt64($0.dropFirst(7).filter(\.isHexDigit), radix: 16) } ?? 0
    return mask >> UInt64(SIGTERM - 1) & 1 == 1
  }

  @Test func eventsNeverGoIntoTheWavFileInPlaceOfAClosedOutput() throws {
    try fixture.show([RunFixture.red], frames: 12)
    let wav = fixture.folder.path + "/said.wav"
    let result = try Command.run(
      [
        "-c", "exec \"$0\" \"$@\" >&-", try Command.path, "run", "--model", fixture.model, "--json",
        "--source", fixture.frames, "--wav", wav,
      ].map { Array($0.utf8) }, executable: "/bin/sh")
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.contains("standard output cannot be written (") == true)
    let said = try Data(contentsOf: URL(fileURLWithPath: wav))
    #expect(said.range(of: Data("event".utf8)) == nil)
  }
}
