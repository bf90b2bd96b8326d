import Foundation
import TestSupport
import Testing

/// `receh ledger`, run from outside over files as the product writes them.
@Suite struct LedgerCommandTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Written by the product: two batches, the end of their session, and a sale.
  private static let lines = [
    "1,batch,2026-11-29T23:15:02.120Z,1,1500,1500,0,0,0,0,1,1,0,0,0,0,0,0,,",
    "2,batch,+41133,1,500,2000,0,0,0,0,1,0,0,0,0,0,1,2,,",
    "3,session,2026-11-30T09:00:00.000Z,1,2000,2000,0,0,0,0,2,1,0,0,0,0,1,2,,",
    "4,sale,2026-11-30T10:00:00.000Z,0,1000,0,800,0,0,0,0,1,0,0,0,0,0,0,2 satu ringgit,",
  ]

  /// The checksum as zlib has it.
  private static func checksum(_ text: String) -> String {
    var remainder = ~UInt32(0)
    for byte in text.utf8 {
      remainder ^= UInt32(byte)
      for _ in 0..<8 {
        remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1
      }
    }
    let digits = String(~remainder, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private func ledger(
    damaging damaged: Int? = nil, tail: String = "", _ arguments: String...
  ) throws -> Command.Result {
    var text = ""
    for (index, line) in Self.lines.enumerated() {
      let sum = Self.checksum(line)
      text += (index == damaged ? line.replacingOccurrences(of: ",1,", with: ",2,") : line)
      text += sum + "\n"
    }
    let file = try folder.file("ledger", Array((text + tail).utf8))
    return try Command.run(
      (["ledger", "--file", file] + arguments).map { Array($0.utf8) },
      variables: ["TZ": "Asia/Jakarta"])
  }

  @Test func peopleGetATableInLocalTimeAndTheSum() throws {
    let result = try ledger()
    #expect(result.status == 0)
    #expect(result.lines.count == 5)
    #expect(result.lines[0].contains("2026-11-30 06:15:02"))
    #expect(result.lines[1].contains("+41 s"))
    #expect(result.lines[3].contains("penjualan"))
    #expect(result.lines[3].contains("harga Rp800"))
    #expect(result.lines[3].contains("2 satu ringgit"))
    // The session's end is no money of its own.
    #expect(result.lines[4] == "Jumlah Rp3.000, catatan: 4")
    let english = try ledger("--language", "en")
    #expect(english.lines.last == "Sum Rp3,000, entries: 4")
  }

  @Test func programsGetCSVWithAHeading() throws {
    let result = try ledger("--csv")
    #expect(result.lines.count == 5)
    #expect(result.lines[0].hasPrefix("sequence,kind,time,session,total,"))
    let columns = result.lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(Set(columns.map(\.count)) == [19])
    #expect(result.lines[4] == String(Self.lines[3].dropLast()))
  }

  @Test func programsGetAnObjectALine() throws {
    struct Row: Decodable {
      var sequence: Int
      var kind: String
      var time: String?
      var uptime_ms: Int?
      var total: Int
      var session_total: Int
      var price: Int
      var counts: [String: Int]
      var withdrawn: [String: Int]
      var unsure: Int
      var others: String
    }
    let rows = try ledger("--json").lines.map {
      try JSONDecoder().decode(Row.self, from: Data($0.utf8))
    }
    #expect(rows.map(\.sequence) == [1, 2, 3, 4])
    #expect(rows.map(\.kind) == ["batch", "batch", "session", "sale"])
    #expect(rows[0].time == "2026-11-29T23:15:02.120Z" && rows[0].uptime_ms == nil)
    #expect(rows[1].time == nil && rows[1].uptime_ms == 41_133)
    #expect(rows[1].counts == ["50": 0, "100": 0, "200": 0, "500": 1, "1000": 0])
    #expect(rows[1].withdrawn["1000"] == 1 && rows[1].unsure == 2)
    #expect(rows[3].price == 800 && rows[3].others == "2 satu ringgit")
  }

  @Test func sinceShowsWhatIsNotOlder() throws {
    // 30 November in Jakarta begins at 17:00 UTC of the day before.
    #expect(try ledger("--since", "2026-11-30").lines.count == 5)
    #expect(try ledger("--since", "2026-11-30T06:16").lines.count == 4)
    // An entry without a date goes with those round it.
    #expect(try ledger("--csv", "--since", "2026-11-30T00:00Z").lines.count == 4)
    #expect(try ledger("--csv", "--since", "2026-11-30 09:00:00.001Z").lines.count == 2)
    #expect(try ledger("--csv", "--since", "2027-01-01").lines.count == 1)
    #expect(try ledger("--since", "today").status == 0)
    let refused = try ledger("--since", "30-11-2026")
    #expect(refused.status == 2)
    #expect(refused.complaints.count == 1 && refused.complaints[0].contains("2026-11-30"))
  }

  @Test func damagedLinesAreToldOfAndTheRestIsShown() throws {
    let result = try ledger(damaging: 1, "--csv")
    #expect(result.status == 1)
    #expect(result.lines.count == 4)
    #expect(result.complaints.count == 1 && result.complaints[0].contains("1 damaged"))
  }

  @Test func aLineThatIsJustBeingWrittenIsLeftOut() throws {
    let result = try ledger(tail: "5,batch,2026-11-3", "--csv")
    #expect(result.status == 0)
    #expect(result.lines.count == 5)
  }

  @Test func aLedgerThatIsNotThereIsToldOf() throws {
    let result = try Command.run("ledger", "--file", folder.path + "/none")
    #expect(result.status == 1)
    #expect(result.complaints.count == 1 && result.complaints[0].contains("/none"))
  }

  @Test func formsExcludeEachOther() throws {
    #expect(try ledger("--csv", "--json").status == 2)
    #expect(try Command.run("ledger", "word").status == 2)
    #expect(try Command.run("ledger", "--help").lines.first?.hasPrefix("Usage:") == true)
  }
}
