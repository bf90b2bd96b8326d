import Announcing
import CInih
import CSystem
import Lights

/// Reads a configuration by inih, which tells keys and values but no line numbers; those are
/// counted here, where the lines are handed over.
struct ConfigurationParser {
  /// The configuration read so far.
  private(set) var configuration = Configuration()

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var line = 0
  private var fault: ConfigurationFault?
  /// Line on which each key was given, 0 for not yet.
  private var firstLines: [Int]
  private let keys = ConfigurationKey.all()

  /// Prepares to read a file's bytes, which must outlive the parser.
  init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    firstLines = [Int](repeating: 0, count: keys.count)
  }

  /// Reads to the end or to the first fault, which is returned.
  mutating func parse() -> ConfigurationFault? {
    let malformed = withUnsafeMutablePointer(to: &self) { parser in
      ini_parse_stream(nextLine, parser, takeValue, parser)
    }
    // inih goes on after a fault and returns the first line it could not use.
    if let fault, fault.line <= malformed || malformed == 0 { return fault }
    return malformed == 0 ? nil : ConfigurationFault(line: Int(malformed), kind: .malformed)
  }

  /// Looks for keys that make no sense together, after everything has been read.
  func findContradiction() -> ConfigurationFault? {
    let strip = configuration.lights.strip
    if (strip.clock == nil) != (strip.data == nil) {
      let key: StaticString = strip.clock == nil ? "data" : "clock"
      return fault("strip", key, "needs 'clock' and 'data'; give both lines or leave both off")
    }
    if strip.kind == .ws2812b && strip.clock != nil {
      return fault(
        "strip", "clock", "is not for a WS2812B strip, which has no clock; leave both lines off")
    }
    return nil
  }

  /// A contradiction, told of at the line on which a key was given.
  private func fault(
    _ section: StaticString, _ name: StaticString, _ what: StaticString
  ) -> ConfigurationFault {
    var line = 0
    for index in 0..<keys.count
    where strcmp(keys[index].section.cString, section.cString) == 0
      && strcmp(keys[index].name.cString, name.cString) == 0
    {
      line = firstLines[index]
    }
    var found = ConfigurationFault(line: line, kind: .contradiction(what))
    found.section.append(section)
    found.key.append(name)
    return found
  }

  /// Hands the next line over as fgets would; returns `false` at the end or after a fault.
  fileprivate mutating func next(
    _ buffer: UnsafeMutablePointer<CChar>, capacity: Int
  ) -> Bool {
    if position == bytes.count || fault != nil { return false }
    line += 1
    var count = 0
    while position < bytes.count {
      let byte = bytes[position]
      // A longer line would be cut in two, and a NUL would hide what follows it.
      if count == capacity - 2 || byte == 0 {
        fault = ConfigurationFault(line: line, kind: byte == 0 ? .malformed : .tooLong)
        return false
      }
      buffer[count] = CChar(bitPattern: byte)
      count += 1
      position += 1
      if byte == UInt8(ascii: "\n") { break }
    }
    buffer[count] = 0
    return true
  }

  /// Takes over one `key = value`; returns whether it makes sense.
  fileprivate mutating func take(section: Argument, name: Argument, value: Argument) -> Bool {
    if fault != nil { return true }
    var kind: ConfigurationFault.Kind? = .unknownKey
    for index in 0..<keys.count
    where matches(section, keys[index].section) && matches(name, keys[index].name) {
      if firstLines[index] > 0 {
        kind = .repeated(first: firstLines[index])
      } else {
        firstLines[index] = line
        kind = keys[index].apply(value, &configuration)
      }
    }
    guard let kind else { return true }
    var found = ConfigurationFault(line: line, kind: kind)
    found.section.append(cString: section)
    found.key.append(cString: name)
    found.value.append(cString: value)
    fault = found
    return false
  }
}

/// inih's reader: fills `buffer` with the next line.
private func nextLine(
  _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int32, _ stream: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<CChar>? {
  guard let buffer, let stream else { return nil }
  let parser = stream.assumingMemoryBound(to: ConfigurationParser.self)
  return parser.pointee.next(buffer, capacity: Int(capacity)) ? buffer : nil
}

/// inih's handler: takes one key and its value.
private func takeValue(
  _ user: UnsafeMutableRawPointer?, _ section: UnsafePointer<CChar>?,
  _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> Int32 {
  guard let user, let section, let name, let value else { return 0 }
  let parser = user.assumingMemoryBound(to: ConfigurationParser.self)
  return parser.pointee.take(section: section, name: name, value: value) ? 1 : 0
}

extension Output {
  /// Writes what is wrong in a configuration file and the way out, to follow file and line.
  mutating func write(_ fault: ConfigurationFault) {
    switch fault.kind {
    case .malformed: write("is neither 'key = value' nor '[section]'; put # before a comment")
    case .tooLong: write("is too long; a line has at most 197 bytes")
    case .unknownKey:
      write("unknown key ")
      write(quoted: fault.key)
      write(section: fault.section)
      write("; the example board/receh.conf has all keys")
    case .repeated(let first):
      write(quoted: fault.key)
      write(section: fault.section)
      write(" is given again; it was on line ")
      write(first)
      write(" already")
    case .notOneOf(let choices):
      write(unfit: fault)
      write(choices)
    case .notWithin(let least, let most):
      write(unfit: fault)
      write("a whole number from ")
      write(least)
      write(" to ")
      write(most)
    case .tooLongFor(let most):
      write(quoted: fault.key)
      write(section: fault.section)
      write(" is longer than ")
      write(most)
      write(" bytes; give a shorter one")
    case .contradiction(let what):
      write(quoted: fault.key)
      write(section: fault.section)
      write(" ")
      write(what)
    }
  }

  private mutating func write(unfit fault: ConfigurationFault) {
    write(quoted: fault.value)
    write(" is no value of ")
    write(quoted: fault.key)
    write("; give ")
  }

  private mutating func write(section: Text<64>) {
    if section.count == 0 { return }
    write(" of [")
    write(name: section)
    write("]")
  }

  private mutating func write(quoted text: Text<64>) {
    write("'")
    write(name: text)
    write("'")
  }

  /// Writes a text as `write(name:)` writes a C string.
  private mutating func write(name text: Text<64>) {
    var copy = Text<65>()
    for index in 0..<text.count { copy.append(byte: text[index]) }
    copy.append(byte: 0)
    copy.span.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress {
        write(name: UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self))
      }
    }
  }
}
