import CKernels

/// Turns a checked graph's rows into steps, and packs the weights of its convolutions.
struct GraphBuilder {
  let model: Model
  let record: GraphRecord
  let graph: Int
  let kernels: Kernels
  let flow: RowFlow
  /// Which operators may be computed in tiles. As many as `GraphLimits.operators`.
  private var mayBeTiled = InlineArray<128, Bool>(repeating: false)

  /// Chooses what may be computed in tiles: of the convolutions that gain by it those of the largest
  /// outputs, which save most for the memory of their weights, while these take no more in all than
  /// they are to.
  init(
    model: Model, record: GraphRecord, graph: Int, kernels: Kernels, flow: RowFlow
  ) throws(ModelError) {
    self.model = model
    self.record = record
    self.graph = graph
    self.kernels = kernels
    self.flow = flow
    var room = kernels.vectors?.form.winograd?.mostWeightBytes ?? 0
    var isDone = InlineArray<128, Bool>(repeating: false)
    for _ in 0..<record.operatorCount where room > 0 {
      var largest = (local: -1, places: 0, bytes: 0)
      for local in 0..<record.operatorCount where !isDone[local] {
        let row = try row(local)
        mayBeTiled[local] = true
        let winograd = try rowSizes(row, local)?.winograd
        mayBeTiled[local] = false
        let target = try tensor(row.output)
        let places = target.height * target.width
        if let winograd, places > largest.places {
          largest = (local, places, winograd.weightBytes)
        }
      }
      guard largest.local >= 0 else { break }
      isDone[largest.local] = true
      mayBeTiled[largest.local] = largest.bytes <= room
      if largest.bytes <= room { room -= largest.bytes }
    }
  }

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
        sizes, target, constants: next, scratch: scratch + (try scratchOffset(local)),
        row.window)
      var step = Step(
        kind: row.kind, window: row.window, source: source,
        second: try operand(row.secondInput, arena, plan), target: target,
        minimum: Int32(row.minimum), maximum: Int32(row.maximum), shift: Int32(row.shift),
        multiplier: row.multiplier, secondMultiplier: row.secondMultiplier,
        weights: array(row.weights, row).assumingMemoryBound(to: Int8.self),
        bias: array(row.bias, row), multipliers: array(row.multipliers, row),
        shifts: array(row.shifts, row).assumingMemoryBound(to: UInt8.self),
        isCarried: flow.runner(local) != local, sourceMaker: try maker(row.input, local, steps),
        secondMaker: row.kind == .add ? try maker(row.secondInput, local, steps) : nil,
        companions: companions(local), rows: rows)
      if let sizes, let vectors = kernels.vectors {
        if let scaling = WinogradPacking.pack(step, sizes, vectors.form) {
          prepareBand(&step, sizes, scaling)
        } else {
          let scaling = Packing.pack(step, sizes, vectors.form)
          if row.kind == .convolution { prepareRow(&step, vectors.form, scaling) }
        }
        next += sizes.constantBytes
      }
      (steps + local).initialize(to: step)
    }
  }

  /// The step before `local` that makes the rows of a tensor; `nil` when it is whole in memory.
  private func maker(
    _ tensor: Int, _ local: Int, _ steps: UnsafeMutablePointer<Step>
  ) throws(ModelError) -> UnsafeMutablePointer<Step>? {
    for index in 0..<local where flow.flows(index) {
      if try row(index).output == tensor { return steps + index }
    }
    return nil
  }

  /// How many steps right before `local` compute their rows along with it.
  private func companions(_ local: Int) -> Int {
    var count = 0
    while local > count && flow.isCompanion(local - count - 1) { count += 1 }
    return flow.isCompanion(local) ? 0 : count
  }

  /// What the kernel of a dense convolution is told for all rows alike.
  private func prepareRow(_ step: inout Step, _ form: PackedForm, _ scaling: ckernels_scaling) {
    let window = step.window
    let depth = form.depth(step.source.channels)
    let isShared = window.kernelWidth == 3 && window.strideX <= 2 && depth % 4 == 0
    step.rows.readsInPlace =
      window.kernelHeight == 1 && window.kernelWidth == 1 && depth == step.source.channels
      && form.elementBytes == 1 && form.offset == 0
    step.rows.row = ckernels_convolution(
      rows: UnsafePointer(step.rows.pointers), weights: step.rows.weights,
      parameters: step.rows.parameters, bias: step.rows.biases, output: step.target.base,
      kernel_height: Int32(window.kernelHeight), first_row: 0,
      row_count: Int32(window.kernelHeight),
      groups: Int32(form.rounded(window.kernelWidth * depth) / form.group),
      pixel_bytes: Int32(window.strideX * depth * form.elementBytes),
      width: Int32(step.target.width), channels: Int32(step.target.channels),
      vectors: Int32(step.rows.vectors), pixels: step.rows.pixels,
      last_pixels: step.rows.lastPixels, zero_point: step.target.zeroPoint,
      minimum: step.minimum, maximum: step.maximum,
      columns_step: isShared ? Int32(window.strideX) : 0, sign: 0,
      scaling: scaling)
  }

  /// What the kernel is told that computes bands of rows.
  private func prepareBand(_ step: inout Step, _ sizes: RowSizes, _ scaling: ckernels_scaling) {
    guard let bands = sizes.winograd else { return }
    step.rows.height = bands.height
    step.rows.step = bands.rows
    let transformed = step.rows.ring + bands.height * step.rows.rowBytes
    let sums = transformed + bands.transformedBytes
    let output = sums + bands.sumBytes
    step.rows.band = ckernels_winograd(
      input: UnsafePointer(step.rows.pointers),
      weights: UnsafeRawPointer(step.rows.weights).assumingMemoryBound(to: Int16.self),
      weight_columns: Int32(bands.weightColumns), parameters: step.rows.parameters,
      bias: step.rows.biases, output: output.assumingMemoryBound(to: Int8.self),
      transformed: transformed.assumingMemoryBound(to: Int16.self),
      sums: sums.assumingMemoryBound(to: Int32.self), rows: Int32(bands.rows),
      tiles: Int32(bands.tiles), together: Int32(bands.together),
      input_channels: Int32(step.source.channels), stride: Int32(bands.stride),
      channels: Int32(step.target.channels), vectors: Int32(step.rows.vectors),
      minimum: step.minimum, maximum: step.maximum, sign: 0, scaling: scaling)
  }

  /// Where an operator's scratch begins: those that run at the same time have theirs one after the
  /// other.
  private func scratchOffset(_ local: Int) throws(ModelError) -> Int {
    var offset = 0
    for index in local + 1..<flow.runner(local) + 1 {
      if let sizes = try rowSizes(try row(index), index) {
        offset += ArenaPlan.aligned(sizes.scratchBytes)
      }
    }
    return offset
  }

  /// Bytes of the copy of the vector forms, with which the constant memory begins.
  static var kernelBytes: Int { ArenaPlan.aligned(MemoryLayout<VectorKernels>.size) }

  /// Copies the vector forms, so that steps reach them by a pointer.
  func copyKernels(to place: UnsafeMutableRawPointer) -> UnsafePointer<VectorKernels>? {
    guard let vectors = kernels.vectors else { return nil }
    return UnsafePointer(place.initializeMemory(as: VectorKernels.self, to: vectors))
  }

  /// Bytes of these and of all steps.
  private var stepBytes: Int {
    GraphBuilder.kernelBytes
      + ArenaPlan.aligned(record.operatorCount * MemoryLayout<Step>.stride)
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
    model.file.pointer(row.kind.isConvolution ? offset : 0)
  }

  /// Sizes of the vector form; `nil` where there are no padded rows.
  private func rowSizes(_ row: OperatorRecord, _ local: Int) throws(ModelError) -> RowSizes? {
    guard let vectors = kernels.vectors, row.kind.isConvolution else { return nil }
    let source = try tensor(row.input)
    let target = try tensor(row.output)
    return RowSizes(
      row.kind, row.window, inputHeight: source.height, inputWidth: source.width,
      inputChannels: source.channels, outputChannels: target.channels, form: vectors.form,
      mayBeTiled: mayBeTiled[local])
  }

  private func rowPlan(
    _ sizes: RowSizes?, _ target: Operand, constants: UnsafeMutableRawPointer,
    scratch: UnsafeMutableRawPointer, _ window: Window
  ) -> RowPlan {
    var plan = RowPlan(
      pointers: scratch.assumingMemoryBound(to: UnsafeRawPointer?.self), ring: scratch,
      rowBytes: 0, height: 0, step: 1, weights: constants.assumingMemoryBound(to: Int8.self),
      parameters: constants.assumingMemoryBound(to: Int32.self),
      biases: constants.assumingMemoryBound(to: Int32.self), lanes: 0, vectors: 0, pixels: 1,
      lastPixels: 1, readsInPlace: false)
    guard let sizes, let vectors = kernels.vectors else { return plan }
    plan.ring = scratch + sizes.pointerBytes
    plan.rowBytes = sizes.rowBytes
    plan.height = window.kernelHeight
    plan.step = window.strideY
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
