/// The natural logarithm of a positive, normal, finite number, to about 1e-6.
///
/// Made of basic IEEE operations alone, so that every machine gets the same bits.
func naturalLogarithm(_ x: Float) -> Float {
  let bits = x.bitPattern
  var exponent = Int32(bits >> 23) - 127
  var mantissa = Float(bitPattern: bits & 0x007F_FFFF | 0x3F80_0000)
  if mantissa > 1.414_213_5 {
    mantissa *= 0.5
    exponent += 1
  }
  // ln m = 2 artanh((m - 1) / (m + 1)), whose series converges fast for |z| <= 0.172.
  let z = (mantissa - 1) / (mantissa + 1)
  let square = z * z
  let odd = ((square / 9 + 1 / 7) * square + 1 / 5) * square + 1 / 3
  let series = 2 * z + 2 * z * square * odd
  return series + Float(exponent) * 0.693_147_2
}

/// The exponential of a number not above 0, to about 1e-6; 0 below -80.
///
/// Made of basic IEEE operations alone, so that every machine gets the same bits.
func exponential(_ x: Float) -> Float {
  if x < -80 { return 0 }
  // Truncation towards 0 of a negative number, less a half: the nearest whole number.
  let halvings = Int32(x * 1.442_695_1 - 0.5)
  let rest = x - Float(halvings) * 0.693_147_2
  let tail = ((rest / 120 + 1 / 24) * rest + 1 / 6) * rest + 0.5
  let near = 1 + rest + rest * rest * tail
  return near * Float(bitPattern: UInt32(bitPattern: halvings + 127) << 23)
}
