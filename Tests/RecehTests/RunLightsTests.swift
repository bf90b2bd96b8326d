import Foundation
import TestSupport
import Testing

/// The process that drives the lights, on a machine that has none.
@Suite struct RunLightsTests {
  let fixture: RunFixture

  init() throws {
    fixture = try RunFixture()
  }

  private func configuration(_ keys: String) throws -> String {
    try fixture.folder.file("receh.conf", Array(keys.utf8))
  }

  @Test func missingLightsAreToldOnceEachAndTheRestGoesOn() throws {
    try fixture.show([RunFixture.red], frames: 30)
    let keys = """
      [strip]
      type = apa102
      device = /dev/no-such-spidev
      [leds]
      ready = no-such-line
      fault = no-such-chip:5
      """
    let result = try fixture.run([
      "--source", fixture.frames, "--json", "--no-voice", "--fps", "10", "--config",
      try configuration(keys),
    ])
    let events = try RunFixture.events(result)
    #expect(result.status == 0)
    let parts = events.filter { $0.event == "degraded" }.compactMap(\.part)
    #expect(parts.sorted() == ["leds", "strip"])
    #expect(events.compactMap(\.total) == [100])
  }

  @Test func aFileThatIsNoSPINodeIsToldAsSuch() throws {
    try fixture.show([RunFixture.red], frames: 20)
    let keys = "[strip]\ntype = ws2812b\ndevice = /dev/null\n"
    let result = try fixture.run([
      "--source", fixture.frames, "--json", "--no-voice", "--fps", "10", "--config",
      try configuration(keys),
    ])
    let fault = try RunFixture.events(result).first { $0.event == "degraded" }
    #expect(fault?.part == "strip" && fault?.why?.contains("no SPI node") == true)
  }

  /// Processes that a process has started.
  private func children(of process: pid_t) throws -> [pid_t] {
    let path = "/proc/\(process)/task/\(process)/children"
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").compactMap {
      pid_t($0)
    }
  }

  private func withRun(_ body: (Process, Pipe) throws -> Void) throws {
    try fixture.show([RunFixture.red], frames: 3000)
    let output = Pipe()
    let process = try fixture.start(
      [
        "--no-voice", "--fps", "20", "--config",
        try configuration("[leds]\nready = no-such-line\n"),
      ], output: output)
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    try body(process, output)
  }

  /// Whether a process is gone, or ended and not waited for by whoever inherited it.
  private func isOver(_ process: pid_t) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return true
    }
    return stat.contains(") Z ")
  }

  @Test func theLightsProcessEndsWithARunThatIsKilled() throws {
    try withRun { process, output in
      #expect(output.hasEvent("degraded", part: "leds"))
      let children = try children(of: process.processIdentifier)
      #expect(children.count == 1)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      for child in children {
        while !isOver(child) { usleep(1000) }
      }
    }
  }

  @Test func aLightsProcessThatEndsIsToldAndStartedAnew() throws {
    try withRun { process, output in
      #expect(output.hasEvent("degraded", part: "leds"))
      let first = try #require(try children(of: process.processIdentifier).first)
      kill(first, SIGKILL)
      #expect(output.hasEvent("degraded", part: "lights"))
      #expect(output.hasEvent("recovered", part: "lights"))
      let second = try #require(try children(of: process.processIdentifier).first)
      #expect(second != first)
    }
  }

  @Test func signalsMeantForAllDoNotEndTheLightsProcessBeforeTheRun() throws {
    try withRun { process, output in
      #expect(output.hasEvent("degraded", part: "leds"))
      let child = try #require(try children(of: process.processIdentifier).first)
      for signal in [SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGQUIT, SIGUSR1] { kill(child, signal) }
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      #expect(isOver(child))
    }
  }
}
