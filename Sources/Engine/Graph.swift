/// One network of a model, planned in memory the caller owns and ready to run.
///
/// ```swift
/// let model = try Model(bytes)
/// let need = try Graph.memory(model, "detector", .fastest)
/// var graph = try Graph(
///   model, "detector", .fastest, constants: constants, arena: arena)  // need.constants, need.arena
/// let pixels = try graph.input("pixels")   // fill pixels.base[0..<pixels.count]
/// graph.run()
/// let centre = try graph.output("centre")   // centre[row, column, 0]
/// ```
///
/// The model's bytes and both blocks must outlive the graph. Graphs that run one after another may
/// share one arena, as large as the largest asks for: an input or output then holds only until
/// another of them is filled or run. The constants are each graph's own.
public struct Graph: ~Copyable {
  /// What a graph needs from its caller, in bytes; both blocks aligned to 64.
  public struct Memory: Equatable, Sendable {
    /// For steps and packed weights: written once, by `init`.
    public let constants: Int
    /// For activations and scratch.
    public let arena: Int
  }

  private let model: Model
  private let record: GraphRecord
  private let index: Int
  private let kernels: Kernels
  /// A copy of the vector forms, in the constants.
  private let vectors: UnsafePointer<VectorKernels>?
  private let flow: RowFlow
  private let plan: ArenaPlan
  private let arena: UnsafeMutablePointer<Int8>
  private let steps: UnsafeMutablePointer<Step>

  /// How much memory the graph needs with these kernels.
  ///
  /// - Parameter readsRows: as it will be made with.
  /// - Throws: `ModelError` when the model has no such graph.
  public static func memory(
    _ model: Model, _ name: StaticString, _ kernels: Kernels, readsRows: Bool = false
  ) throws(ModelError) -> Memory {
    let index = try model.graphIndex(name)
    let record = try GraphRecord(model.file, index: index)
    let flow = try flow(model, record, index, kernels, readsRows)
    let plan = try ArenaPlan(model.file, record, graph: index, flow: flow)
    let sizes = try GraphBuilder(
      model: model, record: record, graph: index, kernels: kernels, flow: flow
    ).sizes()
    return Memory(constants: sizes.constants, arena: plan.byteCount + sizes.scratch)
  }

  /// Plans the graph and packs its weights.
  ///
  /// - Parameters:
  ///   - model: the checked model.
  ///   - name: the graph's name in it.
  ///   - kernels: the functions to run it with; the result is the same with all of them.
  ///   - readsRows: whether its only input comes by rows, from `run(reading:)`. Where kernels and
  ///     graph allow it, that tensor is then never whole in memory.
  ///   - constants: at least `Memory.constants` bytes, aligned to 64.
  ///   - arena: at least `Memory.arena` bytes, aligned to 64.
  /// - Throws: `ModelError` when there is no such graph or a block is too small or misaligned.
  public init(
    _ model: Model, _ name: StaticString, _ kernels: Kernels, readsRows: Bool = false,
    constants: UnsafeMutableRawBufferPointer, arena: UnsafeMutableRawBufferPointer
  ) throws(ModelError) {
    let index = try model.graphIndex(name)
    let record = try GraphRecord(model.file, index: index)
    let flow = try Graph.flow(model, record, index, kernels, readsRows)
    let plan = try ArenaPlan(model.file, record, graph: index, flow: flow)
    let builder = try GraphBuilder(
      model: model, record: record, graph: index, kernels: kernels, flow: flow)
    let sizes = try builder.sizes()
    let constantBase = try Graph.checked(constants, sizes.constants)
    let arenaBase = try Graph.checked(arena, plan.byteCount + sizes.scratch)
    let activations = arenaBase.bindMemory(to: Int8.self, capacity: plan.byteCount)
    let steps = (constantBase + GraphBuilder.kernelBytes).bindMemory(
      to: Step.self, capacity: record.operatorCount)
    try builder.build(
      steps: steps, constants: constantBase, arena: activations, plan: plan,
      scratch: arenaBase + plan.byteCount)
    self.model = model
    self.record = record
    self.index = index
    self.kernels = kernels
    vectors = builder.copyKernels(to: constantBase)
    self.flow = flow
    self.plan = plan
    self.arena = activations
    self.steps = steps
  }

