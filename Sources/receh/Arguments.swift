import CSystem

/// A NUL-terminated string of the command line.
typealias Argument = UnsafePointer<CChar>

/// The words of the command line, or the rest of them from a word on.
struct Arguments {
  /// The first word; option parsing exchanges the words among themselves.
  let base: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  /// How many words there are.
  let count: Int

  /// The words this process was given, its own name first.
  static func ofProcess() -> Arguments? {
    guard let base = csystem_arguments() else { return nil }
    return Arguments(base: base, count: Int(csystem_argument_count()))
  }

  /// The word at `index`. Precondition: `0 <= index < count`.
  subscript(index: Int) -> Argument {
    precondition(index >= 0 && index < count)
    guard let word = base[index] else { preconditionFailure("a null word before the last") }
    return Argument(word)
  }

  /// The words from `first` on. Precondition: `0 <= first <= count`.
  func dropping(first: Int) -> Arguments {
    precondition(first >= 0 && first <= count)
    return Arguments(base: base + first, count: count - first)
  }
}

/// Whether `argument` is exactly `text`.
func matches(_ argument: Argument, _ text: StaticString) -> Bool {
  strcmp(argument, text.cString) == 0
}

extension StaticString {
  /// The text as C takes it, without a copy.
  var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
