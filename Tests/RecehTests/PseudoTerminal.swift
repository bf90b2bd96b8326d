import CSystem
import Foundation

/// A pseudo-terminal at a fixed path, which stands for a serial line: this is its far end.
///
/// The path is a symbolic link that stays the same when the line is hung up and taken up again.
final class PseudoTerminal {
  /// The path of the near end.
  let path: String
  private var end: Int32 = -1
  private var received = ""

  init(at path: String) throws {
    self.path = path
    try takeUp()
  }

  deinit {
    if end >= 0 { close(end) }
  }

  struct Failure: Error {}

  /// TIOCSPTLCK and TIOCGPTN, macros that Swift cannot import.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Makes the line anew after `hangUp`.
  func takeUp() throws {
    end = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var lock: Int32 = 0
    var number: UInt32 = 0
    guard end >= 0, csystem_device_ioctl(end, PseudoTerminal.setLock, &lock) == 0,
      csystem_device_ioctl(end, PseudoTerminal.getNumber, &number) == 0
    else { throw Failure() }
    let name = "/dev/pts/\(number)"
    unlink(path)
    guard symlink(name, path) == 0 else { throw Failure() }
  }

  /// Takes the line away, as pulling out a USB adapter does.
  func hangUp() {
    close(end)
    end = -1
    unlink(path)
  }

  /// Types text; what the line does not take at once is typed as it does.
  func type(_ text: String) {
    type(Array(text.utf8))
  }

  func type(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(end, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else { usleep(1000) }
    }
  }

  /// The next line that comes, without its end; `nil` once `isOver` and nothing more is there.
  func line(isOver: () -> Bool) -> String? {
    while true {
      if let newline = received.firstIndex(where: \.isNewline) {
        let line = String(received[..<newline])
        received = String(received[received.index(after: newline)...])
        return line
      }
      let wasOver = isOver()
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(end, &bytes, bytes.count)
      if count > 0 {
        received += String(decoding: bytes.prefix(count), as: UTF8.self)
      } else if wasOver {
        return nil
      } else {
        usleep(1000)
      }
    }
  }

  /// Lines up to and with the first that `isLast` holds of; all that came if there is none.
  func lines(isOver: () -> Bool, upTo isLast: (String) -> Bool) -> [String] {
    var lines: [String] = []
    while let line = line(isOver: isOver) {
      lines.append(line)
      if isLast(line) { break }
    }
    return lines
  }
}
