/// Arranges the weights and parameters of a convolution in the order its kernel reads them.
enum Packing {
  /// Writes packed weights and parameters to where the step's plan says.
  static func pack(_ step: borrowing Step, _ sizes: RowSizes, _ form: PackedForm) {
    if step.kind == .convolution { packWeights(step, sizes, form) }
    packParameters(step, sizes, form)
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

  /// Of a dense convolution for each block multiplier, rounding term and shift of its lanes, and the
  /// biases apart; of a depthwise one, whose kernel walks over all channels of a pixel, bias,
  /// multiplier, rounding term and shift.
  private static func packParameters(
    _ step: borrowing Step, _ sizes: RowSizes, _ form: PackedForm
  ) {
    let isDense = step.kind == .convolution
    var packed = step.rows.parameters
    for block in 0..<(isDense ? sizes.blocks : 1) {
      let vectors = block == sizes.blocks - 1 ? sizes.lastVectors : sizes.vectors
      let lanes = isDense ? vectors * form.lanes : sizes.lanes
      let firstChannel = block * sizes.vectors * form.lanes
      if !isDense {
        packBiases(step, to: packed, lanes: 0..<lanes, origin: step.source.zeroPoint)
        packed += lanes
      }
      for lane in 0..<lanes {
        let channel = firstChannel + lane
        let isChannel = channel < step.target.channels
        let shift = isChannel ? step.shift(channel) : 0
        packed[lane] = isChannel ? step.multiplier(channel) : GraphLimits.multiplier
        packed[lanes + lane] = roundingTerm(shift)
        packed[2 * lanes + lane] = shift
      }
      if isDense {
        packBiases(
          step, to: step.rows.biases, lanes: firstChannel..<firstChannel + lanes,
          origin: step.source.zeroPoint + form.offset)
        if form.foldsRounding { foldRounding(step, packed, firstChannel, lanes) }
      }
      packed += 3 * lanes
    }
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

  /// Folds the rounding of a block's lanes into all their biases, unless some channel's cannot be:
  /// what is added to the results is then the zero point alone.
  private static func foldRounding(
    _ step: borrowing Step, _ packed: UnsafeMutablePointer<Int32>, _ firstChannel: Int,
    _ lanes: Int
  ) {
    let kinds = SkippedRows.kinds(step.window, inputHeight: step.source.height)
    let channels = step.rows.isPlainlyScaled ? 0 : step.target.channels
    for lane in 0..<lanes {
      let channel = firstChannel + lane
      packed[lanes + lane] = step.target.zeroPoint
      guard channel < channels else { continue }
      // Every channel has one where the step is not plainly scaled.
      guard let folded = FoldedRounding(step, channel: channel) else { continue }
      for kind in 0..<kinds { step.rows.biases[kind * step.rows.lanes + channel] &+= folded.bias }
      packed[lanes + lane] -= folded.results
      packed[2 * lanes + lane] -= 1
    }
  }

  /// Whether the rounding of all channels of a convolution can be folded into their bias.
  static func foldsRounding(_ step: borrowing Step) -> Bool {
    for channel in 0..<step.target.channels
    where FoldedRounding(step, channel: channel) == nil {
      return false
    }
    return true
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
