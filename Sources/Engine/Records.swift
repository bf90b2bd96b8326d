/// A graph's row in the model file: its name and which records are its own.
struct GraphRecord {
  let name: ModelText
  let firstTensor: Int
  let tensorCount: Int
  let firstOperator: Int
  let operatorCount: Int
  let firstPort: Int
  let inputCount: Int
  let outputCount: Int

  /// Ports of the graph, inputs first.
  var portCount: Int { inputCount + outputCount }

  /// Reads and checks the row; its ranges are known to exist afterwards.
  init(_ file: ModelFile, index: Int) throws(ModelError) {
    let offset = file.offset(.graphs, index)
    guard let name = file.text(offset, ModelFormat.graphNameBytes) else {
      throw ModelError(.graph, .nameMalformed, graph: index)
    }
    self.name = name
    firstTensor = Int(file.u32(offset + 32))
    tensorCount = Int(file.u32(offset + 36))
    firstOperator = Int(file.u32(offset + 40))
    operatorCount = Int(file.u32(offset + 44))
    firstPort = Int(file.u32(offset + 48))
    inputCount = Int(file.u32(offset + 52))
    outputCount = Int(file.u32(offset + 56))
    guard file.u32(offset + 60) == 0 else {
      throw ModelError(.graph, .reservedNotZero, graph: index)
    }
    guard file.has(.tensors, first: firstTensor, count: tensorCount),
      file.has(.operators, first: firstOperator, count: operatorCount),
      file.has(.ports, first: firstPort, count: inputCount),
      file.has(.ports, first: firstPort + inputCount, count: outputCount)
    else { throw ModelError(.graph, .rangeOutside, graph: index) }
    guard inputCount > 0 && outputCount > 0 else {
      throw ModelError(.graph, .noPorts, graph: index)
    }
    guard tensorCount <= GraphLimits.tensors && operatorCount <= GraphLimits.operators else {
      throw ModelError(.graph, .capacityExceeded, graph: index)
    }
  }
}

/// A tensor's row: its shape and what its numbers stand for.
struct TensorRecord {
  let height: Int
  let width: Int
  let channels: Int
  let zeroPoint: Int8
  let scale: Float

  var byteCount: Int { height * width * channels }

  func hasShape(of other: TensorRecord) -> Bool {
    height == other.height && width == other.width && channels == other.channels
  }

  func hasQuantisation(of other: TensorRecord) -> Bool {
    zeroPoint == other.zeroPoint && scale == other.scale
  }

  /// Reads and checks row `index` of the section.
  init(_ file: ModelFile, index: Int, graph: Int, local: Int) throws(ModelError) {
    let offset = file.offset(.tensors, index)
    height = Int(file.u16(offset))
    width = Int(file.u16(offset + 2))
    channels = Int(file.u16(offset + 4))
    zeroPoint = file.i8(offset + 6)
    scale = file.f32(offset + 8)
    guard file.u8(offset + 7) == 0 && file.u32(offset + 12) == 0 else {
      throw ModelError(.tensor, .reservedNotZero, graph: graph, index: local)
    }
    let sizes = 1...GraphLimits.size
    guard sizes.contains(height), sizes.contains(width), sizes.contains(channels),
      height * width * channels <= GraphLimits.tensorBytes
    else { throw ModelError(.tensor, .sizeOutOfRange, graph: graph, index: local) }
    guard scale.isFinite && scale > 0 else {
      throw ModelError(.tensor, .scaleNotPositive, graph: graph, index: local)
    }
  }
}

/// A port's row: the name of an input or output and its tensor.
struct PortRecord {
  let name: ModelText
  /// Counted from the graph's first tensor.
  let tensor: Int

  /// Reads and checks port `local` of a graph.
  init(_ file: ModelFile, _ record: GraphRecord, graph: Int, local: Int) throws(ModelError) {
    let offset = file.offset(.ports, record.firstPort + local)
    guard let name = file.text(offset, ModelFormat.portNameBytes) else {
      throw ModelError(.port, .nameMalformed, graph: graph, index: local)
    }
    self.name = name
    tensor = Int(file.u32(offset + 32))
    guard file.u32(offset + 36) == 0 else {
      throw ModelError(.port, .reservedNotZero, graph: graph, index: local)
    }
    guard tensor < record.tensorCount else {
      throw ModelError(.port, .tensorUnknown, graph: graph, index: local)
    }
  }
}

