import Foundation
import Testing

@testable import receh

/// `bytes` as JSON, read back by a parser that is not ours.
private func parsed(_ bytes: [UInt8]) throws -> String? {
  let name = bytes.map(CChar.init(bitPattern:)) + [0]
  let line = try written { $0.write(json: name) }
  return try JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed) as? String
}

@Suite struct OutputTests {
  @Test(arguments: [
    "plain.jpg", "", "a\"b\\c/d", "tab\tnew\nreturn\r", "\u{1}\u{1f}\u{7f}", "é漢😀\u{2028}",
    "\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}",
  ])
  func textComesBackOutOfJSONAsItWas(text: String) throws {
    #expect(try parsed(Array(text.utf8)) == text)
  }

  @Test(arguments: [
    // Each with what the Unicode standard makes of it: one U+FFFD for each longest beginning.
    ([0xff], 1), ([0x80, 0x80], 2), ([0xc0, 0xaf], 2), ([0xe0, 0x80, 0xaf], 3),
    ([0xed, 0xa0, 0x80], 3), ([0xf0, 0x80, 0x80, 0xaf], 4), ([0xf4, 0x90, 0x80, 0x80], 4),
    ([0xe2, 0x82], 1), ([0xf0, 0x9f, 0x98], 1), ([0xc3], 1), ([0xe2, 0xe2, 0x82, 0xac], 2),
  ])
  func brokenUTF8IsReplaced(bytes: [UInt8], replacements: Int) throws {
    let text = try #require(try parsed([0x61] + bytes + [0x62]))
    #expect(text == String(decoding: [0x61] + bytes + [0x62], as: UTF8.self))
    #expect(text.unicodeScalars.filter { $0 == "\u{fffd}" }.count <= replacements)
  }

  @Test func pairsOfBytesMakeValidJSON() throws {
    // Every first byte, and second ones from both sides of every border of UTF-8.
    let seconds: [UInt8] = [1, 0x22, 0x5c, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff]
    let pairs = (1...255).flatMap { first in seconds.map { [UInt8(first), $0] } }
    let text = try written { output in
      output.write("[")
      for pair in pairs {
        if pair != [1, 1] { output.write(",") }
        output.write(json: pair.map(CChar.init(bitPattern:)) + [0])
      }
      output.write("]")
    }
    let parsed = try JSONSerialization.jsonObject(with: Data(text)) as? [String]
    #expect(parsed == pairs.map { String(decoding: $0, as: UTF8.self) })
  }

  @Test func longTextArrivesWhole() throws {
    let digits: StaticString = "0123456789"
    let text = try writtenText { output in
      for _ in 0..<10_000 { output.write(digits) }
    }
    #expect(text == String(repeating: "0123456789", count: 10_000))
  }

  @Test func numbersAreWrittenInFull() throws {
    let text = try writtenText { output in
      for number in [0, -1, 10, Int.max, Int.min] {
        output.write(number)
        output.write(" ")
      }
    }
    #expect(text == "0 -1 10 9223372036854775807 -9223372036854775808 ")
  }

  @Test func theFirstFailureIsKeptAndNothingMoreIsWritten() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    var output = Output(descriptor: full.fileDescriptor)
    output.write("a")
    output.flush()
    #expect(output.failure == ENOSPC)
    close(full.fileDescriptor)
    output.write("b")
    output.flush()
    #expect(output.failure == ENOSPC)
  }
}
