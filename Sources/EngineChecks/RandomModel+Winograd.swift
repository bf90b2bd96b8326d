extension RandomModel {
  /// Draws a convolution that kernels may compute by Winograd's filtering: 3x3 elements, one step,
  /// input channels by eights. Weights are mostly so small that its sums fit 32 bits, sometimes not;
  /// mostly a sum follows, along which its rows are made, sometimes another convolution.
  public init(winograd random: inout RandomNumbers) {
    var writer = ModelWriter()
    let channels = random.pick([8, 16, 24, 32, 40, 48, 56, 64])
    let height = random.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 12, 15, 16])
    let width = random.pick([1, 3, 4, 7, 8, 11, 12, 15, 16, 17, 19, 20, 23, 24, 31, 40])
    let input = writer.tensor(
      height: height, width: width, channels: channels, zeroPoint: Self.zeroPoint(&random))
    let isCircular = random.oneIn(3)
    // Rows and columns of padding: mostly one on each side, else any that fit.
    var sides = [1, 1, 1, 1]
    if random.oneIn(3) || height == 1 && random.oneIn(2) {
      for side in 0..<4 { sides[side] = random.int(0...2) }
    }
    if height + sides[0] + sides[1] < 3 { sides[0] = 2 }
    if width + sides[2] + sides[3] < 3 { sides[2] = 2 }
    if isCircular {
      sides[2] = min(sides[2], width)
      sides[3] = min(sides[3], width)
      if width + sides[2] + sides[3] < 3 { sides[3] = width }
    }
    var row = OperatorRow(kind: 1)
    row.input = input
    row.window = [3, 3, 1, 1] + sides + [isCircular ? 1 : 0]
    let outputs = random.pick([1, 3, 8, 15, 16, 17, 24, 32, 40, 47, 48, 64, 72, 80])
    let outputHeight = height + sides[0] + sides[1] - 2
    let outputWidth = width + sides[2] + sides[3] - 2
    row.output = writer.tensor(
      height: outputHeight, width: outputWidth, channels: outputs,
      zeroPoint: Self.zeroPoint(&random))
    row.arrays = Self.arrays(
      &writer, products: 9 * channels, channels: outputs, largest: random.pick([10, 60, 127]),
      hasTamedShifts: !random.oneIn(6), &random)
    Self.clamp(&row, &random)
    writer.add(row)
    var output = row.output
    let follows = random.int(0...3)
    if follows == 1 {
      var next = OperatorRow(kind: 1)
      next.input = output
      next.window = [1, 1, 1, 1, 0, 0, 0, 0, 0]
      next.output = writer.tensor(
        height: outputHeight, width: outputWidth, channels: 8, zeroPoint: Self.zeroPoint(&random))
      next.arrays = Self.arrays(&writer, products: outputs, channels: 8, &random)
      writer.add(next)
      output = next.output
    } else if follows > 1 && outputs == channels && outputHeight == height && outputWidth == width {
      var sum = OperatorRow(kind: 3)
      sum.input = output
      sum.second = input
      sum.output = writer.tensor(
        height: height, width: width, channels: channels, zeroPoint: Self.zeroPoint(&random))
      sum.multiplier = random.int(0...32767)
      sum.secondMultiplier = random.int(0...32767)
      sum.shift = random.int(12...17)
      writer.add(sum)
      output = sum.output
    }
    let isExtreme = random.oneIn(4)
    var elements: [Int8] = []
    for _ in 0..<height * width * channels {
      let value = isExtreme ? random.pick([-128, 127]) : random.int(-128...127)
      elements.append(Int8(truncatingIfNeeded: value))
    }
    self.init(
      bytes: writer.finish(inputs: [input], outputs: [output]), inputs: [elements])
  }
}