/// An operator's row. Tensors are counted from the graph's first.
struct OperatorRecord {
  let kind: OperatorKind
  let window: Window
  let minimum: Int8
  let maximum: Int8
  let input: Int
  /// The same as `input` where the kind has only one.
  let secondInput: Int
  let output: Int
  let shift: Int
  let multiplier: Int32
  let secondMultiplier: Int32
  /// Offsets from the start of the file.
  let weights: Int
  let bias: Int
  let multipliers: Int
  let shifts: Int

  /// Reads row `index` of the section and checks what can be told from the row alone.
  init(_ file: ModelFile, index: Int, graph: Int, local: Int) throws(ModelError) {
    let offset = file.offset(.operators, index)
    guard let kind = OperatorKind(rawValue: file.u8(offset)) else {
      throw ModelError(.graphOperator, .kindUnknown, graph: graph, index: local)
    }
    self.kind = kind
    window = Window(
      kernelHeight: Int(file.u8(offset + 1)), kernelWidth: Int(file.u8(offset + 2)),
      strideY: Int(file.u8(offset + 3)), strideX: Int(file.u8(offset + 4)),
      top: Int(file.u8(offset + 5)), bottom: Int(file.u8(offset + 6)),
      left: Int(file.u8(offset + 7)), right: Int(file.u8(offset + 8)),
      isCircular: file.u8(offset + 9) == 1)
    minimum = file.i8(offset + 10)
    maximum = file.i8(offset + 11)
    input = Int(file.u16(offset + 12))
    let second = file.u16(offset + 14)
    secondInput = kind == .add ? Int(second) : Int(file.u16(offset + 12))
    output = Int(file.u16(offset + 16))
    shift = Int(file.u8(offset + 18))
    multiplier = file.i32(offset + 24)
    secondMultiplier = file.i32(offset + 28)
    weights = file.weightsStart + Int(file.u32(offset + 36))
    bias = file.weightsStart + Int(file.u32(offset + 40))
    multipliers = file.weightsStart + Int(file.u32(offset + 44))
    shifts = file.weightsStart + Int(file.u32(offset + 48))
    guard file.u8(offset + 9) <= 1 else {
      throw ModelError(.graphOperator, .flagUnknown, graph: graph, index: local)
    }
    guard kind == .add || second == ModelFormat.noTensor,
      file.isZero(offset + 19, offset + 24), file.isZero(offset + 32, offset + 36),
      file.isZero(offset + 52, offset + 64)
    else { throw ModelError(.graphOperator, .reservedNotZero, graph: graph, index: local) }
    guard minimum <= maximum else {
      throw ModelError(.graphOperator, .clampMalformed, graph: graph, index: local)
    }
  }
}

/// The kernel of a convolution or pool, its steps, and what is added around the input.
struct Window {
  var kernelHeight = 1
  var kernelWidth = 1
  var strideY = 1
  var strideX = 1
  var top = 0
  var bottom = 0
  var left = 0
  var right = 0
  /// Whether the columns added wrap around.
  var isCircular = false

  /// Whether it covers one element at a time, each once.
  var isPixel: Bool { kernelHeight == 1 && kernelWidth == 1 && strideY == 1 && strideX == 1 }

  /// Whether the sizes fit each other and an input of this width.
  func isWellFormed(inputWidth: Int) -> Bool {
    kernelHeight >= 1 && kernelWidth >= 1 && strideY >= 1 && strideX >= 1
      && top < kernelHeight && bottom < kernelHeight && left < kernelWidth && right < kernelWidth
      && (!isCircular || (left <= inputWidth && right <= inputWidth))
  }

  /// Rows the window gives, 0 or less when it does not fit.
  func outputHeight(_ height: Int) -> Int {
    let room = height + top + bottom - kernelHeight
    return room < 0 ? 0 : room / strideY + 1
  }

  /// Columns the window gives, 0 when it does not fit.
  func outputWidth(_ width: Int) -> Int {
    let room = width + left + right - kernelWidth
    return room < 0 ? 0 : room / strideX + 1
  }
}
