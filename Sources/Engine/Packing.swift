import CKernels

/// Arranges the weights and parameters of a convolution in the order its kernel reads them.
enum Packing {
  /// Writes packed weights and parameters to where the step's plan says, for the fastest scaling that
  /// gives the results of the rule for all channels, and tells which.
  static func pack(
    _ step: borrowing Step, _ sizes: RowSizes, _ form: PackedForm
  ) -> ckernels_scaling {
    guard step.kind == .convolution else {
      packDepthwise(step, sizes)
      return CKERNELS_BY_RULE
    }
    packWeights(step, sizes, form)
    if form.foldsRounding {
      if packParameters(step, sizes, form, by: CKERNELS_BY_FLOATS) { return CKERNELS_BY_FLOATS }
      if packParameters(step, sizes, form, by: CKERNELS_ROUNDING_FOLDED) {
        return CKERNELS_ROUNDING_FOLDED
      }
    }
    _ = packParameters(step, sizes, form, by: CKERNELS_BY_RULE)
    return CKERNELS_BY_RULE
  }

  /// [block][kernel row][group][vector][lane][element], zeros where there is no weight.
  private static func packWeights(
    _ step: borrowing Step, _ sizes: RowSizes, _ form: PackedForm
  ) {
    let window = step.window
    let channels = step.source.channels
    let depth = form.depth(channels)
    let run = window.kernelWidth * channels
    var packed = step.rows.weights
    for block in 0..<sizes.blocks {
      let vectors = block == sizes.blocks - 1 ? sizes.lastVectors : sizes.vectors
      let firstChannel = block * sizes.vectors * form.lanes
      for kernelY in 0..<window.kernelHeight {
        for group in 0..<sizes.runElements / form.group {
          for lane in 0..<vectors * form.lanes {
            let channel = firstChannel + lane
            for element in 0..<form.group {
              let place = group * form.group + element
              let column = place / depth
              let isWeight =
                channel < step.target.channels && column < window.kernelWidth
                && place % depth < channels
              let weight =
                (channel * window.kernelHeight + kernelY) * run + column * channels + place % depth
              packed[element] = isWeight ? step.weights[weight] : 0
            }
            packed += form.group
          }
        }
      }
    }
  }

  /// Of a depthwise convolution, whose kernel walks over all channels of a pixel: bias, multiplier,
  /// rounding term and shift.
  private static func packDepthwise(_ step: borrowing Step, _ sizes: RowSizes) {
    let lanes = sizes.lanes
    packBiases(step, to: step.rows.parameters, lanes: 0..<lanes, origin: step.source.zeroPoint)
    let packed = step.rows.parameters + lanes
    for lane in 0..<lanes {
      let isChannel = lane < step.target.channels
      let shift = isChannel ? step.shift(lane) : 0
      packed[lane] = isChannel ? step.multiplier(lane) : GraphLimits.multiplier
      packed[lanes + lane] = roundingTerm(shift)
      packed[2 * lanes + lane] = shift
    }
  }

  /// Of a dense convolution the three arrays of each block, and all biases apart; false when some
  /// channel cannot be scaled so.
  private static func packParameters(
    _ step: borrowing Step, _ sizes: RowSizes, _ form: PackedForm, by way: ckernels_scaling
  ) -> Bool {
    let kinds = SkippedRows.kinds(step.window, inputHeight: step.source.height)
    var packed = step.rows.parameters
    for block in 0..<sizes.blocks {
      let vectors = block == sizes.blocks - 1 ? sizes.lastVectors : sizes.vectors
      let lanes = vectors * form.lanes
      let firstChannel = block * sizes.vectors * form.lanes
      packBiases(
        step, to: step.rows.biases, lanes: firstChannel..<firstChannel + lanes,
        origin: step.source.zeroPoint + form.offset)
      for lane in 0..<lanes {
        let channel = firstChannel + lane
        var scaling = ChannelScaling(unusedBy: step)
        if channel < step.target.channels {
          guard let own = ChannelScaling(step, channel, by: way, nil, form) else { return false }
          scaling = own
          for kind in 0..<kinds {
            step.rows.biases[kind * step.rows.lanes + channel] &+= own.accumulators &+ own.sums
          }
        }
        packed[lane] = scaling.multiplier
        packed[lanes + lane] = scaling.results
        packed[2 * lanes + lane] = scaling.shift
      }
      packed += 3 * lanes
    }
    return true
  }

  /// The biases of some lanes, for every kind of skipped rows. They take in what the input's zero
  /// point and offset contribute, so that kernels multiply raw elements.
  private static func packBiases(
    _ step: borrowing Step, to biases: UnsafeMutablePointer<Int32>, lanes: Range<Int>,
    origin: Int32
  ) {
    let isDense = step.kind == .convolution
    let height = step.source.height
    let kinds = isDense ? SkippedRows.kinds(step.window, inputHeight: height) : 1
    for kind in 0..<kinds {
      let rows = SkippedRows.rows(step.window, kind: kind)
      for lane in lanes {
        let isChannel = lane < step.target.channels
        biases[kind * step.rows.lanes + lane] =
          isChannel ? step.bias(lane) &- origin &* weightSum(step, lane, rows) : 0
      }
    }
  }

  /// What some kernel rows of a channel's weights add up to.
  private static func weightSum(
    _ step: borrowing Step, _ channel: Int, _ rows: Range<Int>
  ) -> Int32 {
    let isDense = step.kind == .convolution
    let channels = step.target.channels
    let row = step.window.kernelWidth * (isDense ? step.source.channels : 1)
    let stride = isDense ? 1 : channels
    var place = isDense ? channel * step.window.kernelHeight * row : channel
    place += rows.lowerBound * row * stride
    var sum: Int32 = 0
    for _ in 0..<rows.count * row {
      sum &+= Int32(step.weights[place])
      place += stride
    }
    return sum
  }
}
