import Announcing
import CSystem

/// What a support person would ask for: the devices of a machine, what they say of themselves, and
/// what is wrong with each.
struct Survey: ~Copyable {
  /// Something that is wrong, and the way out.
  private struct Trouble {
    let part: StaticString
    var what = Text<320>()
    var fix = Text<320>()
  }

  /// The board, as far as it decides what is wrong.
  enum Board {
    case pi3, pi4, pi5
    /// A Raspberry Pi of another kind.
    case otherPi
    case other

    /// Whether it is a Raspberry Pi.
    var isPi: Bool { self != .other }
  }

  let tree: SystemTree
  let board: Board
  let configuration: Configuration
  var output: Output
  private var troubles: [Trouble] = []

  /// Prepares to write to a descriptor.
  init(_ tree: SystemTree, _ configuration: Configuration, descriptor: Int32) {
    self.tree = tree
    self.configuration = configuration
    board = Survey.board(tree)
    output = Output(descriptor: descriptor)
  }

  /// Looks at everything and writes what there is.
  /// - Parameter isFull: whether to add the system's own files at length.
  mutating func write(isFull: Bool) {
    writeSystem()
    writeCameras()
    writeGPIO()
    writeSPI()
    writeSound()
    writeSerial()
    writeTroubles()
    if isFull { writeDetails() }
    output.flush()
  }

  /// Writes the heading of a part.
  mutating func head(_ title: StaticString) {
    output.write("\n")
    output.write(title)
    output.write("\n")
  }

  /// Writes a line of a part: a name, filled up to a column, and what there is to say of it.
  mutating func item(_ name: StaticString, _ write: (inout Output) -> Void) {
    output.write("  ")
    output.write(name)
    for _ in name.utf8CodeUnitCount..<max(name.utf8CodeUnitCount + 1, 12) { output.write(" ") }
    write(&output)
    output.write("\n")
  }

  /// Writes a line of a part for a device node, with its owner and who may use it.
  /// - Returns: whether this process may use it.
  @discardableResult
  mutating func node(
    _ path: PathText, part: StaticString, group usual: StaticString, _ write: (inout Output) -> Void
  ) -> Bool {
    var owner = NameBuffer(repeating: 0)
    var group = NameBuffer(repeating: 0)
    var mode: UInt32 = 0
    let (isThere, mayUse) = path.asCString { path in
      (
        owner.withName { owner in group.withName { csystem_owner(path, owner, $0, &mode) } },
        csystem_may_use(path)
      )
    }
    output.write("  ")
    path.asCString { output.write(name: $0) }
    output.write("  ")
    write(&output)
    if isThere {
      output.write("  (")
      owner.withName { output.write(name: $0) }
      output.write(":")
      group.withName { output.write(name: $0) }
      output.write(" ")
      output.write(octal: mode)
      output.write(mayUse ? ")" : ", not for you)")
    }
    output.write("\n")
    if isThere && !mayUse {
      forbidden(path, part: part, group: mode & 0o060 == 0o060 ? group : nil, usual)
    }
    return mayUse
  }

  /// Notes that this user may not use a device.
  /// - Parameters:
  ///   - group: the group that may, or `nil` when it may not either.
  ///   - usual: the group that should.
  private mutating func forbidden(
    _ path: PathText, part: StaticString, group: NameBuffer?, _ usual: StaticString
  ) {
    var user = NameBuffer(repeating: 0)
    user.withName { csystem_user($0) }
    trouble(part) { what, fix in
      path.asCString { what.append(cString: $0) }
      what.append(" is not for this user")
      if var group {
        fix.append("sudo usermod -aG ")
        group.withName { fix.append(cString: $0) }
        fix.append(" ")
        user.withName { fix.append(cString: $0) }
        fix.append(", and sign in again")
      } else {
        fix.append("install receh's udev rules, which give it to the group ")
        fix.append(usual)
      }
    }
  }

  /// Notes something that is wrong.
  mutating func trouble(
    _ part: StaticString, _ write: (_ what: inout Text<320>, _ fix: inout Text<320>) -> Void
  ) {
    var trouble = Trouble(part: part)
    write(&trouble.what, &trouble.fix)
    troubles.append(trouble)
  }

  /// Notes something that is wrong in fixed words.
  mutating func trouble(_ part: StaticString, _ what: StaticString, fix: StaticString) {
    trouble(part) {
      $0.append(what)
      $1.append(fix)
    }
  }

  private mutating func writeTroubles() {
    head("What is wrong")
    if troubles.isEmpty { output.write("  nothing that can be seen from here\n") }
    for trouble in troubles {
      output.write("  ")
      output.write(trouble.part)
      output.write(": ")
      output.write(printable: trouble.what)
      output.write("\n    -> ")
      output.write(printable: trouble.fix)
      output.write("\n")
    }
  }

  private static func board(_ tree: SystemTree) -> Board {
    guard let model = tree.read(tree.path("/proc/device-tree/model")) else { return .other }
    if !model.contains("Raspberry Pi") { return .other }
    if model.contains("Pi 5") || model.contains("Module 5") { return .pi5 }
    if model.contains("Pi 4") || model.contains("Module 4") { return .pi4 }
    if model.contains("Pi 3") || model.contains("Zero 2") { return .pi3 }
    return .otherPi
  }
}

/// Room for a name of at most 32 bytes and its NUL.
typealias NameBuffer = InlineArray<33, CChar>

extension InlineArray where Element == CChar, count == 33 {
  /// Calls `body` with the room as C takes it.
  @discardableResult
  mutating func withName<Result>(_ body: (UnsafeMutablePointer<CChar>) -> Result) -> Result {
    withUnsafeMutablePointer(to: &self) { pointer in
      body(UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: CChar.self))
    }
  }
}

extension Output {
  /// Writes a text that comes from elsewhere, as `write(name:)` does.
  mutating func write<let Capacity: Int>(printable text: Text<Capacity>) {
    var line = Text<4097>()
    line.append(bytes: text.span)
    line.append(byte: 0)
    line.asCString { write(name: $0) }
  }

  /// Writes a file's mode: `0660`.
  mutating func write(octal mode: UInt32) {
    for place in [9, 6, 3, 0] { write(byte: UInt8(ascii: "0") + UInt8(mode >> place & 7)) }
  }
}
