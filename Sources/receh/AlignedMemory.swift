import CSystem

/// Memory aligned to 64 bytes, freed with its owner.
struct AlignedMemory: ~Copyable {
  /// The memory.
  let bytes: UnsafeMutableRawBufferPointer

  /// Allocates at least `size` bytes; `nil` when there are not that many.
  init?(size: Int) {
    let rounded = (size + 63) / 64 * 64
    guard let base = aligned_alloc(64, rounded) else { return nil }
    bytes = UnsafeMutableRawBufferPointer(start: base, count: rounded)
  }

  deinit {
    free(bytes.baseAddress)
  }
}
