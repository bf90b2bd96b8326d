import Foundation
import TestSupport
import Testing

@Suite struct RunTests {
  let fixture: RunFixture

  init() throws {
    fixture = try RunFixture()
  }

  @Test func coinsOfAFolderAreCountedOnce() throws {
    try fixture.show([RunFixture.red, RunFixture.green, RunFixture.grey], frames: 12)
    let events = try fixture.events()
    #expect(events.map(\.event).first == "ready")
    #expect(events.map(\.event).last == "stopped")
    let added = events.filter { $0.event == "coin-added" }.compactMap(\.value)
    #expect(added.sorted() == [0, 100, 500])
    let totals = events.filter { $0.event == "total" }
    #expect(totals.count == 1)
    #expect(totals.first?.total == 600 && totals.first?.coins == 3 && totals.first?.unsure == 1)
    #expect(events.last?.frame == 12)
    // 10 pictures a second where nothing else is said.
    #expect(events.last?.ms == 1200)
  }

  @Test func coinsThatComeAndGoChangeTheTotal() throws {
    try fixture.show([RunFixture.red], frames: 10)
    try fixture.show([RunFixture.red, RunFixture.green], frames: 12)
    try fixture.show([RunFixture.green], frames: 16)
    let events = try fixture.events()
    #expect(events.compactMap(\.total) == [100, 600, 500])
    #expect(events.filter { $0.event == "coin-removed" }.compactMap(\.value) == [100])
    let ids = events.filter { $0.event == "coin-added" }.compactMap(\.id)
    #expect(ids == [1, 2])
  }

  @Test func picturesAreTakenInNaturalOrder() throws {
    // In plain order of bytes 10 to 19 would come before 2, and the coin would go and come again.
    try fixture.show([], frames: 9)
    try fixture.show([RunFixture.red], frames: 11)
    let events = try fixture.events()
    #expect(events.compactMap(\.total) == [0, 100])
  }

  @Test func aVideoIsCountedAtItsOwnRate() throws {
    let shown = [[Disc]](repeating: [RunFixture.red, RunFixture.green], count: 14)
    let video = try fixture.video(shown)
    let result = try fixture.run(["--source", video, "--json", "--no-voice"])
    let events = try RunFixture.events(result)
    #expect(result.status == 0)
    #expect(events.compactMap(\.total) == [600])
    #expect(events.last?.ms == 14 * 50)
  }

  @Test func theSameFramesGiveTheSameBytesAtAnyPace() throws {
    try fixture.show([RunFixture.red], frames: 10)
    try fixture.show([RunFixture.red, RunFixture.green], frames: 10)
    let free = try fixture.run(["--source", fixture.frames, "--json", "--no-voice"])
    let paced = try fixture.run(
      ["--source", fixture.frames, "--json", "--no-voice", "--fps", "10"])
    #expect(free.status == 0 && !free.output.isEmpty)
    #expect(free.output == paced.output)
  }

  @Test func framesEndTheRunWhereTheyAreTold() throws {
    try fixture.show([RunFixture.red], frames: 12)
    let events = try fixture.events("--frames", "2")
    #expect(events.map(\.event) == ["ready", "stopped"])
    #expect(events.last?.frame == 2)
  }

  @Test func anUnreadableFrameIsToldOfAndTheRestAreCounted() throws {
    try fixture.show([RunFixture.red], frames: 6)
    try fixture.add(Array("no picture".utf8))
    try fixture.show([RunFixture.red], frames: 6)
    let result = try fixture.run(["--source", fixture.frames, "--json", "--no-voice"])
    let events = try RunFixture.events(result)
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.contains("/7.jpg: ") == true)
    #expect(events.filter { $0.event == "degraded" }.compactMap(\.part) == ["source"])
    #expect(events.compactMap(\.total) == [100])
  }

  @Test func aTruncatedVideoIsCountedUpToItsLastWholeFrame() throws {
    let video = try fixture.video([[Disc]](repeating: [RunFixture.red], count: 12))
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: video)))
    bytes.removeLast(1000)
    let cut = try fixture.folder.file("cut.y4m", bytes)
    let result = try fixture.run(["--source", cut, "--json", "--no-voice"])
    let events = try RunFixture.events(result)
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.contains("ends within a frame") == true)
    #expect(events.compactMap(\.total) == [100])
    #expect(events.last?.event == "stopped")
  }

  @Test func peopleGetLinesInTheirLanguage() throws {
    try fixture.show([RunFixture.red, RunFixture.green, RunFixture.grey], frames: 12)
    let indonesian = try fixture.run(["--source", fixture.frames, "--no-voice"])
    #expect(indonesian.lines.first == "Siap menghitung.")
    #expect(indonesian.lines.contains("Total Rp600 (3 koin, 1 tidak dikenal)"))
    #expect(indonesian.lines.last == "Selesai.")
    let english = try fixture.run(["--source", fixture.frames, "--no-voice", "--language", "en"])
    #expect(english.lines.contains("Total Rp600 (3 coins, 1 unknown)"))
  }

  @Test func theTotalIsSpokenIntoAWavFile() throws {
    try fixture.show([RunFixture.red, RunFixture.green], frames: 12)
    let wav = fixture.folder.path + "/said.wav"
    let result = try fixture.run(["--source", fixture.frames, "--json", "--wav", wav])
    #expect(result.status == 0)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: wav)))
    #expect(String(decoding: bytes.prefix(4), as: UTF8.self) == "RIFF")
    let seconds = Double(bytes.count - 44) / 44_100
    #expect(seconds > 0.8 && seconds < 4)
    #expect(bytes.dropFirst(44).contains { $0 != 0 })
  }

  @Test func aMachineWithoutSoundSaysSoAndCountsOn() throws {
    try fixture.show([RunFixture.red], frames: 12)
    let result = try fixture.run(
      ["--source", fixture.frames, "--json"], variables: ["ALSA_CONFIG_PATH": "/dev/null"])
    let events = try RunFixture.events(result)
    #expect(result.status == 0)
    #expect(result.complaints.isEmpty)
    let faults = events.filter { $0.event == "degraded" }
    #expect(faults.map(\.part) == ["voice"])
    #expect(faults.first?.why?.contains("sound device") == true)
    #expect(events.compactMap(\.total) == [100])
  }

  @Test func aStoppedReaderOfTheOutputEndsTheRun() throws {
    try fixture.show([RunFixture.red], frames: 12)
    let result = try fixture.run(
      ["--source", fixture.frames, "--json", "--no-voice"], output: "/dev/full")
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
  }
}
