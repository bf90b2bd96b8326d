/// Scales an accumulator by multiplier / 2^31 / 2^shift in integers, the one rounding rule of the
/// engine:
///
///     high   = (accumulator * multiplier + 2^30) >> 31, in 64 bits
///     result = (high + (shift > 0 ? 2^(shift - 1) : 0)) >> shift
///
/// Both steps round halves up. On ARM they are SQRDMULH and SRSHL.
///
/// - Parameters:
///   - accumulator: at most 2^30 in magnitude.
///   - multiplier: 2^30 to 2^31 - 1.
///   - shift: 0 to 30.
@inline(__always)
func requantised(_ accumulator: Int32, _ multiplier: Int32, _ shift: Int32) -> Int32 {
  let high = Int32(truncatingIfNeeded: (Int64(accumulator) * Int64(multiplier) + (1 << 30)) >> 31)
  return (high &+ roundingTerm(shift)) >> shift
}

/// Half of what a right shift by `shift` divides by; 0 for no shift.
@inline(__always)
func roundingTerm(_ shift: Int32) -> Int32 {
  shift > 0 ? 1 << (shift - 1) : 0
}

/// `value` plus the output's zero point, clamped to what the operator allows.
@inline(__always)
func clampedOutput(_ value: Int32, _ step: Step) -> Int8 {
  Int8(truncatingIfNeeded: min(max(value &+ step.target.zeroPoint, step.minimum), step.maximum))
}
