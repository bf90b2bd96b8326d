import Foundation
import TestSupport
import Testing

/// Teaching and calibrating, run from outside with the model of discs: a grey disc is a coin it
/// does not name.
@Suite struct TeachTests {
  let fixture: RunFixture
  let configuration: String

  init() throws {
    fixture = try RunFixture()
    let folder = fixture.folder.path
    let text = """
      [ledger]
      file = \(folder)/ledger
      [teaching]
      file = \(folder)/taught
      [calibration]
      file = \(folder)/calibration

      """
    configuration = try fixture.folder.file("receh.conf", Array(text.utf8))
  }

  private func receh(_ words: String...) throws -> Command.Result {
    try Command.run(
      (words + ["--config", configuration, "--model", fixture.model]).map { Array($0.utf8) })
  }

  /// Adds ten photographs of one disc, each in another place.
  private func showViews(of colour: (Double, Double, Double)) throws {
    for index in 0..<10 {
      let disc = Disc(x: 150 + 30 * Double(index), y: 120 + 20 * Double(index), colour: colour)
      try fixture.show([disc], frames: 1)
    }
  }

  private func teach(_ name: String) throws -> Command.Result {
    try showViews(of: Disc.grey)
    return try receh("teach", name, "--source", fixture.frames, "--no-voice", "--json")
  }

  /// The names and values that `receh count` gives in a picture of a red and a grey disc.
  private func counted() throws -> String {
    let picture = try fixture.folder.file(
      "both.jpg", try DiscPicture.jpeg([RunFixture.red, RunFixture.grey]))
    return try receh("count", "--json", picture).outputText
  }

  @Test func aTaughtCoinIsCountedUnderItsName() throws {
    #expect(try counted().contains("\"unsure\":1"))
    let lesson = try teach("abu")
    #expect(lesson.status == 0)
    #expect(lesson.lines.filter { $0.contains("\"step\":\"view\"") }.count == 9)
    #expect(lesson.lines.contains { $0.contains("\"step\":\"flip\"") })
    #expect(lesson.lines.contains { $0.contains("\"step\":\"learned\"") && $0.contains("abu") })
    let line = try counted()
    #expect(line.contains("\"name\":\"abu\"") && line.contains("\"unsure\":0"))
    #expect(line.contains("\"total\":100"))
  }

  @Test func aTaughtRupiahCoinCountsWithItsValue() throws {
    #expect(try teach("200").status == 0)
    let line = try counted()
    #expect(line.contains("\"total\":300") && line.contains("\"unsure\":0"))
  }

  @Test func aTaughtCoinIsSpokenAndKeptInARun() throws {
    #expect(try teach("abu").status == 0)
    try FileManager.default.removeItem(atPath: fixture.frames)
    try FileManager.default.createDirectory(
      atPath: fixture.frames, withIntermediateDirectories: true)
    try fixture.show([RunFixture.red, RunFixture.grey], frames: 14)
    try fixture.show([], frames: 24)
    let text = "mode = session\n" + (try String(contentsOfFile: configuration, encoding: .utf8))
    let session = try fixture.folder.file("session.conf", Array(text.utf8))
    let result = try fixture.run(
      ["--source", fixture.frames, "--config", session, "--no-voice"])
    #expect(result.lines.contains("+ abu"))
    #expect(result.lines.contains("Total Rp100 (2 koin, 1 abu)"))
    let ledger = try Command.run("ledger", "--csv", "--config", session).lines
    #expect(ledger.last?.hasSuffix(",1 abu") == true)
  }

  @Test func aCoinThatIsKnownIsNotTaught() throws {
    try showViews(of: Disc.green)
    let lesson = try receh("teach", "hijau", "--source", fixture.frames, "--no-voice")
    #expect(lesson.status == 1)
    #expect(lesson.lines.contains("Koin ini sudah dikenal, lima ratus rupiah"))
  }

