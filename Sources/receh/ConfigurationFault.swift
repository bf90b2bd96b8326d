import Announcing

/// What is wrong in a configuration file.
struct ConfigurationFault {
  /// The kinds of mistake.
  enum Kind {
    /// The line is not a section, a `key = value`, a comment or empty.
    case malformed
    /// The line is longer than is read.
    case tooLong
    /// There is no such key, or no such section.
    case unknownKey
    /// The key is given for the second time; the first was on that line.
    case repeated(first: Int)
    /// The value is none of these.
    case notOneOf(StaticString)
    /// The value is not a whole number in this range.
    case notWithin(Int, Int)
    /// The value is longer than is kept.
    case tooLongFor(Int)
    /// The key makes no sense beside another, or lacks one.
    case contradiction(StaticString)
  }

  /// Line of the file, from 1.
  let line: Int
  /// What is wrong.
  let kind: Kind
  /// The section the line is in, without brackets; empty before the first.
  var section = Text<64>()
  /// The key at fault.
  var key = Text<64>()
  /// The value at fault.
  var value = Text<64>()
}
