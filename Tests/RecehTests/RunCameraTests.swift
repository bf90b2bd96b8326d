import Foundation
import TestSupport
import Testing

/// Runs from a simulated camera, preloaded into the command.
@Suite struct RunCameraTests {
  let fixture: RunFixture

  init() throws {
    fixture = try RunFixture()
  }

  private func events(
    _ arguments: [String], _ variables: [String: String]
  ) throws -> [RunFixture.Event] {
    let result = try fixture.run(
      arguments + ["--json", "--no-voice", "--config", "/dev/null"], variables: variables)
    #expect(result.status == 0, "\(result.complaints)")
    return try RunFixture.events(result)
  }

  @Test func aRunWithoutASourceOpensTheCameraAndCounts() throws {
    let frames = try fixture.cameraFrames([RunFixture.yuyv([RunFixture.red, RunFixture.green])])
    let events = try events(["--frames", "40"], try RunFixture.camera(frames))
    #expect(events.map(\.event).first == "ready")
    #expect(events.compactMap(\.total) == [600])
    #expect(events.map(\.event).last == "stopped")
    #expect(!events.contains { $0.event == "camera-lost" })
  }

  @Test func jpegPicturesAreCountedAndADamagedFirstOneIsOrdinary() throws {
    let whole = try DiscPicture.jpeg([RunFixture.red, RunFixture.green])
    let frames = try fixture.cameraFrames([Array(whole.prefix(2000)), whole])
    let events = try events(
      ["--source", "v4l2:/dev/video0", "--frames", "40"],
      try RunFixture.camera(frames, ["RECEH_CAMERA_FORMAT": "MJPG"]))
    #expect(events.compactMap(\.total) == [600])
    #expect(!events.contains { $0.event == "camera-lost" || $0.event == "degraded" })
  }

  @Test func aCameraThatAppearsLaterIsPickedUp() throws {
    let frames = try fixture.cameraFrames([RunFixture.yuyv([RunFixture.red])])
    let events = try events(
      ["--frames", "40"], try RunFixture.camera(frames, ["RECEH_CAMERA_APPEARS": "700"]))
    #expect(
      events.map(\.event).filter { $0.hasPrefix("camera") } == ["camera-lost", "camera-back"])
    #expect(events.first { $0.event == "camera-lost" }?.why?.contains("no camera") == true)
    #expect(events.compactMap(\.total) == [100])
  }

  @Test func aCameraPulledOutIsToldOfAndCountedOnWhenItIsBack() throws {
    let before = [[UInt8]](repeating: RunFixture.yuyv([RunFixture.red]), count: 60)
    let frames = try fixture.cameraFrames(
      before + [RunFixture.yuyv([RunFixture.red, RunFixture.green])])
    let events = try events(
      ["--frames", "110"], try RunFixture.camera(frames, ["RECEH_CAMERA_UNPLUG": "60"]))
    let names = events.map(\.event)
    let lost = try #require(names.firstIndex(of: "camera-lost"))
    let back = try #require(names.firstIndex(of: "camera-back"))
    #expect(lost < back)
    #expect(events[lost].why?.contains("disconnected") == true)
    // The total stands while there is no camera, and what was put down meanwhile is counted.
    #expect(events.prefix(lost).compactMap(\.total) == [100])
    #expect(events.suffix(from: back).compactMap(\.total) == [600])
  }

  @Test func withoutACameraASignalEndsTheRunAtOnce() throws {
    let frames = try fixture.cameraFrames([RunFixture.yuyv([])])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Command.path)
    process.arguments = ["run", "--model", fixture.model, "--json", "--no-voice"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      try RunFixture.camera(frames, ["RECEH_CAMERA_APPEARS": "1000000"])
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains("camera-lost") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    process.terminate()
    process.waitUntilExit()
    text += String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
    #expect(text.contains("\"event\":\"stopped\""))
  }
}
