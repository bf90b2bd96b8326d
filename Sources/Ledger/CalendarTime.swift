import Announcing

/// A day and time of day of the Gregorian calendar, without a time zone.
public struct CalendarTime: BitwiseCopyable, Sendable, Equatable {
  /// Year, 1970 to 9999.
  public var year: Int
  /// Month, 1 to 12.
  public var month: Int
  /// Day of the month, from 1.
  public var day: Int
  /// Millisecond of the day, from 0.
  public var milliseconds: Int

  private static let dayLength: Int64 = 86_400_000

  /// The time that many milliseconds after the beginning of 1970; at most the end of 9999.
  public init(milliseconds: Int64) {
    let held = min(max(milliseconds, 0), 253_402_300_799_999)
    self.milliseconds = Int(held % CalendarTime.dayLength)
    // Days are counted from 1 March of the year 0, so that leap days come last in their year.
    let days = Int(held / CalendarTime.dayLength) + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Milliseconds since the beginning of 1970.
  public var sinceEpoch: Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = Int64(era * 146_097 + dayOfEra - 719_468)
    return days * CalendarTime.dayLength + Int64(milliseconds)
  }

  /// Reads `2026-11-30`, optionally followed by `T` or a space and `09:15`, `09:15:02` or
  /// `09:15:02.120`; returns `nil` for anything else.
  public init?(_ text: Span<UInt8>) {
    self.init(milliseconds: 0)
    guard text.count == 10 || text.count == 16 || text.count == 19 || text.count == 23,
      let year = Self.digits(text, 0, 4), let month = Self.digits(text, 5, 2),
      let day = Self.digits(text, 8, 2), text[4] == 0x2d && text[7] == 0x2d
    else { return nil }
    var time = 0
    if text.count > 10 {
      guard text[10] == UInt8(ascii: "T") || text[10] == 0x20, text[13] == 0x3a,
        let hour = Self.digits(text, 11, 2), let minute = Self.digits(text, 14, 2),
        hour < 24 && minute < 60
      else { return nil }
      time = (hour * 60 + minute) * 60_000
    }
    if text.count > 16 {
      guard text[16] == 0x3a, let second = Self.digits(text, 17, 2), second < 60 else {
        return nil
      }
      time += second * 1000
    }
    if text.count > 19 {
      guard text[19] == 0x2e, let fraction = Self.digits(text, 20, 3) else { return nil }
      time += fraction
    }
    self.year = year
    self.month = month
    self.day = day
    milliseconds = time
    // A day that does not exist, such as 30 February, does not come back as it was.
    guard year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= 31,
      CalendarTime(milliseconds: sinceEpoch) == self
    else { return nil }
  }

  /// The milliseconds since 1970 that `2026-11-30T09:15:02.120Z` says; `nil` for anything else.
  static func milliseconds(utc text: Span<UInt8>) -> Int64? {
    guard text.count == 24, text[23] == UInt8(ascii: "Z"), text[10] == UInt8(ascii: "T") else {
      return nil
    }
    return CalendarTime(text.extracting(0..<23))?.sinceEpoch
  }

  private static func digits(_ text: Span<UInt8>, _ start: Int, _ count: Int) -> Int? {
    var value = 0
    for index in start..<start + count {
      guard text[index] >= 48 && text[index] <= 57 else { return nil }
      value = 10 * value + Int(text[index] - 48)
    }
    return value
  }
}

extension Text {
  /// Appends when an entry was made: `2026-11-30T09:15:02.120Z`, or `+41133` for milliseconds
  /// since the machine's start where its clock was not set.
  public mutating func append(time entry: LedgerEntry) {
    if entry.isDated {
      append(CalendarTime(milliseconds: entry.milliseconds), separator: "T", hasMilliseconds: true)
      append("Z")
    } else {
      append("+")
      append(Int(entry.milliseconds))
    }
  }

  /// Appends a day and time of day to the second, or to the millisecond.
  public mutating func append(
    _ time: CalendarTime, separator: StaticString, hasMilliseconds: Bool
  ) {
    append(time.year, digits: 4)
    append("-")
    append(time.month, digits: 2)
    append("-")
    append(time.day, digits: 2)
    append(separator)
    append(time.milliseconds / 3_600_000, digits: 2)
    append(":")
    append(time.milliseconds / 60_000 % 60, digits: 2)
    append(":")
    append(time.milliseconds / 1000 % 60, digits: 2)
    if hasMilliseconds {
      append(".")
      append(time.milliseconds % 1000, digits: 3)
    }
  }

  private mutating func append(_ number: Int, digits: Int) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      append(byte: UInt8(48 + number / divisor % 10))
      divisor /= 10
    }
  }
}