  /// What is made by rows: nothing by the reference, which is to be plain.
  private static func flow(
    _ model: Model, _ record: GraphRecord, _ index: Int, _ kernels: Kernels, _ readsRows: Bool
  ) throws(ModelError) -> RowFlow {
    guard let form = kernels.vectors?.form else { return RowFlow() }
    return try RowFlow(
      model.file, record, graph: index, readsRows: readsRows, leastBytes: form.leastRowsBytes)
  }

  /// How many operators the graph has.
  public var stepCount: Int { record.operatorCount }

  /// The instruction set the graph runs with.
  public var set: InstructionSet { kernels.set }

  /// The input of that name; its elements are undefined after `run()`.
  ///
  /// - Throws: `ModelError` when the graph has no such input.
  public func input(_ name: StaticString) throws(ModelError) -> InputTensor {
    let (tensor, base) = try port(portIndex(name, 0..<record.inputCount))
    return InputTensor(
      base: base, isWhole: flow.inputReader == nil, height: tensor.height, width: tensor.width,
      channels: tensor.channels, scale: tensor.scale, zeroPoint: tensor.zeroPoint)
  }

  /// The output of that name; it holds until the inputs are filled anew.
  ///
  /// - Throws: `ModelError` when the graph has no such output.
  public func output(_ name: StaticString) throws(ModelError) -> OutputTensor {
    try output(local: portIndex(name, record.inputCount..<record.portCount))
  }

  /// How many outputs the graph has.
  public var outputCount: Int { record.outputCount }

  /// The output of that number, in the file's order. Precondition: `0 <= index < outputCount`.
  ///
  /// - Throws: never, for a graph that could be made.
  public func output(at index: Int) throws(ModelError) -> OutputTensor {
    precondition(index >= 0 && index < record.outputCount)
    return try output(local: record.inputCount + index)
  }

  /// Computes the outputs from the inputs. Allocates nothing, cannot fail.
  ///
  /// Precondition: the inputs are whole.
  public mutating func run() { run(steps: record.operatorCount) }

  /// Computes as much as the first `steps` operators make.
  ///
  /// Preconditions: `0 <= steps <= stepCount`, and the inputs are whole.
  public mutating func run(steps: Int) {
    precondition(flow.inputReader == nil)
    for index in 0..<steps { runStep(index) }
  }

  /// Computes the outputs from an input that is made by rows. Allocates nothing, cannot fail.
  ///
  /// Precondition: the graph has one input.
  public mutating func run(reading source: RowSource) {
    precondition(record.inputCount == 1)
    if let reader = flow.inputReader {
      steps[reader].rowSource = source
      for index in 0..<record.operatorCount { runStep(index) }
      steps[reader].rowSource = nil
    } else if let (tensor, base) = try? port(0) {
      for y in 0..<tensor.height {
        source.write(
          source.context, y, base + y * tensor.width * tensor.channels, tensor.channels, 0)
      }
      run()
    }
  }

  /// How many operators, from the first, it takes to make the output of that name.
  ///
  /// - Throws: `ModelError` when the graph has no such output.
  public func steps(to name: StaticString) throws(ModelError) -> Int {
    let port = try PortRecord(
      model.file, record, graph: index,
      local: portIndex(name, record.inputCount..<record.portCount))
    var count = 0
    for step in 0..<record.operatorCount {
      let row = try OperatorRecord(
        model.file, index: record.firstOperator + step, graph: index, local: step)
      // An operator may compute its rows along with a later one, which has to run then.
      if row.output == port.tensor { count = flow.runner(step) + 1 }
    }
    return count
  }

  /// Runs one operator, for benchmarks; some run along with a later one.
  /// Preconditions: `0 <= index < stepCount`, and the inputs are whole.
  public mutating func runStep(_ index: Int) {
    precondition(index >= 0 && index < record.operatorCount)
    if let vectors {
      VectorOperators.run(steps + index, vectors)
    } else {
      ReferenceOperators.run((steps + index).pointee)
    }
  }

  /// Multiplications that one operator does, for benchmarks: none with the rows of padding that the
  /// vector forms leave out. Precondition: `0 <= index < stepCount`.
  public func products(_ index: Int) -> Int {
    precondition(index >= 0 && index < record.operatorCount)
    let window = steps[index].window
    let taps = window.kernelHeight * window.kernelWidth
    switch steps[index].kind {
    case .convolution:
      let all = steps[index].target.count * taps * steps[index].source.channels
      return all - (kernels.vectors == nil ? 0 : skippedProducts(index))
    case .depthwiseConvolution: return steps[index].target.count * taps
    default: return 0
    }
  }

