/// The sum and the enlargement as their definition has them.
enum ReferenceElementwise {
  /// Both inputs times their multipliers, added, shifted right rounding halves up.
  static func add(_ step: borrowing Step) {
    let half = roundingTerm(step.shift)
    for index in 0..<step.target.count {
      let first = (Int32(step.source.base[index]) - step.source.zeroPoint) * step.multiplier
      let second = (Int32(step.second.base[index]) - step.second.zeroPoint) * step.secondMultiplier
      step.target.base[index] = clampedOutput((first + second + half) >> step.shift, step)
    }
  }

  /// Each element four times, in a square.
  static func upsample2x(_ step: borrowing Step) {
    let channels = step.source.channels
    for y in 0..<step.target.height {
      for x in 0..<step.target.width {
        let source = step.source.base + (y / 2 * step.source.width + x / 2) * channels
        let target = step.target.base + (y * step.target.width + x) * channels
        for channel in 0..<channels { target[channel] = source[channel] }
      }
    }
  }
}
