import TestSupport
import Testing

@Suite struct CountUsageTests {
  let fixture: CountFixture

  init() throws {
    fixture = try CountFixture()
  }

  private func expectUsageError(
    _ result: Command.Result, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(result.status == 2, sourceLocation: sourceLocation)
    #expect(result.output.isEmpty, sourceLocation: sourceLocation)
    #expect(result.complaints.count == 1, sourceLocation: sourceLocation)
    let line = result.complaints.first ?? ""
    #expect(line.hasPrefix("receh count: "), sourceLocation: sourceLocation)
    #expect(line.contains(text), "\(line)", sourceLocation: sourceLocation)
  }

  @Test func helpNamesEveryOption() throws {
    let result = try Command.run("count", "--help")
    #expect(result.status == 0)
    for option in ["--json", "--annotate", "--model", "--config", "--help", "Exit status:"] {
      #expect(result.outputText.contains(option))
    }
    #expect(!result.lines.contains { $0.count > 100 })
  }

  @Test func picturesAreNeeded() throws {
    expectUsageError(try Command.run("count", "--json"), "no IMAGE given")
  }

  @Test func anUnknownOptionIsNamed() throws {
    expectUsageError(try fixture.count("--jsno", fixture.picture), "unknown option '--jsno'")
    expectUsageError(try fixture.count("-j", fixture.picture), "unknown option '-j'")
  }

  @Test func aValueThatIsMissingOrTooMuchIsNamed() throws {
    expectUsageError(try Command.run("count", "a.jpg", "--annotate"), "no value after '--annotate'")
    expectUsageError(try Command.run("count", "a.jpg", "--json=1"), "taken by '--json=1'")
  }

  @Test func aMissingModelIsNamed() throws {
    let path = fixture.folder.path + "/none.model"
    expectUsageError(
      try Command.run("count", "--model", path, fixture.picture),
      "--model \(path): cannot be read (No such file or directory)")
  }

  @Test func whatIsNoModelIsNamed() throws {
    let picture = fixture.picture
    for (path, text) in [
      (picture, "is not a model file"), (fixture.folder.path, "is not a file"),
      ("/dev/zero", "is not a file"),
      (try fixture.folder.file("empty.model", []), "is empty"),
    ] {
      expectUsageError(
        try Command.run("count", "--model", path, picture), "--model \(path): ")
      expectUsageError(try Command.run("count", "--model", path, picture), text)
    }
  }

  @Test func aDamagedModelIsNeverUsed() throws {
    let model = DiscModel.model.bytes()
    var dice = Dice(state: 5)
    for _ in 0..<20 {
      var damaged = model
      let place = Int.random(in: 0..<model.count, using: &dice)
      damaged[place] ^= UInt8.random(in: 1...255, using: &dice)
      let path = try fixture.folder.file("damaged.model", damaged)
      expectUsageError(
        try Command.run("count", "--model", path, fixture.picture), "--model \(path): model")
    }
    let short = try fixture.folder.file("short.model", Array(model.prefix(model.count / 2)))
    expectUsageError(try Command.run("count", "--model", short, fixture.picture), "ends too early")
  }
}