  /// Multiplications of transformed elements that one operator does in place of its products, for
  /// benchmarks: 0 for one that is not computed in tiles. Precondition: `0 <= index < stepCount`.
  public func productsInTiles(_ index: Int) -> Int {
    precondition(index >= 0 && index < record.operatorCount)
    return steps[index].productsInTiles
  }

  /// Multiplications with rows of padding.
  private func skippedProducts(_ index: Int) -> Int {
    let step = steps[index]
    var rows = 0
    for y in 0..<step.target.height {
      let skipped = SkippedRows(step.window, inputHeight: step.source.height, row: y)
      rows += skipped.above + skipped.below
    }
    return rows * step.window.kernelWidth * step.source.channels * step.target.rowCount
  }

  /// Bytes one operator reads and writes at least: its inputs, output, packed weights and
  /// parameters, each once. For benchmarks. Precondition: `0 <= index < stepCount`.
  public func traffic(_ index: Int) -> Int {
    precondition(index >= 0 && index < record.operatorCount)
    let step = steps[index]
    var activations = flow.flows(index) ? 0 : step.target.count
    if step.sourceMaker == nil && flow.inputReader != index { activations += step.source.count }
    if step.kind == .add && step.secondMaker == nil { activations += step.second.count }
    guard step.kind.isConvolution, let form = kernels.vectors?.form else { return activations }
    let sizes = RowSizes(
      step.kind, step.window, inputHeight: step.source.height, inputWidth: step.source.width,
      inputChannels: step.source.channels, outputChannels: step.target.channels, form: form,
      mayBeTiled: step.isInTiles)
    return activations + sizes.weightBytes + sizes.parameterBytes
  }

  #if !hasFeature(Embedded)
    /// What an operator is and does, for benchmarks. Precondition: `0 <= index < stepCount`.
    public func describe(_ index: Int) -> String {
      precondition(index >= 0 && index < record.operatorCount)
      let step = steps[index]
      let window = step.window
      var text = "\(step.kind) \(step.source.height)x\(step.source.width)x\(step.source.channels)"
      text += " -> \(step.target.height)x\(step.target.width)x\(step.target.channels)"
      if window.kernelHeight * window.kernelWidth > 1 {
        text += ", \(window.kernelHeight)x\(window.kernelWidth)"
      }
      if window.strideY > 1 { text += " /\(window.strideY)" }
      if step.isInTiles { text += ", in tiles" }
      if step.isCarried { text += ", by rows" }
      return text
    }
  #endif

  private func portIndex(_ name: StaticString, _ range: Range<Int>) throws(ModelError) -> Int {
    for local in range {
      let port = try PortRecord(model.file, record, graph: index, local: local)
      if port.name == name { return local }
    }
    throw ModelError(.port, .notFound, graph: index)
  }

  private func port(
    _ local: Int
  ) throws(ModelError) -> (TensorRecord, UnsafeMutablePointer<Int8>) {
    let port = try PortRecord(model.file, record, graph: index, local: local)
    let tensor = try TensorRecord(
      model.file, index: record.firstTensor + port.tensor, graph: index, local: port.tensor)
    return (tensor, arena + plan.offset(port.tensor))
  }

  private func output(local: Int) throws(ModelError) -> OutputTensor {
    let (tensor, base) = try port(local)
    return OutputTensor(
      base: UnsafePointer(base), height: tensor.height, width: tensor.width,
      channels: tensor.channels, scale: tensor.scale, zeroPoint: tensor.zeroPoint)
  }

  private static func checked(
    _ block: UnsafeMutableRawBufferPointer, _ size: Int
  ) throws(ModelError) -> UnsafeMutableRawPointer {
    guard let base = block.baseAddress, block.count >= size else {
      throw ModelError(.memory, .memoryTooSmall)
    }
    guard UInt(bitPattern: base) % UInt(ArenaPlan.alignment) == 0 else {
      throw ModelError(.memory, .memoryMisaligned)
    }
    return base
  }
}

/// Runs steps by the reference.
enum ReferenceOperators {
  static func run(_ step: borrowing Step) {
    switch step.kind {
    case .convolution: ReferenceConvolution.dense(step)
    case .depthwiseConvolution: ReferenceConvolution.depthwise(step)
    case .add: ReferenceElementwise.add(step)
    case .upsample2x: ReferenceElementwise.upsample2x(step)
    case .averagePoolGlobal: ReferencePool.averageGlobal(step)
    case .maxPool: ReferencePool.max(step)
    }
  }
}
