import Foundation
import TestSupport
import Testing

@testable import receh

@Suite struct RunUsageTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The one error line of a run that ends with a status.
  private func complaint(_ arguments: String..., status: Int32) throws -> String {
    let result = try Command.run((["run"] + arguments).map { Array($0.utf8) })
    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(result.complaints.count == 1)
    return result.complaints.first ?? ""
  }

  @Test func aCameraPathThatIsTooLongIsUsage() throws {
    let path = "v4l2:/" + String(repeating: "x", count: 200)
    #expect(try complaint("--source", path, status: 2).contains("too long a path"))
  }

  @Test(arguments: [
    ["--fps", "0"], ["--fps", "-1"], ["--fps", "1001"], ["--fps", "."], ["--fps", ".5"],
    ["--fps", "1.2345"], ["--fps", "30x"], ["--fps", ""], ["--frames", "0"], ["--frames", "many"],
    ["--language", "fr"], ["--unknown"], ["--source"], ["stray"],
    ["--wav", "/tmp/none.wav", "--no-voice"],
  ])
  func aMistakeInTheOptionsIsUsage(_ arguments: [String]) throws {
    let result = try Command.run((["run"] + arguments).map { Array($0.utf8) })
    #expect(result.status == 2)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.hasPrefix("receh run: ") == true)
  }

  @Test func helpIsPrinted() throws {
    let result = try Command.run("run", "--help")
    #expect(result.status == 0)
    #expect(result.lines.first?.hasPrefix("Usage: receh run ") == true)
  }

  @Test func aSourceThatIsNotThereIsTold() throws {
    let path = folder.path + "/none"
    #expect(try complaint("--source", path, status: 1).contains("\(path): cannot be opened ("))
  }

  @Test func aFolderWithoutPicturesIsTold() throws {
    _ = try folder.file("notes.txt", [65])
    #expect(try complaint("--source", folder.path, status: 1).contains("holds no .jpg"))
  }

  @Test func aFileThatIsNoVideoIsTold() throws {
    for bytes in [[], Array("YUV4".utf8), [UInt8](repeating: 0xff, count: 100)] {
      let path = try folder.file("frames.y4m", bytes)
      #expect(
        try complaint("--source", path, status: 1).contains("is not a YUV4MPEG2 video; convert"))
    }
  }

  @Test func aWavFileThatCannotBeCreatedIsToldBeforeTheRun() throws {
    let fixture = try RunFixture()
    try fixture.show([], frames: 1)
    let wav = folder.path + "/none/said.wav"
    let result = try fixture.run(["--source", fixture.frames, "--wav", wav])
    #expect(result.status == 1)
    #expect(result.complaints.first?.contains("--wav \(wav): cannot be created (") == true)
  }

  @Test(arguments: [
    (["a10", "a9", "a1"], ["a1", "a9", "a10"]),
    (
      ["frame_0010.png", "frame_0009.png", "frame_2.png"],
      ["frame_2.png", "frame_0009.png", "frame_0010.png"]
    ),
    (["b", "a", "ab", ""], ["", "a", "ab", "b"]),
    (["1.jpg", "01.jpg", "001.jpg"], ["001.jpg", "01.jpg", "1.jpg"]),
    (["2-10", "10-1", "2-9"], ["2-9", "2-10", "10-1"]),
    (
      ["99999999999999999999999", "100000000000000000000000"],
      ["99999999999999999999999", "100000000000000000000000"]
    ),
  ])
  func namesAreInNaturalOrder(_ names: [String], _ ordered: [String]) {
    let sorted = names.sorted { first, second in
      first.withCString { left in second.withCString { RunFolder.isOrdered(left, $0) } }
    }
    #expect(sorted == ordered)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func aSignalStopsTheRunCleanly(_ signal: Int32) throws {
    let fixture = try RunFixture()
    try fixture.show([RunFixture.red], frames: 2)
    // One frame in a thousand seconds: the run would outlast any test.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Command.path)
    process.arguments = [
      "run", "--model", fixture.model, "--source", fixture.frames, "--fps", "0.001", "--json",
      "--no-voice",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let ready = output.fileHandleForReading.availableData
    #expect(String(decoding: ready, as: UTF8.self).contains("\"ready\""))
    kill(process.processIdentifier, signal)
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    #expect(String(decoding: rest, as: UTF8.self).contains("\"stopped\""))
  }
}
