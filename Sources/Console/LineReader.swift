import Announcing
import Commands

/// Puts bytes together to lines, and reads commands out of them.
struct LineReader: ~Copyable {
  /// Most bytes of a line: far more than a command has.
  static let limit = 80

  /// What a byte has brought to an end.
  enum Result: BitwiseCopyable, Equatable {
    /// Nothing: the line goes on, or was blank.
    case nothing
    /// A line with a command.
    case command(Command)
    /// A line that is no command.
    case unknown
    /// A line that was longer than `limit`; all of it has been passed over.
    case tooLong
  }

  private var line = Text<80>()

  /// Begins with an empty line.
  init() {}

  /// Takes one byte in. A carriage return ends a line as a newline does, and backspace and delete
  /// take the last byte back.
  mutating func take(_ byte: UInt8) -> Result {
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      defer { line.removeAll() }
      if line.isCut { return .tooLong }
      switch CommandParser.meaning(of: line.span) {
      case .nothing: return .nothing
      case .command(let command): return .command(command)
      case .unknown: return .unknown
      }
    case 0x08, 0x7f: removeLast()
    default: line.append(byte: byte)
    }
    return .nothing
  }

  /// Forgets a line that has been begun.
  mutating func removeAll() {
    line.removeAll()
  }

  private mutating func removeLast() {
    // What was cut off is gone, so the line stays too long.
    if line.isCut || line.count == 0 { return }
    let before = line
    line.removeAll()
    for index in 0..<before.count - 1 { line.append(byte: before[index]) }
  }
}
