import Announcing
import CSystem
import Life

/// Text on its way to a descriptor, a buffer's worth at a time.
///
/// After a write has failed, everything further is dropped, and `failure` says why. What writes is
/// kept out of its many callers, as the board has little room for the command.
struct Output: ~Copyable {
  private let descriptor: Int32
  private var buffer = Text<4096>()
  /// The `errno` of the write(2) that failed, or 0.
  private(set) var failure: Int32 = 0

  /// Writes to `descriptor`, which stays open.
  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Writes one byte.
  mutating func write(byte: UInt8) {
    if buffer.count == 4096 { flush() }
    buffer.append(byte: byte)
  }

  /// Writes bytes as they are.
  @inline(never)
  mutating func write(_ bytes: Span<UInt8>) {
    for index in 0..<bytes.count { write(byte: bytes[index]) }
  }

  /// Writes a fixed text.
  @inline(never)
  mutating func write(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { write(byte: text.utf8Start[index]) }
  }

  /// Writes a number in decimal.
  @inline(never)
  mutating func write(_ number: Int) {
    var text = Text<24>()
    text.append(number)
    write(text.span)
  }

  /// Writes spaces, then `text`, so that both together are `width` bytes or more.
  mutating func write<let Capacity: Int>(_ text: Text<Capacity>, width: Int) {
    for _ in 0..<max(0, width - text.count) { write(byte: UInt8(ascii: " ")) }
    write(text.span)
  }

  /// Passes everything written so far to the descriptor.
  @inline(never)
  mutating func flush() {
    var position = 0
    while failure == 0 && position < buffer.count {
      let written = buffer.span.withUnsafeBufferPointer { bytes in
        CSystem.write(descriptor, bytes.baseAddress.map { $0 + position }, bytes.count - position)
      }
      if written > 0 {
        position += written
        continue
      }
      switch csystem_errno() {
      case EINTR: break
      case EAGAIN: csystem_wait_writable(descriptor)
      case let code: failure = written < 0 ? code : EIO
      }
    }
    buffer.removeAll()
  }
}

/// Tells of a fault on one line of standard error, which carries a priority where it is the
/// journal.
///
/// - Parameters:
///   - command: who tells, such as `receh count`.
///   - write: writes the thing at fault, what is wrong with it, and the way out.
func complain(_ command: StaticString, _ write: (inout Output) -> Void) {
  var line = Output(descriptor: 2)
  line.beginComplaint(command)
  write(&line)
  line.endLine()
}

extension Output {
  @inline(never)
  fileprivate mutating func beginComplaint(_ command: StaticString) {
    if csystem_is_journal(2) {
      var mark = Text<3>()
      mark.append(LogPriority.error)
      write(mark.span)
    }
    write(command)
    write(": ")
  }

  @inline(never)
  fileprivate mutating func endLine() {
    write("\n")
    flush()
  }
}
