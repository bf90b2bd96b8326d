import CSystem

/// One `--name` of a command.
struct CommandOption {
  /// The name without its dashes.
  let name: StaticString
  /// Whether a value follows, as `--name VALUE` or `--name=VALUE`.
  let takesValue: Bool
}

/// Reads the options of a command by getopt_long; they may stand before, between and after the
/// other words, and `--` ends them.
///
/// - Parameters:
///   - arguments: the command's name and the words after it.
///   - options: the options there are.
///   - command: the name for error lines, such as `receh count`.
///   - handle: called for each option in turn with its index in `options` and its value.
/// - Returns: the words that are not options.
/// - Throws: `ExitStatus.usage` after telling of the option at fault, and what `handle` throws.
func parseOptions<let Count: Int>(
  _ arguments: Arguments, _ options: borrowing [Count of CommandOption], command: StaticString,
  _ handle: (_ index: Int, _ value: Argument?) throws(ExitStatus) -> Void
) throws(ExitStatus) -> Arguments {
  // getopt_long wants an entry of zeros last; no command has 16 options.
  var table = [16 of option](repeating: option())
  precondition(Count < 16)
  for index in 0..<Count {
    table[index] = option(
      name: options[index].name.cString, has_arg: options[index].takesValue ? 1 : 0, flag: nil,
      val: firstCode + Int32(index))
  }
  csystem_option_restart()
  while true {
    let code = table.span.withUnsafeBufferPointer { entries in
      getopt_long(
        Int32(arguments.count), arguments.base, (":" as StaticString).cString, entries.baseAddress,
        nil)
    }
    if code == -1 { break }
    if code >= firstCode {
      try handle(Int(code - firstCode), csystem_option_value())
      continue
    }
    tellOfOption(arguments, command: command, isValueMissing: code == Int32(UInt8(ascii: ":")))
    throw .usage
  }
  return arguments.dropping(first: Int(csystem_option_index()))
}

/// What getopt_long returns for the first option; above every character.
private let firstCode: Int32 = 256

/// Tells of the option that getopt_long stopped at.
private func tellOfOption(_ arguments: Arguments, command: StaticString, isValueMissing: Bool) {
  let failed = csystem_option_failed()
  complain(command) { line in
    if failed != 0 && failed < firstCode {
      // A letter, perhaps out of a group of them.
      line.write("unknown option '-")
      line.write(byte: UInt8(truncatingIfNeeded: failed))
    } else {
      let word = arguments[Int(csystem_option_index()) - 1]
      line.write(
        isValueMissing
          ? "no value after '" : failed == 0 ? "unknown option '" : "no value is taken by '")
      line.write(name: word)
    }
    line.write("'; '")
    line.write(command)
    line.write(" --help' tells of the options")
  }
}

/// Refuses the words that `parseOptions` left over, for a command that takes none.
///
/// - Parameter remedy: what to write instead.
/// - Throws: `ExitStatus.usage` after telling of the first word.
func refuseWords(
  _ words: Arguments, command: StaticString, _ remedy: StaticString
) throws(ExitStatus) {
  if words.count == 0 { return }
  complain(command) { line in
    line.write("'")
    line.write(name: words[0])
    line.write("' belongs to no option; ")
    line.write(remedy)
  }
  throw .usage
}