  @Test func aLessonThatIsTooShortTeachesNothing() throws {
    try fixture.show([RunFixture.grey], frames: 2)
    let lesson = try receh("teach", "abu", "--source", fixture.frames, "--no-voice", "--json")
    #expect(lesson.status == 1)
    #expect(lesson.lines.contains { $0.contains("\"step\":\"ended\"") })
    #expect(try receh("teach", "--list").lines.isEmpty)
  }

  @Test func whatWasTaughtIsListedAndForgotten() throws {
    #expect(try teach("abu").status == 0)
    #expect(try receh("teach", "--list").lines == ["abu, 10 views"])
    #expect(try receh("teach", "--forget", "perak").status == 1)
    #expect(try receh("teach", "--forget", "abu").status == 0)
    #expect(try counted().contains("\"unsure\":1"))
  }

  @Test func aDamagedFileIsToldOfAndCountingGoesOn() throws {
    #expect(try teach("abu").status == 0)
    let path = fixture.folder.path + "/taught"
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[40] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let picture = try fixture.folder.file("red.jpg", try DiscPicture.jpeg([RunFixture.red]))
    let result = try receh("count", "--json", picture)
    #expect(result.status == 0 && result.outputText.contains("\"total\":100"))
    #expect(result.complaints.count == 1 && result.complaints[0].contains("/taught: is damaged"))
  }

  @Test func mistakesOnTheCommandLineAreTold() throws {
    #expect(try Command.run("teach").status == 2)
    #expect(try Command.run("teach", "a,b", "--source", "x").status == 2)
    #expect(try receh("teach", "--list", "--forget", "abu").status == 2)
    #expect(try Command.run("teach", "--help").lines.first?.hasPrefix("Usage:") == true)
  }

  @Test func aTrayIsCalibratedAndGoneBy() throws {
    try fixture.show([], frames: 6)
    try fixture.show([RunFixture.red, RunFixture.green], frames: 16)
    let result = try receh("calibrate", "--source", fixture.frames, "--no-voice", "--json")
    // Both discs are equally wide and their faces are not: sizes do not agree, and that is said.
    #expect(result.status == 1)
    #expect(result.lines.contains { $0.contains("\"step\":\"lay-coins\"") })
    #expect(result.lines.contains { $0.contains("\"step\":\"unclear\"") })
    try FileManager.default.removeItem(atPath: fixture.frames)
    try FileManager.default.createDirectory(
      atPath: fixture.frames, withIntermediateDirectories: true)
    try fixture.show([], frames: 6)
    try fixture.show([RunFixture.red], frames: 28)
    let again = try receh("calibrate", "--source", fixture.frames, "--no-voice", "--json")
    #expect(again.status == 0)
    #expect(again.lines.contains { $0.contains("\"step\":\"done\"") && $0.contains("true") })
    #expect(FileManager.default.fileExists(atPath: fixture.folder.path + "/calibration"))
  }

  @Test func aCameraThatWasMovedIsSaid() throws {
    // A large blue disc is nothing coin-like, and so part of the ground.
    let ground = Disc(x: 200, y: 240, radius: 180, colour: Disc.blue)
    let coin = Disc(x: 520, y: 120, colour: RunFixture.red.colour)
    try fixture.show([ground], frames: 6)
    try fixture.show([ground, coin], frames: 28)
    #expect(try receh("calibrate", "--source", fixture.frames, "--no-voice").status == 0)
    let run = ["--source", fixture.frames, "--config", configuration, "--no-voice", "--json"]
    let before = try RunFixture.events(try fixture.run(run))
    #expect(!before.contains { $0.event == "degraded" })
    try FileManager.default.removeItem(atPath: fixture.frames)
    try FileManager.default.createDirectory(
      atPath: fixture.frames, withIntermediateDirectories: true)
    try fixture.show([Disc(x: 440, y: 240, radius: 180, colour: Disc.blue)], frames: 24)
    let after = try RunFixture.events(try fixture.run(run))
    #expect(after.filter { $0.event == "degraded" }.map(\.part) == ["calibration"])
  }
}
