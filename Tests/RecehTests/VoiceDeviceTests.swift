import Foundation
import TestSupport
import Testing

/// The voice as it is heard: played by ALSA itself into a file that its configuration names.
@Suite struct VoiceDeviceTests {
  let fixture: RunFixture

  init() throws {
    fixture = try RunFixture()
  }

  private var played: String { fixture.folder.path + "/device/played.raw" }
  private var spoken: String { fixture.folder.path + "/spoken" }
  private var token: String { fixture.folder.path + "/token" }

  /// Makes the default device one that writes what it plays into a file of a folder.
  /// - Parameter isThere: whether the folder is there, without which the device cannot be opened.
  private func device(isThere: Bool = true) throws -> [String: String] {
    let configuration = """
      pcm.!default {
        type file
        slave.pcm { type null }
        file "\(played)"
        format "raw"
      }
      """
    let path = try fixture.folder.file("asound.conf", Array(configuration.utf8))
    if isThere { try connect() }
    return ["ALSA_CONFIG_PATH": path, "RECEH_FAULT_SPOKEN": spoken].merging(try Faults.preload) {
      $1
    }
  }

  private func connect() throws {
    try FileManager.default.createDirectory(
      atPath: fixture.folder.path + "/device", withIntermediateDirectories: true)
  }

  /// Seconds of sound in the device's file.
  private func seconds() -> Double {
    let bytes = try? Data(contentsOf: URL(fileURLWithPath: played))
    return Double(bytes?.count ?? 0) / 44_100
  }

  /// What has been handed to espeak-ng so far.
  private func phrases() -> [String] {
    let text = try? String(contentsOfFile: spoken, encoding: .utf8)
    return text?.split(separator: "\n").map(String.init) ?? []
  }

