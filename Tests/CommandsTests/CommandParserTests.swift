import Commands
import Counting
import Detection
import TestSupport
import Testing

@Suite struct CommandParserTests {
  private func meaning(_ text: String) -> CommandLineMeaning {
    meaning(Array(text.utf8))
  }

  private func meaning(_ bytes: [UInt8]) -> CommandLineMeaning {
    CommandParser.meaning(of: bytes.span)
  }

  @Test(arguments: [
    ("total", Command.total), ("repeat", .repeat), ("reset", .reset), ("status", .status),
    ("mute", .mute), ("unmute", .unmute), ("help", .help), ("?", .help), ("keep", .keep),
    ("tray", .mode(.tray)), ("session", .mode(.session)), ("mode target", .mode(.target)),
    ("target 2500", .target(2500)), ("calibrate", .calibrate), ("cancel", .cancel),
    ("teach 200", .teach(CoinName(), 200)),
  ])
  func everyCommandHasItsWord(_ word: String, _ command: Command) {
    #expect(meaning(word) == .command(command))
    #expect(meaning(word.uppercased()) == .command(command))
    #expect(meaning("  \(word)\t \r") == .command(command))
  }

  @Test func aNameIsTaughtAsItIsWritten() {
    let bytes = Array("Satu Ringgit".utf8)
    guard let name = CoinName(bytes.span) else {
      Issue.record("no name")
      return
    }
    #expect(meaning("teach  Satu Ringgit\r") == .command(.teach(name, 0)))
  }

  @Test(arguments: [
    "teach", "target 0", "target -5", "target 123456789", "target x", "teach a,b",
    "teach a name that is far too long",
  ])
  func whatCannotBeDoneIsUnknown(_ line: String) {
    #expect(meaning(line) == .unknown)
  }

  @Test(arguments: ["", " ", "\r", "\t \r"])
  func aBlankLineAsksForNothing(_ line: String) {
    #expect(meaning(line) == .nothing)
  }

  @Test(arguments: ["totals", "tota", "to tal", "total total", "rm -rf /", "\u{7f}total", "jumlah"])
  func anythingElseIsUnknown(_ line: String) {
    #expect(meaning(line) == .unknown)
  }

  @Test func noBytesAtAllAreACommandByChance() {
    var dice = Dice(state: 4)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &dice)).map { _ in
        UInt8.random(in: 0...255, using: &dice)
      }
      let isBlank = bytes.allSatisfy { $0 <= 32 }
      if meaning(bytes) == .nothing { #expect(isBlank) } else { #expect(!isBlank) }
    }
  }
}
