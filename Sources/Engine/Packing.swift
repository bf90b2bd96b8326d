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

  /// For each block bias, multiplier, rounding term and shift of its lanes. The bias takes in
  /// what the input's zero point and offset contribute, so that kernels multiply raw elements.
  private static func packParameters(
    _ step: borrowing Step, _ sizes: RowSizes, _ form: PackedForm
  ) {
    let isDense = step.kind == .convolution
    let origin = step.source.zeroPoint + (isDense ? form.offset : 0)
    var packed = step.rows.parameters
    // A depthwise kernel walks over all channels of a pixel: one block.
    for block in 0..<(isDense ? sizes.blocks : 1) {
      let vectors = block == sizes.blocks - 1 ? sizes.lastVectors : sizes.vectors
      let lanes = isDense ? vectors * form.lanes : sizes.lanes
      let firstChannel = block * sizes.vectors * form.lanes
      for lane in 0..<lanes {
        let channel = firstChannel + lane
        let isChannel = channel < step.target.channels
        let shift = isChannel ? step.shift(channel) : 0
        packed[lane] =
          isChannel ? step.bias(channel) &- origin &* weightSum(step, channel) : 0
        packed[lanes + lane] = isChannel ? step.multiplier(channel) : GraphLimits.multiplier
        if isDense && form.hasAddends {
          packAddend(step, shift, to: packed + 2 * lanes, lane: lane, lanes: lanes, form)
        } else {
          packed[2 * lanes + lane] = roundingTerm(shift)
          packed[3 * lanes + lane] = shift
        }
      }
      packed += (isDense && form.hasAddends ? 5 : 4) * lanes
    }
  }

  /// Shifts with which a product's upper half is enough: at least one, and with the zero point below
  /// 2^62.
  private static let shortShifts: ClosedRange<Int32> = 1...24

  /// Whether the shifts of a convolution's channels are all of them such.
  static func hasShortShifts(_ step: borrowing Step) -> Bool {
    for channel in 0..<step.target.channels
    where !shortShifts.contains(step.shift(channel)) {
      return false
    }
    return true
  }

  /// What rounding at both steps and the zero point add to a product, and the shift of its upper
  /// half: (product + 2^30) >> 31, plus half, >> shift, plus zero, is one sum and one shift.
  private static func packAddend(
    _ step: borrowing Step, _ shift: Int32, to addends: UnsafeMutablePointer<Int32>, lane: Int,
    lanes: Int, _ form: PackedForm
  ) {
    guard !step.rows.isPlainlyScaled else {
      addends[2 * lanes + lane] = shift
      return
    }
    // Lanes beyond the channels have a shift of 0, and are not stored.
    let shifted = Int64(roundingTerm(shift)) + Int64(step.target.zeroPoint) << shift
    let addend = shift < 1 ? 0 : 1 << 30 + shifted << 31
    let vector = lane / form.lanes * form.lanes
    let pair = (lane - vector) / 2 * 2
    let place = (lane % 2) * lanes + vector + pair
    addends[place] = Int32(truncatingIfNeeded: addend)
    addends[place + 1] = Int32(truncatingIfNeeded: addend >> 32)
    addends[2 * lanes + lane] = max(0, shift - 1)
  }

  private static func weightSum(_ step: borrowing Step, _ channel: Int) -> Int32 {
    let taps = step.window.kernelHeight * step.window.kernelWidth
    let isDense = step.kind == .convolution
    let count = isDense ? taps * step.source.channels : taps
    var place = isDense ? channel * count : channel
    let stride = isDense ? 1 : step.target.channels
    var sum: Int32 = 0
    for _ in 0..<count {
      sum &+= Int32(step.weights[place])
      place += stride
    }
    return sum
  }
}
