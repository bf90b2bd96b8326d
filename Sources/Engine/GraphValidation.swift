/// Checks one graph of a model: every reference, shape, range and array, and that no sum can
/// overflow. What it lets pass can be planned and run without looking again.
struct GraphValidation {
  let file: ModelFile
  let graph: Int
  let record: GraphRecord

  func tensor(_ local: Int) throws(ModelError) -> TensorRecord {
    try TensorRecord(file, index: record.firstTensor + local, graph: graph, local: local)
  }

  /// Runs every check.
  func run() throws(ModelError) {
    for local in 0..<record.tensorCount { _ = try tensor(local) }
    // As many elements as `GraphLimits.tensors`.
    var written = InlineArray<128, Bool>(repeating: false)
    for local in 0..<record.inputCount {
      let port = try PortRecord(file, record, graph: graph, local: local)
      guard !written[port.tensor] else {
        throw ModelError(.port, .tensorRewritten, graph: graph, index: local)
      }
      written[port.tensor] = true
    }
    for local in 0..<record.operatorCount {
      let row = try OperatorRecord(
        file, index: record.firstOperator + local, graph: graph, local: local)
      let check = OperatorValidation(graph: self, local: local, row: row)
      guard
        row.input < record.tensorCount && row.secondInput < record.tensorCount
          && row.output < record.tensorCount
      else { throw check.error(.tensorUnknown) }
      guard written[row.input] && written[row.secondInput] else {
        throw check.error(.tensorUnwritten)
      }
      guard !written[row.output] else { throw check.error(.tensorRewritten) }
      try check.run()
      written[row.output] = true
    }
    for local in 0..<record.tensorCount where !written[local] {
      throw ModelError(.tensor, .tensorUnwritten, graph: graph, index: local)
    }
    try checkPortNames()
  }

  private func checkPortNames() throws(ModelError) {
    for local in 0..<record.portCount {
      let port = try PortRecord(file, record, graph: graph, local: local)
      for other in 0..<local {
        let earlier = try PortRecord(file, record, graph: graph, local: other)
        if port.name == earlier.name {
          throw ModelError(.port, .nameRepeated, graph: graph, index: local)
        }
      }
    }
  }
}

/// Checks one operator whose tensors are known to exist.
struct OperatorValidation {
  let graph: GraphValidation
  let local: Int
  let row: OperatorRecord

  func error(_ problem: ModelError.Problem) -> ModelError {
    ModelError(.graphOperator, problem, graph: graph.graph, index: local)
  }

  func run() throws(ModelError) {
    let source = try graph.tensor(row.input)
    let target = try graph.tensor(row.output)
    switch row.kind {
    case .convolution, .depthwiseConvolution:
      try checkWindow(source, target)
      try checkArrays(source, target)
    case .add:
      let second = try graph.tensor(row.secondInput)
      guard source.hasShape(of: second) && source.hasShape(of: target) else {
        throw error(.shapeMismatch)
      }
      let range = 0...GraphLimits.addMultiplier
      guard range.contains(row.multiplier) && range.contains(row.secondMultiplier) else {
        throw error(.multiplierOutOfRange)
      }
      guard row.shift >= 1 && row.shift <= GraphLimits.shift else {
        throw error(.shiftOutOfRange)
      }
    case .upsample2x:
      guard
        target.height == 2 * source.height && target.width == 2 * source.width
          && target.channels == source.channels
      else { throw error(.shapeMismatch) }
      guard source.hasQuantisation(of: target) else { throw error(.quantisationMismatch) }
    case .averagePoolGlobal:
      guard
        target.height == 1 && target.width == 1 && target.channels == source.channels
          && source.height * source.width <= GraphLimits.averagedElements
      else { throw error(.shapeMismatch) }
      guard row.multiplier >= GraphLimits.multiplier else { throw error(.multiplierOutOfRange) }
      guard row.shift <= GraphLimits.shift else { throw error(.shiftOutOfRange) }
    case .maxPool:
      try checkWindow(source, target)
      guard target.channels == source.channels else { throw error(.shapeMismatch) }
      guard source.hasQuantisation(of: target) else { throw error(.quantisationMismatch) }
    }
  }

  private func checkWindow(_ source: TensorRecord, _ target: TensorRecord) throws(ModelError) {
    guard row.window.isWellFormed(inputWidth: source.width) else {
      throw error(.windowMalformed)
    }
    guard
      row.window.outputHeight(source.height) == target.height
        && row.window.outputWidth(source.width) == target.width
    else { throw error(.shapeMismatch) }
  }

  private func checkArrays(_ source: TensorRecord, _ target: TensorRecord) throws(ModelError) {
    let isDepthwise = row.kind == .depthwiseConvolution
    guard !isDepthwise || source.channels == target.channels else { throw error(.shapeMismatch) }
    let taps = row.window.kernelHeight * row.window.kernelWidth
    let products = isDepthwise ? taps : taps * source.channels
    let channels = target.channels
    try checkArray(row.weights, products * channels)
    try checkArray(row.bias, 4 * channels)
    try checkArray(row.multipliers, 4 * channels)
    try checkArray(row.shifts, channels)
    // Where a weight lies: depthwise ones have the channel innermost, dense ones outermost.
    let step = isDepthwise ? channels : 1
    for channel in 0..<channels {
      var magnitude = 0
      var place = row.weights + (isDepthwise ? channel : channel * products)
      for _ in 0..<products {
        let weight = Int(graph.file.i8(place))
        guard weight >= -127 else { throw error(.weightOutOfRange) }
        magnitude += abs(weight)
        place += step
      }
      let bias = Int(graph.file.i32(row.bias + 4 * channel))
      guard 255 * magnitude + abs(bias) <= GraphLimits.accumulator else {
        throw error(.accumulatorOverflow)
      }
      guard graph.file.i32(row.multipliers + 4 * channel) >= GraphLimits.multiplier else {
        throw error(.multiplierOutOfRange)
      }
      guard graph.file.u8(row.shifts + channel) <= GraphLimits.shift else {
        throw error(.shiftOutOfRange)
      }
    }
  }

  private func checkArray(_ offset: Int, _ size: Int) throws(ModelError) {
    let start = graph.file.weightsStart
    guard (offset - start) % ModelFormat.arrayAlignment == 0 else { throw error(.arrayMisaligned) }
    guard
      offset - start <= graph.file.count(.weights)
        && size <= graph.file.count(.weights) - (offset - start)
    else { throw error(.arrayOutside) }
  }
}
