import TestSupport
import Testing

@Suite struct CountConfigurationTests {
  let fixture: CountFixture

  init() throws {
    fixture = try CountFixture()
  }

  /// Runs `receh count` with a configuration of that content.
  private func count(configuration: String, _ arguments: String...) throws -> Command.Result {
    let path = try fixture.folder.file("receh.conf", Array(configuration.utf8))
    let words = ["count", "--config", path] + arguments + [fixture.picture]
    return try Command.run(words.map { Array($0.utf8) })
  }

  @Test func withdrawnCoinsCountWhereTheConfigurationSaysSo() throws {
    var model = DiscModel.model
    model.labels[0].isWithdrawn = true
    let path = try fixture.folder.file("old.model", model.bytes())
    for (setting, total) in [("withdrawn = count", 600), ("withdrawn = ignore", 500), ("", 500)] {
      let result = try count(configuration: setting, "--model", path, "--json")
      let line = try CountFixture.parsed(result.lines.first)
      #expect(line.total == total, "\(setting)")
      #expect(line.coins.map(\.withdrawn) == [true, nil, nil])
    }
  }

  @Test func theTableIsInTheConfiguredLanguage() throws {
    let english = try count(configuration: "language = en", "--model", fixture.model)
    #expect(english.lines.last == "Total Rp600 (3 coins, 1 unknown)")
    let indonesian = try count(configuration: "language = id", "--model", fixture.model)
    #expect(indonesian.lines.last == "Total Rp600 (3 koin, 1 tidak dikenal)")
  }

  @Test func theConfiguredModelIsUsedUnlessAnotherIsGiven() throws {
    let configured = try count(configuration: "model = \(fixture.model)", "--json")
    #expect(try CountFixture.parsed(configured.lines.first).total == 600)
    let missing = fixture.folder.path + "/none.model"
    let broken = try count(configuration: "model = \(missing)", "--json")
    #expect(broken.status == 2)
    #expect(broken.complaints.first?.hasPrefix("receh count: model = \(missing): ") == true)
    let overridden = try count(
      configuration: "model = \(missing)", "--model", fixture.model, "--json")
    #expect(try CountFixture.parsed(overridden.lines.first).total == 600)
  }

  @Test func aMistakeIsNamedWithFileAndLine() throws {
    let result = try count(configuration: "# coins\nwithdrawn = maybe\n", "--json")
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.complaints.count == 1)
    #expect(
      result.complaints.first?.hasPrefix("receh count: \(fixture.folder.path)/receh.conf:2: ")
        == true)
  }

  @Test func aMissingConfigurationIsNamed() throws {
    let path = fixture.folder.path + "/none.conf"
    let result = try Command.run("count", "--config", path, fixture.picture)
    #expect(result.status == 2)
    #expect(result.complaints.first?.hasPrefix("receh count: \(path): cannot be read") == true)
  }
}
