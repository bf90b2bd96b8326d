import CSystem
import Foundation
import TestSupport

/// A tty of a fake kernel: what is typed on it, and what has been written to it.
final class FakeTerminal {
  let kernel = FakeKernel()
  /// Bytes to be read.
  var typed: [UInt8] = []
  /// Bytes the tty takes before it would have to wait.
  var room = Int.max
  /// Everything that has been written.
  private(set) var written: [UInt8] = []
  /// Whether the other end has hung up.
  var isHungUp = false
  /// The rate the driver gives, whatever is asked for; `nil` for that.
  var rate: UInt32?
  /// The settings last made: flags of input, output, control and lines, then the rates.
  private(set) var settings: [UInt32] = []

  init() {
    kernel.open = { _ in 5 }
    kernel.read = { [unowned self] _ throws(FakeKernel.FakeError) in
      if isHungUp { return [] }
      if typed.isEmpty { throw FakeKernel.FakeError(code: EAGAIN) }
      let bytes = Array(typed.prefix(64))
      typed.removeFirst(bytes.count)
      return bytes
    }
    kernel.write = { [unowned self] _, bytes in
      if isHungUp { return -Int(EIO) }
      let count = min(room, bytes.count)
      if count == 0 { return -Int(EAGAIN) }
      if room < .max { room -= count }
      written += bytes.prefix(count)
      return count
    }
    kernel.control = { [unowned self] _, request, argument in
      guard let argument else { return 0 }
      // struct termios2: four words of flags, 20 bytes, two rates.
      if request == UInt(csystem_serial_get_request) {
        argument.storeBytes(of: rate ?? lastRate, toByteOffset: 40, as: UInt32.self)
      } else if request == UInt(csystem_serial_set_request) {
        settings = [0, 4, 8, 12, 36, 40].map {
          argument.load(fromByteOffset: $0, as: UInt32.self)
        }
        lastRate = settings[5]
      } else if request == UInt(csystem_serial_unsent_request) {
        argument.storeBytes(of: 0, as: Int32.self)
      }
      return 0
    }
  }

  private var lastRate: UInt32 = 0

  var text: String { String(decoding: written, as: UTF8.self) }

  func type(_ text: String) {
    typed += Array(text.utf8)
  }

  func forget() {
    written = []
  }
}
