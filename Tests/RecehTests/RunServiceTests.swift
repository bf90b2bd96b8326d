import Foundation
import TestSupport
import Testing

/// Runs as systemd starts and steers them.
@Suite struct RunServiceTests {
  let fixture: RunFixture

  init() throws {
    fixture = try RunFixture()
  }

  /// The socket of a service manager, and what has been sent to it.
  private final class Manager {
    private let descriptor: Int32
    private(set) var messages: [String] = []

    /// Binds a socket to a path, or after an `@` to an abstract name.
    init(_ name: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      var bytes = Array(name.utf8)
      if name.hasPrefix("@") { bytes[0] = 0 }
      try #require(bytes.count < 100)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let size = socklen_t(2 + bytes.count)
      let status = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
      }
      try #require(status == 0)
    }

    deinit {
      close(descriptor)
    }

    /// Takes what has been sent and returns whether `text` has been at any time.
    func has(_ text: String) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count <= 0 { break }
        messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
      }
      return messages.contains { $0.contains(text) }
    }
  }

  @Test(arguments: [false, true])
  func theServiceManagerIsToldOfEveryMomentItWaitsFor(isAbstract: Bool) throws {
    try fixture.show([RunFixture.red], frames: 900)
    let name = isAbstract ? "@receh-" + UUID().uuidString : fixture.folder.path + "/notify"
    let manager = try Manager(name)
    let configuration = try fixture.folder.file("receh.conf", [])
    let run = try LiveRun(
      fixture, ["--no-voice", "--config", configuration],
      variables: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "200000"])
    try run.wait(for: "total")
    #expect(run.wait(until: { manager.has("STATUS=Total Rp100 (1 coin)") }))
    #expect(manager.messages.first == "READY=1\n")
    let signs = manager.messages.filter { $0 == "WATCHDOG=1\n" }.count
    #expect(
      run.wait(until: {
        _ = manager.has("")
        return manager.messages.filter { $0 == "WATCHDOG=1\n" }.count > signs + 3
      }))
    run.send(SIGHUP)
    try run.wait(for: "reloaded")
    #expect(run.wait(until: { manager.has("RELOADING=1\nMONOTONIC_USEC=") }))
    #expect(
      run.wait(until: {
        _ = manager.has("")
        return manager.messages.filter { $0 == "READY=1\n" }.count == 2
      }))
    run.send(SIGTERM)
    #expect(try run.end() == 0)
    #expect(manager.has("STOPPING=1"))
  }

  @Test func aWatchdogMeantForAnotherProcessIsLeftAlone() throws {
    try fixture.show([RunFixture.red], frames: 12)
    let name = fixture.folder.path + "/notify"
    let manager = try Manager(name)
    let result = try fixture.run(
      ["--source", fixture.frames, "--no-voice", "--fps", "20"],
      variables: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"])
    #expect(result.status == 0)
    #expect(manager.has("READY=1"))
    #expect(!manager.has("WATCHDOG=1"))
  }

  @Test(arguments: ["", "relative", "/nowhere/at/all", "@", String(repeating: "/x", count: 200)])
  func aServiceManagerThatCannotBeReachedIsNothingToTell(name: String) throws {
    try fixture.show([RunFixture.red], frames: 12)
    let result = try fixture.run(
      ["--source", fixture.frames, "--no-voice", "--json"],
      variables: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "nonsense"])
    #expect(result.status == 0)
    #expect(result.complaints.isEmpty)
    #expect(try RunFixture.events(result).compactMap(\.total) == [100])
  }

  @Test func theConfigurationIsReadAnewOnDemand() throws {
    try fixture.show([RunFixture.red], frames: 900)
    let spoken = fixture.folder.path + "/spoken"
    let configuration = try fixture.folder.file("receh.conf", Array("language = id\n".utf8))
    let variables = ["RECEH_FAULT_SPOKEN": spoken].merging(try Faults.preload) { $1 }
    func phrases() -> [String] {
      let text = try? String(contentsOfFile: spoken, encoding: .utf8)
      return text?.split(separator: "\n").map(String.init) ?? []
    }
    let run = try LiveRun(
      fixture, ["--config", configuration, "--wav", fixture.folder.path + "/said.wav"],
      variables: variables)
    try run.wait(for: "total")
    #expect(run.wait(until: { phrases() == ["seratus rupiah"] }))
    _ = try fixture.folder.file("receh.conf", Array("language = en\n".utf8))
    run.send(SIGHUP)
    try run.wait(for: "reloaded")
    run.send(SIGUSR1)
    #expect(run.wait(until: { phrases() == ["seratus rupiah", "one hundred rupiah"] }))
    // A mistake leaves everything as it was, is told with its line, and is over once it is
    // corrected.
    _ = try fixture.folder.file("receh.conf", Array("language = id\nvolume = 3\n".utf8))
    run.send(SIGHUP)
    #expect(try run.wait(for: "degraded")?.part == "configuration")
    #expect(try run.complaints.count == 1)
    #expect(try run.complaints.first?.contains("receh.conf:2: unknown key 'volume'") == true)
    run.send(SIGUSR1)
    #expect(run.wait(until: { phrases().count == 3 }))
    #expect(phrases().last == "one hundred rupiah")
    _ = try fixture.folder.file("receh.conf", Array("[voice]\nenabled = on\n".utf8))
    run.send(SIGHUP)
    #expect(try run.wait(for: "recovered")?.part == "configuration")
    run.send(SIGTERM)
    #expect(try run.end() == 0)
  }

  @Test func theVoiceIsTurnedOffAndOnByTheConfiguration() throws {
    try fixture.show([RunFixture.red], frames: 900)
    let configuration = try fixture.folder.file(
      "receh.conf", Array("[voice]\nenabled = off\n".utf8))
    let run = try LiveRun(
      fixture, ["--config", configuration], variables: ["ALSA_CONFIG_PATH": "/dev/null"])
    try run.wait(for: "total")
    #expect(run.events.allSatisfy { $0.event != "degraded" })
    _ = try fixture.folder.file("receh.conf", Array("[voice]\nenabled = on\n".utf8))
    run.send(SIGHUP)
    #expect(try run.wait(for: "degraded")?.why?.contains("sound device") == true)
    run.send(SIGTERM)
    #expect(try run.end() == 0)
  }

  @Test(arguments: [
    ("", 0), ("[voice]\nvolume = 200\n", 0), ("[voice]\nvolume = 201\n", 2), ("colour = red\n", 2),
    ("language = id\nlanguage = en\n", 2), ("model = /none\n", 2), ("[voice", 2),
  ])
  func theConfigurationIsCheckedWithoutRunning(text: String, status: Int32) throws {
    let path = try fixture.folder.file("receh.conf", Array(text.utf8))
    let result = try Command.run("run", "--check", "--config", path)
    #expect(result.status == status)
    #expect(result.complaints.count == (status == 0 ? 0 : 1))
    #expect(result.lines == (status == 0 ? ["\(path): in order"] : []))
  }

  @Test func linesToTheJournalCarryPriorities() throws {
    try fixture.show([RunFixture.red], frames: 12)
    try fixture.add(Array("no picture".utf8), frames: 3)
    let log = try fixture.folder.file("journal", [])
    var status = stat()
    #expect(stat(log, &status) == 0)
    // Both streams are the journal, as a service's are.
    let result = try Command.run(
      [
        "-c", "exec \"$0\" \"$@\" >\"$LOG\" 2>&1", try Command.path, "run", "--model",
        fixture.model, "--source", fixture.frames, "--no-voice",
      ].map { Array($0.utf8) }, executable: "/bin/sh",
      variables: ["LOG": log, "JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"])
    #expect(result.status == 1)
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains("<5>Ready to count."))
    #expect(lines.contains("<7>+ Rp100"))
    #expect(lines.contains("<6>Total Rp100 (1 coin)"))
    #expect(lines.filter { $0.hasPrefix("<4>Degraded: a frame could not be read") }.count == 1)
    #expect(lines.filter { $0.hasPrefix("<4>Degraded 3 times: a frame") }.count == 1)
    #expect(lines.filter { $0.hasPrefix("<3>receh run: ") }.count == 3)
    #expect(lines.last == "<5>Stopped.")
    #expect(lines.allSatisfy { $0.wholeMatch(of: /<[3-7]>.*/) != nil })
  }

  @Test func linesThatDoNotGoToTheJournalCarryNone() throws {
    try fixture.show([RunFixture.red], frames: 12)
    let result = try fixture.run(
      ["--source", fixture.frames, "--no-voice", "--language", "en"],
      variables: ["JOURNAL_STREAM": "1:1"])
    #expect(result.lines.first == "Ready to count.")
    #expect(result.complaints.isEmpty)
  }

  @Test func aWavFileThatCannotBeWrittenIsAFailure() throws {
    try fixture.show([RunFixture.red], frames: 12)
    let result = try fixture.run(["--source", fixture.frames, "--json", "--wav", "/dev/full"])
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(
      result.complaints.first?.contains(
        "--wav /dev/full: cannot be written (No space left on device); check the folder") == true)
    #expect(try RunFixture.events(result).compactMap(\.total) == [100])
  }

  @Test func aWavFileThatLacksWhatWasSaidIsAFailure() throws {
    try fixture.show([RunFixture.red], frames: 12)
    let variables = ["RECEH_FAULT_VOICE": "1"].merging(try Faults.preload) { $1 }
    let wav = fixture.folder.path + "/said.wav"
    let result = try fixture.run(
      ["--source", fixture.frames, "--json", "--wav", wav], variables: variables)
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.contains("\(wav): lacks what was to be said") == true)
  }

  @Test func aThreadThatCannotBeStartedIsTold() throws {
    try fixture.show([RunFixture.red], frames: 1)
    let variables = ["RECEH_FAULT_THREAD": "1"].merging(try Faults.preload) { $1 }
    let result = try fixture.run(["--source", fixture.frames, "--no-voice"], variables: variables)
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.contains("thread that reads frames cannot be started") == true)
  }

  @Test func namesThatFindNoMemoryAreTold() throws {
    let name = String(repeating: "n", count: 200) + ".jpg"
    _ = try fixture.folder.file("frames/" + name, Array("no picture".utf8))
    let size = fixture.frames.utf8.count + 1 + name.utf8.count + 1
    let variables = ["RECEH_FAULT_MEMORY": "\(size)"].merging(try Faults.preload) { $1 }
    let result = try fixture.run(["--source", fixture.frames, "--no-voice"], variables: variables)
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(
      result.complaints.first?.contains("no memory for the names of pictures, \(size) bytes")
        == true)
  }
}
