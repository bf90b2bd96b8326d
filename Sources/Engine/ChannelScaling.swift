import CKernels

/// What scales the sums of one channel of a dense convolution, in one of the ways a kernel can.
struct ChannelScaling {
  /// Added to the accumulators, before these are multiplied by what Winograd's filtering does.
  var accumulators: Int32 = 0
  /// Added to the sums.
  var sums: Int32 = 0
  /// Added to the results, the zero point in it; where a form folds no rounding, by the rule, its
  /// rounding term instead.
  var results: Int32
  /// A whole number, or a float's bits.
  var multiplier: Int32
  /// A shift, or the bits of a float that is added.
  var shift: Int32

  /// That of a channel's convolution; `nil` when it cannot be scaled so to the results of the rule.
  ///
  /// - Parameters:
  ///   - way: how.
  ///   - bands: how it is computed by Winograd's filtering, if it is.
  init?(
    _ step: borrowing Step, _ channel: Int, by way: ckernels_scaling, _ bands: WinogradSizes?,
    _ form: PackedForm
  ) {
    let multiplier = step.multiplier(channel)
    let shift = step.shift(channel)
    let zero = step.target.zeroPoint
    let lowest = step.minimum - zero
    let highest = step.maximum - zero
    switch way {
    #if arch(x86_64)
      case CKERNELS_BY_FLOATS:
        guard
          let scaling = FloatScaling(
            multiplier: multiplier, shift: shift, lowest: lowest, highest: highest,
            unit: bands?.scale ?? 1)
        else { return nil }
        accumulators = -scaling.origin
        results = zero + scaling.results
        self.multiplier = Int32(bitPattern: scaling.multiplier.bitPattern)
        self.shift = Int32(bitPattern: scaling.addend.bitPattern)
    #endif
    case CKERNELS_ROUNDING_FOLDED:
      if let bands, let winograd = form.winograd {
        guard
          let rounding = WinogradRounding(
            multiplier: multiplier, shift: shift, lowest: lowest, highest: highest,
            rows: bands.rows)
        else { return nil }
        sums = rounding.bias
        results = zero - rounding.results
        self.multiplier = rounding.multiplier
        self.shift = rounding.shift - Int32(winograd.droppedBits - 31)
      } else {
        guard
          let rounding = FoldedRounding(
            multiplier: multiplier, shift: shift, lowest: lowest, highest: highest)
        else { return nil }
        sums = rounding.bias
        results = zero - rounding.results
        self.multiplier = multiplier
        self.shift = shift - 1
      }
    default:
      results = form.foldsRounding ? zero : roundingTerm(shift)
      self.multiplier = multiplier
      self.shift = shift
    }
  }

  /// That of a lane without a channel.
  init(unusedBy step: borrowing Step) {
    results = step.target.zeroPoint
    multiplier = GraphLimits.multiplier
    shift = 1
  }
}
