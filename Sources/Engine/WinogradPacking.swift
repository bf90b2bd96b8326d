import CKernels

/// Arranges the weights and parameters of a convolution by Winograd's filtering.
enum WinogradPacking {
  /// Writes transformed weights, parameters and biases to where the step's plan says, and tells how
  /// the sums are scaled. `nil` when some channel's sums could leave 32 bits or not be scaled to the
  /// results of the rule: the convolution has then to be computed directly, and what was written means
  /// nothing.
  static func pack(
    _ step: borrowing Step, _ sizes: RowSizes, _ form: PackedForm
  ) -> ckernels_scaling? {
    guard let winograd = form.winograd, let bands = sizes.winograd else { return nil }
    var way = CKERNELS_BY_FLOATS
    var isPacked = false
    if form.foldsRounding { isPacked = packParameters(step, sizes, bands, form, by: way) }
    if !isPacked {
      way = CKERNELS_ROUNDING_FOLDED
      isPacked = packParameters(step, sizes, bands, form, by: way)
    }
    guard isPacked else { return nil }
    packWeights(step, sizes, bands, form, winograd)
    return way
  }

  /// [block][row of positions][column][group][lane][channel of the group], zeros where there is no
  /// channel. Columns are those of the positions, or the kernel makes these from the three here.
  private static func packWeights(
    _ step: borrowing Step, _ sizes: RowSizes, _ bands: WinogradSizes, _ form: PackedForm,
    _ winograd: WinogradForm
  ) {
    let channels = step.source.channels
    var packed = UnsafeMutableRawPointer(step.rows.weights).assumingMemoryBound(to: Int16.self)
    for block in 0..<sizes.blocks {
      let vectors = block == sizes.blocks - 1 ? sizes.lastVectors : sizes.vectors
      let lanes = vectors * form.lanes
      let firstChannel = block * sizes.vectors * form.lanes
      let positionWeights = channels * lanes
      for lane in 0..<lanes {
        let output = firstChannel + lane
        for input in 0..<channels {
          let place =
            (input / winograd.group * lanes + lane) * winograd.group
            + input % winograd.group
          guard output < step.target.channels else {
            for column in 0..<bands.height * bands.weightColumns {
              packed[column * positionWeights + place] = 0
            }
            continue
          }
          let columns = rowsTransformed(step, output, input, bands.rows)
          for row in 0..<bands.rows + WinogradSizes.moreRows {
            let first = columns[3 * row]
            let second = columns[3 * row + 1]
            let third = columns[3 * row + 2]
            let six =
              bands.weightColumns == WinogradSizes.columns
              ? sixWeights(first, second, third) : [first, second, third, 0, 0, 0]
            for column in 0..<bands.weightColumns {
              let position = row * bands.weightColumns + column
              packed[position * positionWeights + place] = Int16(truncatingIfNeeded: six[column])
            }
          }
        }
      }
      packed += bands.height * bands.weightColumns * positionWeights
    }
  }

  /// The nine weights between two channels with their columns transformed: three in each row of
  /// positions.
  private static func rowsTransformed(
    _ step: borrowing Step, _ output: Int, _ input: Int, _ rows: Int
  ) -> InlineArray<18, Int32> {
    var all = InlineArray<18, Int32>(repeating: 0)
    let channels = step.source.channels
    let first = output * 9 * channels + input
    for column in 0..<3 {
      let above = Int32(step.weights[first + column * channels])
      let middle = Int32(step.weights[first + (3 + column) * channels])
      let below = Int32(step.weights[first + (6 + column) * channels])
      let transformed =
        rows == 4 ? sixWeights(above, middle, below) : fiveWeights(above, middle, below)
      for row in 0..<6 { all[3 * row + column] = transformed[row] }
    }
    return all
  }

  /// For four results: 24 times those of the points 0, 1, -1, 2 and -2, and 6 times that of infinity.
  private static func sixWeights(
    _ first: Int32, _ second: Int32, _ third: Int32
  ) -> InlineArray<6, Int32> {
    let ends = first + third
    let far = first + 4 * third
    return [
      6 * first, -4 * (ends + second), -4 * (ends - second), far + 2 * second, far - 2 * second,
      6 * third,
    ]
  }

  /// For three results: 6 times those of the points 0, 1, -1, 2 and infinity; the sixth is nothing.
  private static func fiveWeights(
    _ first: Int32, _ second: Int32, _ third: Int32
  ) -> InlineArray<6, Int32> {
    let ends = first + third
    return [
      3 * first, -3 * (ends + second), second - ends, first + 2 * second + 4 * third, 6 * third, 0,
    ]
  }

  /// The three arrays of each block, and all biases; false when some channel's cannot be had.
  private static func packParameters(
    _ step: borrowing Step, _ sizes: RowSizes, _ bands: WinogradSizes, _ form: PackedForm,
    by way: ckernels_scaling
  ) -> Bool {
    var packed = step.rows.parameters
    let origin = Int(step.source.zeroPoint + form.offset)
    for block in 0..<sizes.blocks {
      let vectors = block == sizes.blocks - 1 ? sizes.lastVectors : sizes.vectors
      let lanes = vectors * form.lanes
      let firstChannel = block * sizes.vectors * form.lanes
      for lane in 0..<lanes {
        let channel = firstChannel + lane
        var scaling = ChannelScaling(unusedBy: step)
        var bias = 0
        if channel < step.target.channels {
          guard let own = ChannelScaling(step, channel, by: way, bands, form) else {
            return false
          }
          scaling = own
          let weights = WeightSums(step, channel)
          bias = Int(step.bias(channel)) + Int(own.accumulators)
          let largest = max(abs(weights.least + bias), abs(weights.most + bias))
          guard bands.scale * largest + abs(Int(own.sums)) <= Int(Int32.max) else {
            return false
          }
          bias = bands.scale * (bias - origin * weights.all) + Int(own.sums)
        }
        step.rows.biases[channel] = Int32(truncatingIfNeeded: bias)
        packed[lane] = scaling.multiplier
        packed[lanes + lane] = scaling.results
        packed[2 * lanes + lane] = scaling.shift
      }
      packed += 3 * lanes
    }
    return true
  }

  /// What a channel's weights can add up to.
  private struct WeightSums {
    var all = 0
    /// With any elements, less their zero point.
    var least = 0
    var most = 0

    init(_ step: borrowing Step, _ channel: Int) {
      let count = 9 * step.source.channels
      let zero = Int(step.source.zeroPoint)
      for place in 0..<count {
        let weight = Int(step.weights[channel * count + place])
        all += weight
        least += weight * (weight < 0 ? 127 - zero : -128 - zero)
        most += weight * (weight < 0 ? -128 - zero : 127 - zero)
      }
    }
  }
}
