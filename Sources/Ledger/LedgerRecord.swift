import Announcing
import Counting
import Engine

/// A line of the file, newline included.
public typealias LedgerLine = Text<640>

/// How an entry is written: one line of values with commas between, the last of them the CRC-32 of
/// all before it as eight hexadecimal digits.
///
///     17,batch,2026-11-30T09:15:02.120Z,3,1600,5600,0,0,1,0,1,1,0,0,0,0,0,0,,0d4f3a11
///
/// The values are: sequence number, kind, time (or `+` and milliseconds since the machine's start),
/// session, total, total of the session, price, coins of 50, 100, 200, 500 and 1000, withdrawn
/// coins of the same, coins not named, and other coins as text.
public enum LedgerRecord {
  /// The line of an entry.
  public static func line(_ entry: LedgerEntry) -> LedgerLine {
    var line = LedgerLine()
    append(entry, to: &line)
    line.append(",")
    let checksum = line.span.withUnsafeBytes { Checksum.crc32($0) }
    let digits: StaticString = "0123456789abcdef"
    for place in 0..<8 {
      let digit = checksum >> UInt32(28 - 4 * place) & 15
      line.append(byte: digits.utf8Start[Int(digit)])
    }
    line.append("\n")
    return line
  }

  /// The values of an entry without the checksum, as the line and CSV have them.
  public static func append<let Capacity: Int>(_ entry: LedgerEntry, to line: inout Text<Capacity>)
  {
    line.append(entry.sequence)
    line.append(",")
    line.append(entry.kind.name)
    line.append(",")
    line.append(time: entry)
    for index in 0..<15 {
      line.append(",")
      line.append(number(index, of: entry))
    }
    line.append(",")
    for index in 0..<entry.others.count {
      let byte = entry.others[index]
      let isPlain = byte >= 0x20 && byte != 0x7f && byte != 0x22 && byte != 0x2c && byte != 0x5c
      line.append(byte: isPlain ? byte : 0x20)
    }
  }

  /// The entry of a line without its newline; `nil` when it is not a whole and true one.
  public static func entry(_ line: Span<UInt8>) -> LedgerEntry? {
    var reader = FieldReader(line)
    guard let sequence = reader.number(), sequence > 0, let kind = reader.kind() else {
      return nil
    }
    var entry = LedgerEntry(kind: kind)
    entry.sequence = sequence
    guard reader.time(into: &entry) else { return nil }
    for index in 0..<15 {
      guard let value = reader.number() else { return nil }
      // A count that would not fit could not have been written.
      if index >= 4 && value > 1_000_000_000 { return nil }
      set(value, index, of: &entry)
    }
    guard reader.text(into: &entry.others) else { return nil }
    // What was read, written again, must be the line: that checks the checksum and every detail.
    let again = LedgerRecord.line(entry)
    if again.isCut || again.count != line.count + 1 { return nil }
    for index in 0..<line.count where line[index] != again[index] { return nil }
    return entry
  }

  private static func number(_ index: Int, of entry: LedgerEntry) -> Int {
    switch index {
    case 0: entry.session
    case 1: entry.total
    case 2: entry.sessionTotal
    case 3: entry.price
    case 4..<9: Int(entry.counts.current[index - 4])
    case 9..<14: Int(entry.counts.withdrawn[index - 9])
    default: Int(entry.counts.unsure)
    }
  }

  private static func set(_ value: Int, _ index: Int, of entry: inout LedgerEntry) {
    switch index {
    case 0: entry.session = value
    case 1: entry.total = value
    case 2: entry.sessionTotal = value
    case 3: entry.price = value
    case 4..<9: entry.counts.current[index - 4] = Int32(value)
    case 9..<14: entry.counts.withdrawn[index - 9] = Int32(value)
    default: entry.counts.unsure = Int32(value)
    }
  }
}

/// Takes the values of a line one after the other.
private struct FieldReader: ~Escapable {
  private let line: Span<UInt8>
  private var position = 0

  @_lifetime(copy line)
  init(_ line: Span<UInt8>) {
    self.line = line
  }

  /// A whole number of at most 15 digits, and the comma after it.
  mutating func number() -> Int? {
    var value = 0
    var count = 0
    while position < line.count {
      let byte = line[position]
      position += 1
      if byte == UInt8(ascii: ",") { return count > 0 ? value : nil }
      guard byte >= 48 && byte <= 57 && count < 15 else { return nil }
      value = 10 * value + Int(byte - 48)
      count += 1
    }
    return nil
  }

  mutating func kind() -> LedgerEntry.Kind? {
    for raw in 0..<UInt8(4) {
      guard let kind = LedgerEntry.Kind(rawValue: raw) else { return nil }
      if skip(kind.name) { return kind }
    }
    return nil
  }

  mutating func time(into entry: inout LedgerEntry) -> Bool {
    if position < line.count && line[position] == UInt8(ascii: "+") {
      position += 1
      guard let value = number() else { return false }
      entry.milliseconds = Int64(value)
      return true
    }
    let start = position
    while position < line.count && line[position] != UInt8(ascii: ",") { position += 1 }
    guard let time = CalendarTime.milliseconds(utc: line.extracting(start..<position)) else {
      return false
    }
    position += 1
    entry.isDated = true
    entry.milliseconds = time
    return true
  }

  /// Text up to the next comma.
  mutating func text<let Capacity: Int>(into text: inout Text<Capacity>) -> Bool {
    while position < line.count {
      let byte = line[position]
      position += 1
      if byte == UInt8(ascii: ",") { return true }
      text.append(byte: byte)
    }
    return false
  }

  /// Skips a word and its comma if they come next.
  private mutating func skip(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    if position + count >= line.count || line[position + count] != UInt8(ascii: ",") {
      return false
    }
    for index in 0..<count where line[position + index] != word.utf8Start[index] { return false }
    position += count + 1
    return true
  }
}
