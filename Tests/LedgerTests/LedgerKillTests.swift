import CSystem
import Foundation
import TestSupport
import Testing

@testable import Ledger

/// Kills and full disks for real: processes, files and limits of the system.
@Suite(.serialized) struct LedgerKillTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/ledger"
  }

  /// Starts the program that appends without end; returns it and the pipe it reports on.
  ///
  /// - Parameter script: a shell script to start it by, with the program as $0.
  private func startWriter(through script: String? = nil) throws -> (process: pid_t, reports: Int32)
  {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let program = (tests as NSString).deletingLastPathComponent + "/ledger-writer"
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    let line = script.map { ["/bin/sh", "-c", $0, program, path] } ?? [program, path]
    var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var process = pid_t()
    try #require(posix_spawn(&process, line[0], &actions, nil, &words, environ) == 0)
    close(ends[1])
    return (process, ends[0])
  }

  /// The last number the program reported, reading to the end of the pipe.
  private func lastReport(_ reports: Int32) -> Int {
    var last = 0
    var number = 0
    while Foundation.read(reports, &number, MemoryLayout<Int>.size) == MemoryLayout<Int>.size {
      last = number
    }
    close(reports)
    return last
  }

  @Test func aThousandKillsLoseNothingThatWasSaved() throws {
    var dice = Dice(state: 77)
    var saved = 0
    var inFlight = 0
    for _ in 0..<1000 {
      let (process, reports) = try startWriter()
      // Half of them while it starts and repairs, half while it writes.
      var first = 0
      let size = MemoryLayout<Int>.size
      if Bool.random(using: &dice) { try #require(Foundation.read(reports, &first, size) == size) }
      usleep(UInt32.random(in: 0...4000, using: &dice))
      kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
      let reported = max(first, lastReport(reports))
      let found = read(try bytesSoFar())
      saved = max(saved, reported)
      // Everything that was reported is there, in order, and at most one more.
      try #require(found.numbers == (0..<found.numbers.count).map { $0 + 1 })
      try #require(found.numbers.count >= saved && found.numbers.count <= saved + 1)
      try #require(found.damaged == 0)
      if found.numbers.count > saved { inFlight += 1 }
      saved = found.numbers.count
    }
    // Kills came in the midst of writing, not only before.
    #expect(saved > 400)
    #expect(inFlight > 0)
  }

  /// The file's bytes; none where a kill came before there was a file.
  private func bytesSoFar() throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func aFileThatMayNotGrowIsAFullDisk() throws {
    var (process, reports) = try startWriter()
    // Killed once there is something; a writer that writes nothing ends by itself.
    var status: Int32 = 0
    while try bytesSoFar().count <= 300 && waitpid(process, &status, WNOHANG) == 0 { usleep(1000) }
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
    _ = lastReport(reports)
    let before = try bytesSoFar()
    try #require(before.count > 300)
    // The system's own limit tears the write that crosses it.
    let blocks = before.count / 512 + 1
    (process, reports) = try startWriter(
      through: "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$1\"")
    waitpid(process, &status, 0)
    let saved = lastReport(reports)
    // It ended by itself, with what fitted on the disk and nothing torn behind it.
    #expect(status == 1 << 8)
    let after = try bytesSoFar()
    #expect(after.starts(with: before))
    #expect(after.last == 0x0a && after.count <= 512 * blocks)
    #expect(read(after).damaged == 0)
    #expect(read(after).numbers.count == max(saved, read(before).numbers.count))
  }
}
