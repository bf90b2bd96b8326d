import Foundation
import TestSupport
import Testing

/// Modes and the ledger, run from outside.
@Suite struct SessionTests {
  let fixture: RunFixture

  init() throws {
    fixture = try RunFixture()
  }

  private var ledger: String { fixture.folder.path + "/ledger" }

  /// Runs over the folder's frames with a configuration.
  private func run(
    _ configuration: String, ledger: String? = nil, _ arguments: String...
  ) throws -> Command.Result {
    let text = configuration + "\n[ledger]\nfile = \(ledger ?? self.ledger)\n"
    let file = try fixture.folder.file("receh.conf", Array(text.utf8))
    return try fixture.run(["--source", fixture.frames, "--config", file] + arguments)
  }

  private func events(_ configuration: String, ledger: String? = nil) throws -> [RunFixture.Event] {
    let result = try run(configuration, ledger: ledger, "--json", "--no-voice")
    #expect(result.status == 0)
    return try RunFixture.events(result)
  }

  /// The entries of the ledger as kind and total.
  private func entries() throws -> [String] {
    try Command.run("ledger", "--file", ledger, "--csv").lines.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return "\(fields[1]) \(fields[4]) \(fields[5])"
    }
  }

  private func putDownAndClear(_ discs: [Disc]) throws {
    try fixture.show(discs, frames: 10)
    try fixture.show([], frames: 14)
  }

  @Test func batchesOfASessionAddUpAndAreKept() throws {
    try putDownAndClear([RunFixture.red, RunFixture.green])
    try putDownAndClear([RunFixture.green])
    let events = try events("mode = session")
    #expect(events.filter { $0.event == "mode" }.map(\.mode) == ["session"])
    #expect(events.filter { $0.event == "batch" }.compactMap(\.total) == [600, 500])
    let saved = events.filter { $0.event == "saved" }
    #expect(saved.compactMap(\.sequence) == [1, 2])
    #expect(saved.compactMap(\.session_total) == [600, 1100])
    #expect(try entries() == ["batch 600 600", "batch 500 1100"])
  }

  @Test func aSessionGoesOnAfterARestart() throws {
    try putDownAndClear([RunFixture.red, RunFixture.green])
    _ = try events("mode = session")
    let again = try events("mode = session")
    #expect(again.first { $0.event == "mode" }?.session_total == 600)
    #expect(again.filter { $0.event == "saved" }.compactMap(\.session_total) == [1200])
    #expect(try entries() == ["batch 600 600", "batch 600 1200"])
  }

  @Test func aKilledRunLosesNothingThatWasSaved() throws {
    try putDownAndClear([RunFixture.red])
    for round in 1...5 {
      // The run kills itself by the limit of frames at no good moment: after the batch is kept.
      let result = try run("mode = session", "--json", "--no-voice", "--frames", "20")
      #expect(result.status == 0)
      let file = FileHandle(forWritingAtPath: ledger)
      try file?.seekToEnd()
      // What a kill in the midst of the next write leaves.
      try file?.write(contentsOf: Data("\(round + 1),batch,2026-".utf8))
      try file?.close()
    }
    #expect(try entries().count == 5)
    #expect(try entries().last == "batch 100 500")
  }

  @Test func aPriceIsCountedUpToAndTheSaleKept() throws {
    try fixture.show([RunFixture.red], frames: 10)
    try putDownAndClear([RunFixture.red, RunFixture.green])
    let events = try events("mode = target\nprice = 500")
    let targets = events.filter { $0.event == "target" }
    #expect(targets.compactMap(\.missing) == [400, 0])
    #expect(targets.compactMap(\.change) == [0, 100])
    #expect(events.filter { $0.event == "sale" }.compactMap(\.price) == [500])
    #expect(try entries() == ["sale 600 0"])
  }

  @Test func withoutALedgerBatchesAreAddedUpAllTheSame() throws {
    try putDownAndClear([RunFixture.red])
    try putDownAndClear([RunFixture.green])
    let text = "mode = session\n[ledger]\nenabled = off\n"
    let file = try fixture.folder.file("off.conf", Array(text.utf8))
    let events = try fixture.events("--config", file)
    #expect(events.filter { $0.event == "added" }.compactMap(\.session_total) == [100, 600])
    #expect(!events.contains { $0.event == "saved" || $0.event == "degraded" })
  }

  @Test func aLedgerThatCannotBeWrittenIsToldOfAndCountingGoesOn() throws {
    try putDownAndClear([RunFixture.red])
    let events = try events("mode = session", ledger: fixture.folder.path + "/none/ledger")
    #expect(events.filter { $0.event == "degraded" }.map(\.part) == ["ledger"])
    #expect(events.filter { $0.event == "batch" }.compactMap(\.total) == [100])
    #expect(!events.contains { $0.event == "saved" })
    #expect(events.last?.event == "stopped")
  }

  @Test func whatIsKeptIsSpoken() throws {
    try putDownAndClear([RunFixture.red, RunFixture.green])
    let wav = fixture.folder.path + "/said.wav"
    let result = try run("mode = session", "--wav", wav)
    #expect(result.status == 0)
    #expect(result.lines.contains("Mode sesi"))
    #expect(result.lines.contains { $0.hasPrefix("Disimpan no. 1: setoran Rp600, total sesi") })
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: wav)))
    // The mode, the total and that it is saved: three phrases.
    #expect(Double(bytes.count - 44) / 44_100 > 3)
  }
}
