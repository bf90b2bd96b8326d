/// A model of one random operator, and its inputs.
public struct RandomModel {
  /// The model file.
  public let bytes: [UInt8]
  /// The elements of input `a`, and of `b` where there are two.
  public let inputs: [[Int8]]

  init(bytes: [UInt8], inputs: [[Int8]]) {
    self.bytes = bytes
    self.inputs = inputs
  }

  private static let heights = [1, 2, 3, 5, 8, 11]
  private static let widths = [1, 2, 3, 4, 5, 7, 9, 10, 13, 20, 23, 40]
  private static let depths = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 31, 32, 40]
  private static let outputs = [1, 2, 3, 5, 8, 9, 15, 16, 17, 19, 24, 31, 32, 33, 48, 64, 65, 96]

  /// Draws an operator of kind 1 to 6.
  public init(kind: Int, _ random: inout RandomNumbers) {
    var writer = ModelWriter()
    let shape = (
      height: random.pick(Self.heights), width: random.pick(Self.widths),
      channels: kind == 1 && random.oneIn(8) ? 16 : random.pick(Self.depths)
    )
    let inputZero = Self.zeroPoint(&random)
    let first = writer.tensor(
      height: shape.height, width: shape.width, channels: shape.channels, zeroPoint: inputZero)
    var row = OperatorRow(kind: kind)
    row.input = first
    var inputTensors = [first]
    switch kind {
    case 1, 2:
      row.window = Self.window(shape.height, shape.width, &random)
      var channels = kind == 1 ? random.pick(Self.outputs) : shape.channels
      if kind == 1 && shape.channels == 16 && random.oneIn(2) {
        // A head, as detectors have: one element wide, with few channels.
        row.window = [1, 1, 1, 1, 0, 0, 0, 0, 0]
        channels = random.int(1...4)
      }
      let size = Self.outputSize(row.window, shape.height, shape.width)
      row.output = writer.tensor(
        height: size.height, width: size.width, channels: channels,
        zeroPoint: Self.zeroPoint(&random))
      let taps = row.window[0] * row.window[1]
      let products = kind == 1 ? taps * shape.channels : taps
      row.arrays = Self.arrays(&writer, products: products, channels: channels, &random)
      Self.clamp(&row, &random)
    case 3:
      row.second = writer.tensor(
        height: shape.height, width: shape.width, channels: shape.channels,
        zeroPoint: Self.zeroPoint(&random))
      inputTensors.append(row.second)
      row.output = writer.tensor(
        height: shape.height, width: shape.width, channels: shape.channels,
        zeroPoint: Self.zeroPoint(&random))
      row.multiplier = random.oneIn(4) ? random.pick([0, 1, 32767]) : random.int(0...32767)
      row.secondMultiplier = random.oneIn(4) ? random.pick([0, 1, 32767]) : random.int(0...32767)
      row.shift = random.oneIn(4) ? random.int(1...30) : random.int(12...17)
      Self.clamp(&row, &random)
    case 4:
      row.output = writer.tensor(
        height: 2 * shape.height, width: 2 * shape.width, channels: shape.channels,
        zeroPoint: inputZero)
    case 5:
      row.output = writer.tensor(
        height: 1, width: 1, channels: shape.channels, zeroPoint: Self.zeroPoint(&random))
      row.multiplier = random.int(1 << 30...1 << 31 - 1)
      row.shift = random.oneIn(4) ? random.int(0...30) : random.int(0...8)
      Self.clamp(&row, &random)
    default:
      row.window = Self.window(shape.height, shape.width, &random)
      let size = Self.outputSize(row.window, shape.height, shape.width)
      row.output = writer.tensor(
        height: size.height, width: size.width, channels: shape.channels, zeroPoint: inputZero)
    }
    writer.add(row)
    bytes = writer.finish(inputs: inputTensors, outputs: [row.output])
    let isExtreme = random.oneIn(4)
    var elements: [[Int8]] = []
    for _ in inputTensors {
      var input: [Int8] = []
      for _ in 0..<shape.height * shape.width * shape.channels {
        let value = isExtreme ? random.pick([-128, 127]) : random.int(-128...127)
        input.append(Int8(truncatingIfNeeded: value))
      }
      elements.append(input)
    }
    inputs = elements
  }

  /// Draws two convolutions, the first with an output large enough to be made by rows, as nobody
  /// else reads it.
  public init(chain random: inout RandomNumbers) {
    var writer = ModelWriter()
    let channels = random.pick([1, 3, 4, 8])
    var shape = (height: random.int(40...56), width: random.int(60...75))
    var source = writer.tensor(
      height: shape.height, width: shape.width, channels: channels,
      zeroPoint: Self.zeroPoint(&random))
    let first = source
    let inputCount = shape.height * shape.width * channels
    var depth = channels
    for outputs in [32, random.pick([1, 8, 17])] {
      var row = OperatorRow(kind: 1)
      row.input = source
      // At most one step at first, so that the output stays large.
      repeat {
        row.window = Self.window(shape.height, shape.width, &random)
      } while outputs == 32 && (row.window[2] > 1 || row.window[3] > 1)
      shape = Self.outputSize(row.window, shape.height, shape.width)
      row.output = writer.tensor(
        height: shape.height, width: shape.width, channels: outputs,
        zeroPoint: Self.zeroPoint(&random))
      row.arrays = Self.arrays(
        &writer, products: row.window[0] * row.window[1] * depth, channels: outputs, &random)
      Self.clamp(&row, &random)
      writer.add(row)
      source = row.output
      depth = outputs
    }
    bytes = writer.finish(inputs: [first], outputs: [source])
    var elements: [Int8] = []
    for _ in 0..<inputCount { elements.append(Int8(truncatingIfNeeded: random.int(-128...127))) }
    inputs = [elements]
  }

  static func zeroPoint(_ random: inout RandomNumbers) -> Int {
    random.oneIn(2) ? random.pick([-128, 0, 127]) : random.int(-128...127)
  }

  static func clamp(_ row: inout OperatorRow, _ random: inout RandomNumbers) {
    if random.oneIn(3) {
      row.minimum = random.int(-128...127)
      row.maximum = random.int(row.minimum...127)
    }
  }

  private static func window(
    _ height: Int, _ width: Int, _ random: inout RandomNumbers
  ) -> [Int] {
    while true {
      let kernel = (random.pick([1, 1, 2, 3, 3, 3, 4, 5]), random.pick([1, 1, 2, 3, 3, 3, 5, 7]))
      let isCircular = random.oneIn(3)
      let top = random.int(0...min(2, kernel.0 - 1))
      let bottom = random.int(0...min(2, kernel.0 - 1))
      let left = random.int(0...min(3, kernel.1 - 1))
      let right = random.int(0...min(3, kernel.1 - 1))
      let fits = height + top + bottom >= kernel.0 && width + left + right >= kernel.1
      if fits && (!isCircular || (left <= width && right <= width)) {
        let strides = (random.pick([1, 1, 2, 3]), random.pick([1, 1, 2, 3]))
        return [
          kernel.0, kernel.1, strides.0, strides.1, top, bottom, left, right, isCircular ? 1 : 0,
        ]
      }
    }
  }

  private static func outputSize(
    _ window: [Int], _ height: Int, _ width: Int
  ) -> (height: Int, width: Int) {
    (
      (height + window[4] + window[5] - window[0]) / window[2] + 1,
      (width + window[6] + window[7] - window[1]) / window[3] + 1
    )
  }

  /// Weights of at most `largest`, bias, multipliers and shifts; sometimes all at their extremes. Few have shifts that
  /// kernels may do apart from the rest; tamed, none have.
  static func arrays(
    _ writer: inout ModelWriter, products: Int, channels: Int, largest: Int = 127,
    hasTamedShifts: Bool = false, _ random: inout RandomNumbers
  ) -> [Int] {
    let isExtreme = random.oneIn(4)
    var weights: [Int] = []
    for _ in 0..<products * channels {
      weights.append(
        isExtreme ? random.pick([-largest, largest]) : random.int(-largest...largest))
    }
    // What is left for the bias when all products are at their largest.
    let room = 1 << 30 - 255 * 127 * products
    var bias: [Int] = []
    var multipliers: [Int] = []
    var shifts: [Int] = []
    let hasUnusualShifts = random.oneIn(4)
    for _ in 0..<channels {
      bias.append(isExtreme ? random.pick([-room, room]) : random.int(-60_000...60_000))
      multipliers.append(
        random.oneIn(4) ? random.pick([1 << 30, 1 << 31 - 1]) : random.int(1 << 30...1 << 31 - 1))
      shifts.append(
        hasTamedShifts
          ? random.int(6...13)
          : !random.oneIn(4)
            ? random.int(6...14) : hasUnusualShifts ? random.int(0...30) : random.int(1...24))
    }
    return [
      writer.array(weights, size: 1), writer.array(bias, size: 4),
      writer.array(multipliers, size: 4), writer.array(shifts, size: 1),
    ]
  }
}
