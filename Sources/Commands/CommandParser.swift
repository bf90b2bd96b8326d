import Counting
import Detection

/// What a line of text asks for.
public enum CommandLineMeaning: BitwiseCopyable, Sendable, Equatable {
  /// Nothing: the line is blank.
  case nothing
  /// A command.
  case command(Command)
  /// Something there is no command for.
  case unknown
}

/// Reads commands out of lines of text.
public enum CommandParser {
  /// Tells what a line asks for.
  ///
  /// Capitals count as small letters, and blanks around the words and control characters at the
  /// ends, such as a carriage return, are passed over.
  /// - Parameter line: any bytes, without the newline.
  public static func meaning(of line: Span<UInt8>) -> CommandLineMeaning {
    var start = 0
    var end = line.count
    while start < end && line[start] <= blank { start += 1 }
    while end > start && line[end - 1] <= blank { end -= 1 }
    if start == end { return .nothing }
    let words = line.extracting(start..<end)
    if matches(words, "total") { return .command(.total) }
    if matches(words, "repeat") { return .command(.repeat) }
    if matches(words, "reset") { return .command(.reset) }
    if matches(words, "status") { return .command(.status) }
    if matches(words, "mute") { return .command(.mute) }
    if matches(words, "unmute") { return .command(.unmute) }
    if matches(words, "help") || matches(words, "?") { return .command(.help) }
    if matches(words, "keep") { return .command(.keep) }
    if matches(words, "calibrate") { return .command(.calibrate) }
    if matches(words, "cancel") { return .command(.cancel) }
    return meaningOfMode(words) ?? meaningWithArgument(words)
  }

  private static func meaningOfMode(_ words: Span<UInt8>) -> CommandLineMeaning? {
    if matches(words, "tray") || matches(words, "mode tray") { return .command(.mode(.tray)) }
    if matches(words, "session") || matches(words, "mode session") {
      return .command(.mode(.session))
    }
    if matches(words, "target") || matches(words, "mode target") {
      return .command(.mode(.target))
    }
    return nil
  }

  private static func meaningWithArgument(_ words: Span<UInt8>) -> CommandLineMeaning {
    var end = 0
    while end < words.count && words[end] > blank { end += 1 }
    var start = end
    while start < words.count && words[start] <= blank { start += 1 }
    let argument = words.extracting(start..<words.count)
    if argument.count == 0 { return .unknown }
    let verb = words.extracting(0..<end)
    if matches(verb, "target"), let price = number(argument), price > 0 {
      return .command(.target(price))
    }
    if !matches(verb, "teach") { return .unknown }
    if let value = number(argument) {
      for index in 0..<5 where Int(Detection.values[index]) == value {
        return .command(.teach(CoinName(), Detection.values[index]))
      }
    }
    guard let name = CoinName(argument) else { return .unknown }
    return .command(.teach(name, 0))
  }

  /// A whole number of at most 8 digits.
  private static func number(_ text: Span<UInt8>) -> Int? {
    if text.count == 0 || text.count > 8 { return nil }
    var number = 0
    for index in 0..<text.count {
      let digit = Int(text[index]) - 48
      if digit < 0 || digit > 9 { return nil }
      number = 10 * number + digit
    }
    return number
  }

  private static let blank: UInt8 = 0x20

  /// Whether `words` are exactly `text`, which is in small letters.
  static func matches(_ words: Span<UInt8>, _ text: StaticString) -> Bool {
    if words.count != text.utf8CodeUnitCount { return false }
    for index in 0..<words.count {
      let byte = words[index]
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      if (isCapital ? byte + 32 : byte) != text.utf8Start[index] { return false }
    }
    return true
  }
}
