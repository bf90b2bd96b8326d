import Foundation
import TestSupport
import Testing

/// Runs from a simulated camera, preloaded into the command.
@Suite struct RunCameraTests {
  let fixture: RunFixture

  init() throws {
    fixture = try RunFixture()
  }

  /// Writes a file of frames for the simulated camera.
  private func file(_ frames: [[UInt8]]) throws -> String {
    var bytes: [UInt8] = []
    for frame in frames {
      let size = UInt32(frame.count)
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + frame
    }
    return try fixture.folder.file("camera.frames", bytes)
  }

  /// A frame of discs as YUYV in limited range.
  private func yuyv(_ discs: [Disc]) -> [UInt8] {
    let samples = DiscPicture.samples(discs, width: 640, height: 480)
    var frame = [UInt8](repeating: 0, count: 640 * 480 * 2)
    for pixel in 0..<640 * 480 {
      let red = Double(samples[3 * pixel])
      let green = Double(samples[3 * pixel + 1])
      let blue = Double(samples[3 * pixel + 2])
      let luma = 0.299 * red + 0.587 * green + 0.114 * blue
      frame[2 * pixel] = UInt8(16 + luma * 219 / 255)
      let chroma = pixel % 2 == 0 ? (blue - luma) * 0.564 : (red - luma) * 0.713
      frame[2 * pixel + 1] = UInt8(min(240, max(16, 128 + chroma * 224 / 255)))
    }
    return frame
  }

  private func variables(_ frames: String, _ more: [String: String] = [:]) throws -> [String:
    String]
  {
    let library =
      (try Command.path as NSString).deletingLastPathComponent + "/libCameraSimulator.so"
    try #require(FileManager.default.fileExists(atPath: library))
    return ["LD_PRELOAD": library, "RECEH_CAMERA_FRAMES": frames].merging(more) { $1 }
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
    let frames = try file([yuyv([RunFixture.red, RunFixture.green])])
    let events = try events(["--frames", "14"], try variables(frames))
    #expect(events.map(\.event).first == "ready")
    #expect(events.compactMap(\.total) == [600])
    #expect(events.map(\.event).last == "stopped")
    #expect(!events.contains { $0.event == "camera-lost" })
  }

  @Test func jpegPicturesAreCountedAndADamagedFirstOneIsOrdinary() throws {
    let whole = try DiscPicture.jpeg([RunFixture.red, RunFixture.green])
    let frames = try file([Array(whole.prefix(2000)), whole])
    let events = try events(
      ["--source", "v4l2:/dev/video0", "--frames", "14"],
      try variables(frames, ["RECEH_CAMERA_FORMAT": "MJPG"]))
    #expect(events.compactMap(\.total) == [600])
    #expect(!events.contains { $0.event == "camera-lost" || $0.event == "degraded" })
  }

  @Test func aCameraThatAppearsLaterIsPickedUp() throws {
    let frames = try file([yuyv([RunFixture.red])])
    let events = try events(
      ["--frames", "14"], try variables(frames, ["RECEH_CAMERA_APPEARS": "700"]))
    #expect(
      events.map(\.event).filter { $0.hasPrefix("camera") } == ["camera-lost", "camera-back"])
    #expect(events.first { $0.event == "camera-lost" }?.why?.contains("no camera") == true)
    #expect(events.compactMap(\.total) == [100])
  }

  @Test func aCameraPulledOutIsToldOfAndCountedOnWhenItIsBack() throws {
    let before = [[UInt8]](repeating: yuyv([RunFixture.red]), count: 60)
    let frames = try file(before + [yuyv([RunFixture.red, RunFixture.green])])
    let events = try events(
      ["--frames", "60"], try variables(frames, ["RECEH_CAMERA_UNPLUG": "60"]))
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
    let frames = try file([yuyv([])])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Command.path)
    process.arguments = ["run", "--model", fixture.model, "--json", "--no-voice"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      try variables(frames, ["RECEH_CAMERA_APPEARS": "1000000"])
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
