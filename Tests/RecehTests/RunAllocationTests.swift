import Foundation
import TestSupport
import Testing

// The board's build is measured: the ordinary one's runtime makes descriptions of types when it
// first needs them, on the heap.
@Suite struct RunAllocationTests {
  let fixture: RunFixture

  init() throws {
    fixture = try RunFixture()
    try fixture.show([RunFixture.red], frames: 8)
    try fixture.show([RunFixture.red, RunFixture.green, RunFixture.grey], frames: 10)
    try fixture.show([RunFixture.green], frames: 12)
  }

  /// The counts of a run with the counting allocator preloaded.
  private func counts(
    _ arguments: [String], isControl: Bool = false, camera: [String: String] = [:]
  ) throws -> (loop: Int, frees: Int, others: Int, first: String, events: [RunFixture.Event]) {
    let library =
      (try Command.path as NSString).deletingLastPathComponent + "/libAllocationCounter.so"
    try #require(FileManager.default.fileExists(atPath: library))
    let report = fixture.folder.path + "/allocations"
    var variables = ["LD_PRELOAD": library, "RECEH_ALLOCATION_REPORT": report]
    variables.merge(camera) { "\($0):\($1)" }
    if isControl { variables["RECEH_ALLOCATION_CONTROL"] = "1" }
    let result = try fixture.run(
      arguments + ["--json"], executable: try BoardBuild.command.get(), variables: variables)
    #expect(result.status == 0)
    let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
    let fields = lines.map { $0.split(separator: " ") }
    try #require(fields.count == 4)
    return (
      Int(fields[0][1]) ?? -1, Int(fields[1][1]) ?? -1, Int(fields[2][1]) ?? -1,
      String(fields[3][1]), try RunFixture.events(result)
    )
  }

  @Test func theLoopAllocatesNothingAfterReadyWhileItCountsAndSpeaks() throws {
    let wav = fixture.folder.path + "/said.wav"
    let counts = try counts(["--source", fixture.frames, "--wav", wav])
    #expect(counts.loop == 0, "first by \(counts.first)")
    #expect(counts.frees == 0)
    #expect(counts.events.compactMap(\.total) == [100, 600, 500])
    // The thread that decodes the pictures does allocate, so allocations are seen.
    #expect(counts.others > 0)
  }

  @Test func theLoopAllocatesNothingOverAVideo() throws {
    let shown = [[Disc]](repeating: [RunFixture.red, RunFixture.green], count: 12)
    let counts = try counts(["--source", try fixture.video(shown), "--no-voice"])
    #expect(counts.loop == 0, "first by \(counts.first)")
    #expect(counts.frees == 0)
    #expect(counts.events.compactMap(\.total) == [600])
  }

  @Test func theLoopAllocatesNothingOverACamera() throws {
    let discs = [RunFixture.red, RunFixture.green]
    let samples = RunFixture.yuyv(discs)
    let pressed = try DiscPicture.jpeg(discs)
    for (frame, format) in [(samples, "YUYV"), (pressed, "MJPG")] {
      let camera = try RunFixture.camera(
        try fixture.cameraFrames([frame]), ["RECEH_CAMERA_FORMAT": format])
      let counts = try counts(
        ["--no-voice", "--frames", "30", "--config", "/dev/null"], camera: camera)
      #expect(counts.loop == 0, "first by \(counts.first)")
      #expect(counts.frees == 0)
      #expect(counts.events.compactMap(\.total) == [600])
    }
  }

  @Test func theLoopAllocatesNothingWithConsoleAndLights() throws {
    let terminal = try PseudoTerminal(at: fixture.folder.path + "/tty")
    // Asked at once, so that all is answered within the run.
    terminal.type("total\nstatus\nrepeat\nmute\nunmute\nhelp\nnonsense\n")
    let keys = """
      [console]
      enabled = on
      device = \(terminal.path)
      [leds]
      ready = no-such-line
      [strip]
      type = apa102
      device = /dev/no-such-node
      """
    let configuration = try fixture.folder.file("receh.conf", Array(keys.utf8))
    let counts = try counts([
      "--source", fixture.frames, "--no-voice", "--config", configuration,
    ])
    #expect(counts.loop == 0, "first by \(counts.first)")
    #expect(counts.frees == 0)
    let told = terminal.lines(isOver: { true }, upTo: { _ in false })
    #expect(told.contains("Perintah tidak dikenal; ketik help."))
    #expect(told.contains("Selesai."))
  }

  @Test func oneAllocationOnTheLoopsThreadWouldBeSeen() throws {
    let counts = try counts(
      ["--source", fixture.frames, "--no-voice", "--frames", "3"], isControl: true)
    #expect(counts.loop == 1)
    #expect(counts.frees == 1)
  }
}

/// The command built as for the board, in Embedded Swift.
enum BoardBuild {
  /// Path of the command, which is built on first use.
  static let command = Result { try build() }

  struct Failure: Error {
    let log: String
  }

  private static func build() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "build", "--scratch-path", ".build-embedded"]
    process.currentDirectoryURL = root
    process.environment = ProcessInfo.processInfo.environment.merging(["RECEH_EMBEDDED": "1"]) {
      $1
    }
    let log = Pipe()
    process.standardOutput = log
    process.standardError = log
    try process.run()
    let text = try log.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    if process.terminationStatus != 0 {
      throw Failure(log: String(decoding: text, as: UTF8.self))
    }
    return root.path + "/.build-embedded/debug/receh"
  }
}
