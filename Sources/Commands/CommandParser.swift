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
    return .unknown
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
