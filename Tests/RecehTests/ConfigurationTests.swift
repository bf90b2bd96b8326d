import Foundation
import TestSupport
import Testing

@testable import receh

@Suite struct ConfigurationTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What a text reads as; the fault instead, where there is one.
  private func read(_ text: String) -> (Configuration, ConfigurationFault?) {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { raw in
      var parser = ConfigurationParser(bytes: raw)
      let fault = parser.parse()
      return (parser.configuration, fault)
    }
  }

  /// The error line of a run with a configuration of this text, after the file's name.
  private func complaint(_ text: String) throws -> String {
    let path = try folder.file("receh.conf", Array(text.utf8))
    let result = try Command.run("run", "--config", path, "--source", folder.path)
    #expect(result.status == 2)
    #expect(result.complaints.count == 1)
    let line = result.complaints.first ?? ""
    let prefix = "receh run: \(path):"
    #expect(line.hasPrefix(prefix))
    return String(line.dropFirst(prefix.count))
  }

  @Test func everyKeyIsObeyed() {
    let (configuration, fault) = read(
      """
      ; a comment
      language = en
      withdrawn=count
      stable = 400
      model = /var/lib/receh/own.model

      [voice]
      enabled = off
      volume = 150
      rate = 90
      pitch = 10
      [strip]
      # another comment
      length = 144
      brightness = 5
      terminal = on
      """)
    #expect(fault == nil)
    #expect(configuration.language == .english)
    #expect(configuration.countsWithdrawn)
    #expect(configuration.stableMilliseconds == 400)
    #expect((0..<25).map { configuration.model[$0] } == Array("/var/lib/receh/own.model\0".utf8))
    #expect(!configuration.isVoiceOn)
    #expect(configuration.volume == 150 && configuration.rate == 90 && configuration.pitch == 10)
    #expect(configuration.stripLength == 144 && configuration.stripBrightness == 5)
    #expect(configuration.stripDrawing == .on)
  }

  @Test func theExampleNamesEveryKeyWithItsDefault() throws {
    let path =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path + "/board/receh.conf"
    let example = try String(contentsOfFile: path, encoding: .utf8)
    // The commented keys are made to speak; the model's path alone is not its default.
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("#") && line.contains(" = ") && !line.hasPrefix("# ")
        ? String(line.dropFirst()) : String(line)
    }
    let (configuration, fault) = read(lines.joined(separator: "\n"))
    #expect(fault == nil)
    let defaults = Configuration()
    #expect(configuration.language == defaults.language)
    #expect(configuration.countsWithdrawn == defaults.countsWithdrawn)
    #expect(configuration.stableMilliseconds == defaults.stableMilliseconds)
    #expect(configuration.isVoiceOn == defaults.isVoiceOn)
    #expect(configuration.volume == defaults.volume && configuration.rate == defaults.rate)
    #expect(configuration.pitch == defaults.pitch)
    #expect(configuration.stripLength == defaults.stripLength)
    #expect(configuration.stripBrightness == defaults.stripBrightness)
    #expect(configuration.stripDrawing == defaults.stripDrawing)
    let keys = ConfigurationKey.all()
    for index in 0..<ConfigurationKey.count {
      let name = keys[index].name.description
      #expect(lines.contains { $0.hasPrefix("\(name) = ") }, "\(name)")
    }
  }

  @Test(arguments: [
    ("volumne = 3", "1: unknown key 'volumne'"),
    ("\n[voice]\nlanguage = id", "3: unknown key 'language' of [voice]"),
    ("[lamps]\nlength = 30", "2: unknown key 'length' of [lamps]"),
    ("language = fr", "1: 'fr' is no value of 'language'; give id or en"),
    ("withdrawn = yes", "1: 'yes' is no value of 'withdrawn'; give count or ignore"),
    ("stable = -1", "1: '-1' is no value of 'stable'; give a whole number from 0 to 10000"),
    ("[voice]\nvolume = 201", "2: '201' is no value of 'volume'"),
    ("[voice]\nrate = fast", "2: 'fast' is no value of 'rate'"),
    ("[strip]\nlength =", "2: '' is no value of 'length'"),
    ("language = id\n\nlanguage = id", "3: 'language' is given again; it was on line 1 already"),
    ("language = id\nnonsense\n", "2: is neither 'key = value' nor '[section]'"),
    ("[voice\nrate = 100", "1: is neither 'key = value' nor '[section]'"),
    ("nonsense\nlanguage = fr", "1: is neither"),
    ("language = fr\nnonsense", "1: 'fr' is no value"),
    ("model = \(String(repeating: "x", count: 300))", "1: is too long"),
    ("language = \u{1B}[2J", "1: '\\x1b[2J' is no value"),
    ("language = id\0withdrawn = count", "1: is neither"),
  ])
  func aMistakeIsToldWithItsLineAndTheWayOut(_ text: String, _ expected: String) throws {
    #expect(try complaint(text).hasPrefix(expected))
  }

  @Test func aConfigurationThatCannotBeReadIsTold() throws {
    for path in [folder.path + "/none.conf", folder.path] {
      let result = try Command.run("run", "--config", path, "--source", folder.path)
      #expect(result.status == 2)
      #expect(result.complaints.first?.hasPrefix("receh run: \(path): cannot be read (") == true)
    }
  }

  @Test func anEmptyFileIsAllDefaults() {
    let (configuration, fault) = read("")
    #expect(fault == nil)
    #expect(configuration.stableMilliseconds == 250 && configuration.isVoiceOn)
  }

  @Test func theConfigurationIsObeyedByARun() throws {
    let fixture = try RunFixture()
    try fixture.show([RunFixture.red], frames: 8)
    let path = try folder.file(
      "receh.conf",
      Array(
        """
        language = en
        model = \(fixture.model)
        [voice]
        enabled = off
        [strip]
        terminal = on
        length = 8
        brightness = 100
        """.utf8))
    let result = try Command.run("run", "--config", path, "--source", fixture.frames)
    #expect(result.status == 0)
    #expect(result.lines.contains("Total Rp100 (1 coin)"))
    // The strip of eight lights shows 1, 0, 0: a green light, two faint ones, and darkness.
    let strip = result.lines.first { $0.contains("48;2;0;220;40m") } ?? ""
    #expect(strip.components(separatedBy: "48;2;40;40;40m").count == 3)
    #expect(strip.components(separatedBy: "48;2;").count == 9)
  }
}
