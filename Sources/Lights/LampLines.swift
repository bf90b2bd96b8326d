import CGPIO
import Counting

/// The GPIO lines of the single lights, by their role; made inactive and given back at the end.
struct LampLines: ~Copyable {
  private var lines = InlineArray<14, OpaquePointer?>(repeating: nil)

  /// Makes lines none of which has been requested yet.
  init() {
    precondition(LampRole.count == 14)
  }

  deinit {
    for index in 0..<LampRole.count {
      if let line = lines[index] {
        _ = cgpio_output_set(line, false)
        cgpio_output_close(line)
      }
    }
  }

  /// Whether a role's line is ours.
  func isOpen(_ index: Int) -> Bool { lines[index] != nil }

  /// Finds and requests a role's line, which is inactive then.
  /// - Throws: why it cannot be had.
  mutating func open(
    _ index: Int, _ address: LineAddress, isActiveLow: Bool
  ) throws(Degradation) {
    lines[index] = try OutputLine.request(address, isActiveLow: isActiveLow)
  }

  /// Makes a role's line active or not; gives it back when it cannot be set any more.
  /// - Throws: `ledLost` when it cannot.
  mutating func set(_ index: Int, _ isActive: Bool) throws(Degradation) {
    guard let line = lines[index] else { throw .ledLost }
    if cgpio_output_set(line, isActive) == 0 { return }
    cgpio_output_close(line)
    lines[index] = nil
    throw .ledLost
  }
}
