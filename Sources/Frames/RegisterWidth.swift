import CKernels

/// The registers that the vector forms use, where a processor has several kinds: for checks.
package enum RegisterWidth {
  /// Uses registers of at most so many bits from now on, in the whole process.
  package static func limit(to bits: Int) { ckernels_frame_limit(Int32(clamping: bits)) }
}
