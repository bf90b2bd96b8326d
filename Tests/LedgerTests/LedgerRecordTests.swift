import Announcing
import Counting
import TestSupport
import Testing

@testable import Ledger

@Suite struct LedgerRecordTests {
  private func text(_ line: LedgerLine) -> String {
    var bytes: [UInt8] = []
    for index in 0..<line.count { bytes.append(line[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func parse(_ bytes: [UInt8]) -> LedgerEntry? { LedgerRecord.entry(bytes.span) }

  @Test func anEntryIsALineThatPeopleCanRead() {
    var entry = batch()
    entry.sequence = 17
    entry.session = 3
    entry.sessionTotal = 5600
    let line = text(LedgerRecord.line(entry))
    #expect(
      line.hasPrefix("17,batch,2026-11-30T09:15:02.120Z,3,1500,5600,0,0,0,0,1,1,0,0,0,0,0,0,,"))
    #expect(line.hasSuffix("\n"))
  }

  @Test func anEntryComesBackAsItWas() throws {
    var entry = batch()
    entry.sequence = 17
    entry.session = 3
    entry.sessionTotal = 5600
    entry.kind = .sale
    entry.price = 1200
    entry.counts.withdrawn[4] = 2
    entry.counts.unsure = 3
    entry.others.append("2 satu ringgit")
    let line = Array(text(LedgerRecord.line(entry)).utf8.dropLast())
    let back = try #require(parse(line))
    #expect(back.kind == .sale && back.price == 1200 && back.total == 1500)
    #expect(back.counts == entry.counts)
    #expect(back.milliseconds == entry.milliseconds && back.isDated)
  }

  @Test func withoutAClockTheTimeIsSinceTheMachineStarted() throws {
    var entry = batch()
    entry.sequence = 1
    entry.isDated = false
    entry.milliseconds = 41_133
    let line = text(LedgerRecord.line(entry))
    #expect(line.hasPrefix("1,batch,+41133,"))
    let back = try #require(parse(Array(line.utf8.dropLast())))
    #expect(!back.isDated && back.milliseconds == 41_133)
  }

  @Test func everyChangeOfOneByteIsNoticed() {
    let line = Array(lines([batch()]).dropLast())
    #expect(parse(line) != nil)
    for index in line.indices {
      for bit in 0..<8 {
        var changed = line
        changed[index] ^= 1 << UInt8(bit)
        #expect(parse(changed) == nil)
      }
    }
    for length in line.indices { #expect(parse(Array(line.prefix(length))) == nil) }
  }

  @Test func anyBytesAtAllAreReadWithoutHarm() {
    var dice = Dice(state: 9)
    let line = Array(lines([batch()]).dropLast())
    for _ in 0..<20_000 {
      var bytes = line
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        let index = Int.random(in: bytes.indices, using: &dice)
        switch Int.random(in: 0...2, using: &dice) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &dice)
        case 1: bytes.insert(UInt8.random(in: 0x2b...0x3a, using: &dice), at: index)
        default: bytes.remove(at: index)
        }
      }
      if bytes != line { #expect(parse(bytes) == nil) }
    }
  }

  @Test func textOfOthersCannotBreakTheLine() {
    var entry = batch()
    entry.sequence = 1
    entry.others.append("a,b\"c\nd")
    let line = text(LedgerRecord.line(entry))
    #expect(line.filter { $0 == "\n" }.count == 1)
    #expect(line.contains(",a b c d,"))
  }

  @Test func daysAreThoseOfTheCalendar() {
    // Checked against `date -u -d @SECONDS`.
    let days: [(Int64, String)] = [
      (0, "1970-01-01 00:00:00"), (951_782_400, "2000-02-29 00:00:00"),
      (1_709_251_199, "2024-02-29 23:59:59"), (1_796_030_102, "2026-11-30 09:15:02"),
      (4_107_542_400, "2100-03-01 00:00:00"),
    ]
    for (seconds, expected) in days {
      var text = Text<32>()
      let time = CalendarTime(milliseconds: seconds * 1000)
      text.append(time, separator: " ", hasMilliseconds: false)
      var bytes: [UInt8] = []
      for index in 0..<text.count { bytes.append(text[index]) }
      #expect(String(decoding: bytes, as: UTF8.self) == expected)
      #expect(time.sinceEpoch == seconds * 1000)
      #expect(CalendarTime(bytes.span) == time)
    }
  }

  @Test func daysThatDoNotExistAreRefused() {
    for text in ["2026-02-29", "2026-13-01", "2026-00-10", "26-01-01", "2026-11-30T24:00", "x"] {
      #expect(CalendarTime(Array(text.utf8).span) == nil)
    }
  }
}
