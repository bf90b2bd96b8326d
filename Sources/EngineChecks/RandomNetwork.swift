/// A network as it is drawn: the file so far, and the tensor that is worked on.
struct RandomNetwork {
  private var writer = ModelWriter()
  private let height: Int
  private let width: Int
  private let depth: Int
  private var current = 0
  private let input: (channels: Int, number: Int)

  /// Begins with a convolution of the input. Large ones' tensors are made by rows.
  init(isLarge: Bool, _ random: inout RandomNumbers) {
    height = isLarge ? 40 : 2 * random.int(2...6)
    width = isLarge ? 54 : 2 * random.int(2...11)
    depth = isLarge ? 32 : random.pick([1, 3, 8, 16, 24, 40])
    let channels = random.pick([1, 3, 8])
    let number = writer.tensor(
      height: height, width: width, channels: channels,
      zeroPoint: RandomModel.zeroPoint(&random))
    input = (channels, number)
    current = convolution(number, from: channels, to: depth, &random)
  }

  /// A convolution that keeps height and width, or halves both.
  private mutating func convolution(
    _ source: Int, from channels: Int, to outputs: Int, size: Int? = nil, isHalving: Bool = false,
    isDepthwise: Bool = false, _ random: inout RandomNumbers
  ) -> Int {
    var row = OperatorRow(kind: isDepthwise ? 2 : 1)
    let kernel = size ?? random.pick([1, 3])
    let step = isHalving ? 2 : 1
    let padding = kernel / 2
    row.window = [
      kernel, kernel, step, step, padding, padding, padding, padding, random.int(0...1),
    ]
    row.input = source
    row.output = writer.tensor(
      height: height / step, width: width / step, channels: outputs,
      zeroPoint: RandomModel.zeroPoint(&random))
    row.arrays = RandomModel.arrays(
      &writer, products: kernel * kernel * (isDepthwise ? 1 : channels), channels: outputs,
      &random)
    RandomModel.clamp(&row, &random)
    writer.add(row)
    return row.output
  }

  /// The sum of two tensors of the current one's shape, in either order.
  private mutating func sum(_ one: Int, _ other: Int, _ random: inout RandomNumbers) -> Int {
    var row = OperatorRow(kind: 3)
    let isTurned = random.oneIn(2)
    row.input = isTurned ? other : one
    row.second = isTurned ? one : other
    row.output = writer.tensor(
      height: height, width: width, channels: depth, zeroPoint: RandomModel.zeroPoint(&random))
    row.multiplier = random.int(0...32767)
    row.secondMultiplier = random.int(0...32767)
    row.shift = random.int(12...17)
    RandomModel.clamp(&row, &random)
    writer.add(row)
    return row.output
  }

  /// A convolution, maybe two, whose output is added to what they began with.
  mutating func addResidual(_ random: inout RandomNumbers) {
    var branch = convolution(current, from: depth, to: depth, &random)
    if random.oneIn(2) { branch = convolution(branch, from: depth, to: depth, &random) }
    current = sum(current, branch, &random)
  }

  /// Depthwise convolutions, each between two of single elements, as mobile networks have them; one
  /// may be followed by another, and what they end with be added to what they began with.
  mutating func addSeparable(_ random: inout RandomNumbers) {
    let start = current
    if random.oneIn(2) {
      current = convolution(current, from: depth, to: depth, size: 1, &random)
    }
    for _ in 0..<random.int(1...2) {
      current = convolution(
        current, from: depth, to: depth, size: 3, isDepthwise: true, &random)
    }
    current = convolution(current, from: depth, to: depth, &random)
    if random.oneIn(3) { current = sum(start, current, &random) }
  }

  /// A smaller tensor, upsampled and added to a convolution, which comes before it or after it.
  mutating func addPyramid(_ random: inout RandomNumbers) {
    let small = convolution(current, from: depth, to: depth, size: 3, isHalving: true, &random)
    let isLateralFirst = random.oneIn(3)
    var lateral = current
    if isLateralFirst { lateral = convolution(current, from: depth, to: depth, &random) }
    // An upsampling keeps the numbers' meaning.
    var row = OperatorRow(kind: 4)
    row.input = small
    row.output = writer.tensor(
      height: height, width: width, channels: depth, zeroPoint: writer.zeroPoint(small))
    writer.add(row)
    if !isLateralFirst { lateral = convolution(current, from: depth, to: depth, &random) }
    current = sum(row.output, lateral, &random)
    if random.oneIn(2) { current = convolution(current, from: depth, to: depth, &random) }
  }

  /// Up to three outputs of one element each, and the file.
  mutating func finish(_ random: inout RandomNumbers) -> [UInt8] {
    var outputs: [Int] = []
    for _ in 0..<random.int(1...3) {
      outputs.append(
        convolution(current, from: depth, to: random.pick([1, 2, 3, 17]), size: 1, &random))
    }
    return writer.finish(inputs: [input.number], outputs: outputs)
  }

  /// Elements of the input.
  var inputCount: Int { height * width * input.channels }
}

extension RandomModel {
  /// Draws a network of sums, upsamplings, depthwise convolutions and heads.
  public init(network random: inout RandomNumbers) {
    var network = RandomNetwork(isLarge: random.oneIn(3), &random)
    for _ in 0..<random.int(1...3) {
      switch random.int(0...2) {
      case 0: network.addResidual(&random)
      case 1: network.addPyramid(&random)
      default: network.addSeparable(&random)
      }
    }
    self.init(network, &random)
  }

  /// Draws a large network of depthwise convolutions.
  public init(separable random: inout RandomNumbers) {
    var network = RandomNetwork(isLarge: true, &random)
    network.addSeparable(&random)
    self.init(network, &random)
  }

  private init(_ drawn: RandomNetwork, _ random: inout RandomNumbers) {
    var network = drawn
    let bytes = network.finish(&random)
    var elements: [Int8] = []
    for _ in 0..<network.inputCount {
      elements.append(Int8(truncatingIfNeeded: random.int(-128...127)))
    }
    self.init(bytes: bytes, inputs: [elements])
  }
}