  @Test func theDevicePlaysExactlyWhatTheFileOfTheSameTotalHolds() throws {
    try fixture.show([RunFixture.red, RunFixture.green, RunFixture.grey], frames: 12)
    let device = try device()
    let result = try fixture.run(["--source", fixture.frames, "--json"], variables: device)
    #expect(result.status == 0)
    #expect(try RunFixture.events(result).allSatisfy { $0.event != "degraded" })
    #expect(phrases() == ["enam ratus rupiah, satu koin tidak dikenal"])
    let heard = [UInt8](try Data(contentsOf: URL(fileURLWithPath: played)))
    let wav = fixture.folder.path + "/said.wav"
    _ = try fixture.run(["--source", fixture.frames, "--wav", wav])
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: wav)).dropFirst(44))
    #expect(seconds() > 1.5 && seconds() < 4)
    // The file has a pause after the phrase.
    #expect(file.count > heard.count && Array(file.prefix(heard.count)) == heard)
    #expect(file.dropFirst(heard.count).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [
    ([String: String](), ["siap"]),
    (["RECEH_CAMERA_APPEARS": "1500"], ["tidak ada kamera", "kamera siap"]),
  ])
  func whoSwitchesItOnHearsWhenItCounts(
    _ camera: [String: String], _ expected: [String]
  ) throws {
    var variables = try device()
    let faults = try #require(variables["LD_PRELOAD"])
    variables.merge(
      try RunFixture.camera(try fixture.cameraFrames([RunFixture.yuyv([])]), camera)
    ) { $1 }
    let simulator = try #require(variables["LD_PRELOAD"])
    variables["LD_PRELOAD"] = "\(simulator):\(faults)"
    let result = try fixture.run(["--frames", "30", "--json"], variables: variables)
    #expect(result.status == 0)
    #expect(phrases() == expected)
    #expect(seconds() > 0.2)
  }

  @Test func theNewestTotalCutsOffTheOneBeingSaid() throws {
    try fixture.show([RunFixture.red], frames: 10)
    try fixture.show([RunFixture.red, RunFixture.green], frames: 12)
    // Without being read the device takes no more, so that the first total is surely being said
    // when the second comes.
    let device = try device()
    #expect(mkfifo(played, 0o600) == 0)
    let reader = open(played, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    #expect(fcntl(reader, 1031, 4096) == 4096)  // F_SETPIPE_SZ
    defer { close(reader) }
    var count = 0
    var buffer = [UInt8](repeating: 0, count: 4096)
    let run = try LiveRun(fixture, variables: device)
    #expect(try run.wait(for: "total")?.total == 100)
    #expect(
      run.wait(until: {
        count += max(0, read(reader, &buffer, buffer.count))
        return count > 8000
      }))
    #expect(try run.wait(for: "total")?.total == 600)
    // Read no sooner than the voice knows of it.
    usleep(200_000)
    _ = run.wait(until: {
      count += max(0, read(reader, &buffer, buffer.count))
      return false
    })
    while case let more = read(reader, &buffer, buffer.count), more > 0 { count += more }
    #expect(try run.end() == 0)
    #expect(phrases() == ["seratus rupiah", "enam ratus rupiah"])
    let wav = fixture.folder.path + "/said.wav"
    _ = try fixture.run(["--source", fixture.frames, "--wav", wav, "--fps", "20"])
    // Both in full, each with a pause of three tenths of a second.
    let full = try Data(contentsOf: URL(fileURLWithPath: wav)).count - 44 - 2 * 13_230
    #expect(count > full / 3 && count < full - 8000)
  }

  @Test func aDeviceThatTakesNoMoreIsOpenedAnew() throws {
    try fixture.show([RunFixture.red], frames: 900)
    let device = try device()
    #expect(mkfifo(played, 0o600) == 0)
    let reader = open(played, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    #expect(fcntl(reader, 1031, 4096) == 4096)  // F_SETPIPE_SZ
    defer { close(reader) }
    let run = try LiveRun(fixture, variables: device)
    try run.wait(for: "total")
    #expect(try run.wait(for: "degraded")?.why?.contains("stuck") == true)
    let listener = Process()
    listener.executableURL = URL(fileURLWithPath: "/bin/cat")
    listener.arguments = [played]
    listener.standardOutput = FileHandle.nullDevice
    try listener.run()
    defer { listener.terminate() }
    #expect(try run.wait(for: "recovered")?.part == "voice")
    run.send(SIGTERM)
    #expect(try run.end() == 0)
  }

  @Test func aDeviceThatIsConnectedLaterSaysTheTotal() throws {
    try fixture.show([RunFixture.red], frames: 900)
    let device = try device(isThere: false)
    let run = try LiveRun(fixture, variables: device)
    try run.wait(for: "total")
    let fault = try run.wait(for: "degraded")
    #expect(fault?.part == "voice" && fault?.why?.contains("sound device") == true)
    #expect(!FileManager.default.fileExists(atPath: played))
    try connect()
    #expect(try run.wait(for: "recovered")?.part == "voice")
    #expect(run.wait(until: { seconds() > 0.8 }))
    run.send(SIGTERM)
    #expect(try run.end() == 0)
    // Tried now and then until it could be heard.
    #expect(Set(phrases()) == ["seratus rupiah"])
    #expect(run.events.filter { $0.event == "degraded" }.count == 1)
  }

  @Test func aDeviceTakenAwayInSilenceIsToldOfBeforeItIsNeeded() throws {
    try fixture.show([], frames: 900)
    var variables = try device()
    let gone = fixture.folder.path + "/gone"
    variables["RECEH_FAULT_GONE"] = gone
    let run = try LiveRun(fixture, variables: variables)
    try run.wait(for: "total")
    _ = try fixture.folder.file("gone", [])
    let fault = try run.wait(for: "degraded")
    #expect(fault?.part == "voice" && fault?.why?.contains("sound device") == true)
    #expect(try run.wait(for: "recovered")?.part == "voice")
    #expect(phrases().isEmpty)
    run.send(SIGTERM)
    #expect(try run.end() == 0)
  }

  @Test(arguments: [("HANG", "stuck"), ("CRASH", "broke down")])
  func aVoiceThatBreaksIsStartedAnewAndSaysTheTotal(_ kind: String, _ reason: String) throws {
    try fixture.show([RunFixture.red], frames: 900)
    var variables = try device()
    variables["RECEH_FAULT_\(kind)"] = try fixture.folder.file("token", [])
    let run = try LiveRun(fixture, variables: variables)
    try run.wait(for: "total")
    let fault = try run.wait(for: "degraded")
    #expect(fault?.part == "voice" && fault?.why?.contains(reason) == true)
    #expect(try run.wait(for: "recovered")?.part == "voice")
    #expect(run.wait(until: { seconds() > 0.8 }))
    run.send(SIGTERM)
    #expect(try run.end() == 0)
    // Begun twice: by the voice that broke and by the next.
    #expect(phrases() == ["seratus rupiah", "seratus rupiah"])
    #expect(try run.complaints.isEmpty)
  }

  @Test func aVoiceWhoseProcessesAreAllEndedIsStartedAnew() throws {
    try fixture.show([RunFixture.red], frames: 900)
    let run = try LiveRun(fixture, variables: try device())
    try run.wait(for: "total")
    #expect(run.wait(until: { seconds() > 0.8 }))
    for process in descendants(of: run.identifier) { kill(process, SIGKILL) }
    #expect(try run.wait(for: "degraded")?.part == "voice")
    #expect(try run.wait(for: "recovered")?.part == "voice")
    run.send(SIGTERM)
    #expect(try run.end() == 0)
  }

  @Test func theVoiceEndsWithARunThatIsKilled() throws {
    try fixture.show([RunFixture.red], frames: 900)
    let run = try LiveRun(fixture, variables: try device())
    try run.wait(for: "total")
    let processes = descendants(of: run.identifier)
    #expect(processes.count == 2)
    run.send(SIGKILL)
    #expect(try run.end() == -SIGKILL)
    for process in processes {
      // Gone, or ended and waiting for the system to clear it away.
      while let state = state(of: process), state != "Z" { usleep(1000) }
    }
  }

  @Test func aVoiceThatHangsDoesNotHoldUpTheEnd() throws {
    try fixture.show([RunFixture.red], frames: 900)
    var variables = try device()
    variables["RECEH_FAULT_HANG"] = try fixture.folder.file("token", [])
    let run = try LiveRun(fixture, variables: variables)
    try run.wait(for: "total")
    #expect(run.wait(until: { !FileManager.default.fileExists(atPath: token) }))
    run.send(SIGTERM)
    #expect(try run.end() == 0)
    #expect(run.events.last?.event == "stopped")
    #expect(run.events.allSatisfy { $0.event != "degraded" })
  }

  @Test func missingDataIsToldAndTheVoiceSpeaksOnceItIsInstalled() throws {
    try fixture.show([RunFixture.red], frames: 900)
    var variables = try device()
    variables["RECEH_FAULT_DATA"] = try fixture.folder.file("token", [])
    let run = try LiveRun(fixture, variables: variables)
    #expect(try run.wait(for: "degraded")?.why?.contains("espeak-ng-data") == true)
    try run.wait(for: "total")
    #expect(unlink(token) == 0)
    #expect(try run.wait(for: "recovered")?.part == "voice")
    #expect(run.wait(until: { !phrases().isEmpty }))
    run.send(SIGTERM)
    #expect(try run.end() == 0)
    #expect(phrases() == ["seratus rupiah"])
  }

  @Test func nothingIsSpokenWithoutAVoiceOfTheLanguage() throws {
    try fixture.show([RunFixture.red], frames: 12)
    var variables = try device()
    // Being made to speak without a voice would crash and be told as that.
    variables["RECEH_FAULT_VOICE"] = "1"
    let result = try fixture.run(["--source", fixture.frames, "--json"], variables: variables)
    let events = try RunFixture.events(result)
    #expect(result.status == 0)
    let faults = events.filter { $0.event == "degraded" }
    #expect(faults.count == 1)
    #expect(faults.first?.why?.contains("no voice of this language") == true)
    #expect(events.compactMap(\.total) == [100])
  }

  @Test func aVoiceThatCannotBeStartedIsToldAndCountingGoesOn() throws {
    try fixture.show([RunFixture.red], frames: 12)
    var variables = try device()
    variables["RECEH_FAULT_FORK"] = "1"
    let result = try fixture.run(["--source", fixture.frames, "--json"], variables: variables)
    let events = try RunFixture.events(result)
    #expect(result.status == 0)
    #expect(
      events.first { $0.event == "degraded" }?.why?.contains("process cannot be started") == true)
    #expect(events.compactMap(\.total) == [100])
  }

  @Test func theTotalIsSaidAgainOnDemand() throws {
    try fixture.show([RunFixture.red], frames: 900)
    let run = try LiveRun(fixture, variables: try device())
    try run.wait(for: "ready")
    run.send(SIGUSR1)
    #expect(run.wait(until: { !phrases().isEmpty }))
    try run.wait(for: "total")
    #expect(run.wait(until: { phrases().count == 2 }))
    run.send(SIGUSR1)
    #expect(run.wait(until: { phrases().count == 3 }))
    run.send(SIGTERM)
    #expect(try run.end() == 0)
    #expect(phrases() == ["belum ada hitungan", "seratus rupiah", "seratus rupiah"])
  }

  @Test func changesAreSpokenWhenTheConfigurationSaysSo() throws {
    try fixture.show([RunFixture.red], frames: 10)
    try fixture.show([RunFixture.red, RunFixture.green], frames: 12)
    try fixture.show([RunFixture.green], frames: 30)
    let path = try fixture.folder.file("receh.conf", Array("[voice]\nchanges = on\n".utf8))
    // Into a file, in which no phrase is cut off by the next.
    let variables = ["RECEH_FAULT_SPOKEN": spoken].merging(try Faults.preload) { $1 }
    let result = try fixture.run(
      [
        "--source", fixture.frames, "--fps", "20", "--config", path, "--wav",
        fixture.folder.path + "/said.wav",
      ], variables: variables)
    #expect(result.status == 0)
    #expect(
      phrases() == [
        "seratus rupiah", "tambah lima ratus, jadi enam ratus rupiah",
        "kurang seratus, jadi lima ratus rupiah",
      ])
  }

  /// The processes below one, as `/proc` tells.
  private func descendants(of process: pid_t) -> [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let children = all.compactMap(pid_t.init).filter { parent(of: $0) == process }
    return children + children.flatMap { descendants(of: $0) }
  }

  private func parent(of process: pid_t) -> pid_t? {
    fields(of: process).flatMap { $0.count > 1 ? pid_t($0[1]) : nil }
  }

  private func state(of process: pid_t) -> String? { fields(of: process)?.first }

  /// What follows the name in a process's `stat`: state, parent and the rest.
  private func fields(of process: pid_t) -> [String]? {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    guard let text, let end = text.lastIndex(of: ")") else { return nil }
    return text[text.index(after: end)...].split(separator: " ").map(String.init)
  }
}
