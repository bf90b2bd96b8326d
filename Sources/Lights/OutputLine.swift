import Announcing
import CGPIO
import CSystem
import Counting

/// A GPIO line of our own that is an output; made inactive and given back by its owner's end.
struct OutputLine: ~Copyable {
  private var line: OpaquePointer?

  /// Makes a line that has not been requested yet.
  init() {}

  deinit {
    if let line {
      _ = cgpio_output_set(line, false)
      cgpio_output_close(line)
    }
  }

  /// Whether the line is ours.
  var isOpen: Bool { line != nil }

  /// Finds and requests the line, which is inactive then.
  /// - Throws: why it cannot be had.
  mutating func open(_ address: LineAddress) throws(Degradation) {
    line = try OutputLine.request(address, isActiveLow: false)
  }

  /// Finds and requests a line, which is inactive then. Owned by the caller.
  /// - Throws: why it cannot be had.
  static func request(
    _ address: LineAddress, isActiveLow: Bool
  ) throws(Degradation) -> OpaquePointer {
    var fault: Int32 = 0
    var chip = address.chip
    var name = address.name
    chip.append(byte: 0)
    name.append(byte: 0)
    let line = chip.withCString { label in
      name.withCString { name in
        cgpio_output_open(
          address.chip.count > 0 ? label : nil, name, UInt32(address.offset), isActiveLow, &fault)
      }
    }
    guard let line else { throw Degradation(line: fault) }
    return line
  }

  /// Makes the line active or not; gives it back when it cannot be set any more.
  /// - Throws: `ledLost` when it cannot.
  mutating func set(_ isActive: Bool) throws(Degradation) {
    guard let line else { throw .ledLost }
    if cgpio_output_set(line, isActive) == 0 { return }
    close()
    throw .ledLost
  }

  /// Gives the line back as it is.
  mutating func close() {
    if let line { cgpio_output_close(line) }
    line = nil
  }
}
