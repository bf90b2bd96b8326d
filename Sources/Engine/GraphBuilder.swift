/// Turns a checked graph's rows into steps, and packs the weights of its convolutions.
struct GraphBuilder {
  let model: Model
  let record: GraphRecord
  let graph: Int
  let kernels: Kernels
  let flow: RowFlow

  /// Bytes of constant memory and of scratch.
  func sizes() throws(ModelError) -> (constants: Int, scratch: Int) {
    var constants = stepBytes
    var scratch = 0
    for local in 0..<record.operatorCount {
      guard let rows = try rowSizes(try row(local), local) else { continue }
      constants += rows.constantBytes
      scratch = max(scratch, try scratchOffset(local) + rows.scratchBytes)
    }
    return (constants, ArenaPlan.aligned(scratch))
  }

  /// Writes the steps and the packed weights. The blocks are as large as `sizes` and the plan say.
  func build(
    steps: UnsafeMutablePointer<Step>, constants: UnsafeMutableRawPointer,
    arena: UnsafeMutablePointer<Int8>, plan: borrowing ArenaPlan, scratch: UnsafeMutableRawPointer
  ) throws(ModelError) {
    var next = constants + stepBytes
    for local in 0..<record.operatorCount {
      let row = try row(local)
      let sizes = try rowSizes(row, local)
      let source = try operand(row.input, arena, plan)
      let target = try operand(row.output, arena, plan)
      let rows = rowPlan(
        sizes, target, constants: next, scratch: scratch + (try scratchOffset(local)))
      var step = Step(
        kind: row.kind, window: row.window, source: source,
        second: try operand(row.secondInput, arena, plan), target: target,
        minimum: Int32(row.minimum), maximum: Int32(row.maximum), shift: Int32(row.shift),
        multiplier: row.multiplier, secondMultiplier: row.secondMultiplier,
        weights: array(row.weights, row).assumingMemoryBound(to: Int8.self),
        bias: array(row.bias, row), multipliers: array(row.multipliers, row),
        shifts: array(row.shifts, row).assumingMemoryBound(to: UInt8.self),
        isFlowing: flow.flows(local), takesRows: local > 0 && flow.flows(local - 1), rows: rows)
      if row.kind == .convolution, kernels.vectors?.form.foldsRounding == true {
        step.rows.isPlainlyScaled = !Packing.foldsRounding(step)
      }
      (steps + local).initialize(to: step)
      if let sizes, let vectors = kernels.vectors {
        Packing.pack(step, sizes, vectors.form)
        next += sizes.constantBytes
      }
    }
  }

  /// Where an operator's scratch begins: a step that is run by the next one has its own after that
  /// one's.
  private func scratchOffset(_ local: Int) throws(ModelError) -> Int {
    guard flow.flows(local), let next = try rowSizes(try row(local + 1), local + 1) else {
      return 0
    }
    return ArenaPlan.aligned(next.scratchBytes)
  }

  /// Bytes of all steps.
  private var stepBytes: Int {
    ArenaPlan.aligned(record.operatorCount * MemoryLayout<Step>.stride)
  }

  private func row(_ local: Int) throws(ModelError) -> OperatorRecord {
    try OperatorRecord(model.file, index: record.firstOperator + local, graph: graph, local: local)
  }

  private func tensor(_ local: Int) throws(ModelError) -> TensorRecord {
    try TensorRecord(model.file, index: record.firstTensor + local, graph: graph, local: local)
  }

  private func operand(
    _ local: Int, _ arena: UnsafeMutablePointer<Int8>, _ plan: borrowing ArenaPlan
  ) throws(ModelError) -> Operand {
    let tensor = try tensor(local)
    return Operand(
      base: arena + plan.offset(local), height: tensor.height, width: tensor.width,
      channels: tensor.channels, zeroPoint: Int32(tensor.zeroPoint))
  }

  /// Where an array lies in the file; operators without arrays get the file's first byte.
  private func array(_ offset: Int, _ row: OperatorRecord) -> UnsafeRawPointer {
    let hasArrays = row.kind == .convolution || row.kind == .depthwiseConvolution
    return model.file.pointer(hasArrays ? offset : 0)
  }

  /// Sizes of the vector form; `nil` where there are no padded rows.
  private func rowSizes(_ row: OperatorRecord, _ local: Int) throws(ModelError) -> RowSizes? {
    guard let vectors = kernels.vectors,
      row.kind == .convolution || row.kind == .depthwiseConvolution
    else { return nil }
    let source = try tensor(row.input)
    let target = try tensor(row.output)
    return RowSizes(
      row.kind, row.window, inputHeight: source.height, inputWidth: source.width,
      inputChannels: source.channels, outputChannels: target.channels, form: vectors.form)
  }

  private func rowPlan(
    _ sizes: RowSizes?, _ target: Operand, constants: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer
  ) -> RowPlan {
    var plan = RowPlan(
      pointers: scratch.assumingMemoryBound(to: UnsafeRawPointer?.self), ring: scratch,
      rowBytes: 0, weights: constants.assumingMemoryBound(to: Int8.self),
      parameters: constants.assumingMemoryBound(to: Int32.self),
      biases: constants.assumingMemoryBound(to: Int32.self), lanes: 0, vectors: 0, pixels: 1,
      lastPixels: 1, isPlainlyScaled: false)
    guard let sizes, let vectors = kernels.vectors else { return plan }
    plan.ring = scratch + sizes.pointerBytes
    plan.rowBytes = sizes.rowBytes
    plan.parameters =
      (constants + ArenaPlan.aligned(sizes.weightBytes)).assumingMemoryBound(to: Int32.self)
    plan.biases = plan.parameters + sizes.parameterBytes / 4
    plan.lanes = sizes.lanes
    plan.vectors = sizes.vectors
    let width = Int32(target.width)
    plan.pixels = vectors.pixels(Int32(sizes.vectors), width)
    plan.lastPixels = vectors.pixels(Int32(sizes.lastVectors), width)
    return plan
  }
}
