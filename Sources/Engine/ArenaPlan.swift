/// Where each tensor of a graph lies in the arena, planned from when it is written and last read.
///
/// Tensors whose lives do not overlap share bytes. The largest is placed first, each at the lowest
/// offset where nothing alive at the same time lies; for chains with a few shortcuts this is within
/// a few percent of the least possible.
struct ArenaPlan {
  /// Bytes to which every tensor is aligned: a cache line, and the widest vector.
  static let alignment = 64

  // As many elements as `GraphLimits.tensors`.
  private var sizes = InlineArray<128, Int>(repeating: 0)
  /// The operator that writes a tensor; -1 for inputs.
  private var firstUse = InlineArray<128, Int>(repeating: -1)
  /// The last operator that reads it; the operator count for outputs.
  private var lastUse = InlineArray<128, Int>(repeating: -1)
  /// Where it lies, or -1 while not placed.
  private var places = InlineArray<128, Int>(repeating: -1)

  /// How many bytes the arena needs.
  private(set) var byteCount = 0

  /// Where tensor `index` begins.
  func offset(_ index: Int) -> Int { places[index] }

  /// Plans the tensors of a checked graph, of which some are made by rows.
  init(
    _ file: ModelFile, _ record: GraphRecord, graph: Int, flow: RowFlow = RowFlow()
  ) throws(ModelError) {
    let check = GraphValidation(file: file, graph: graph, record: record)
    for index in 0..<record.tensorCount {
      sizes[index] = ArenaPlan.aligned(try check.tensor(index).byteCount)
    }
    for index in 0..<record.operatorCount {
      let row = try OperatorRecord(
        file, index: record.firstOperator + index, graph: graph, local: index)
      firstUse[row.output] = index
      // What is made by rows is made while a later operator runs, and takes one row.
      let end = flow.runner(index)
      lastUse[row.output] = max(lastUse[row.output], end)
      lastUse[row.input] = max(lastUse[row.input], end)
      lastUse[row.secondInput] = max(lastUse[row.secondInput], end)
      if flow.flows(index) { sizes[row.output] = try ArenaPlan.rowBytes(check.tensor(row.output)) }
      if flow.inputReader == index {
        sizes[row.input] = try ArenaPlan.rowBytes(check.tensor(row.input))
      }
    }
    for index in 0..<record.portCount {
      let port = try PortRecord(file, record, graph: graph, local: index)
      if index >= record.inputCount { lastUse[port.tensor] = record.operatorCount }
    }
    for _ in 0..<record.tensorCount { placeLargest(record.tensorCount) }
  }

  /// `count` rounded up to the alignment.
  static func aligned(_ count: Int) -> Int { (count + alignment - 1) / alignment * alignment }

  private static func rowBytes(_ tensor: TensorRecord) -> Int {
    aligned(tensor.width * tensor.channels)
  }

  private mutating func placeLargest(_ count: Int) {
    var chosen = -1
    for index in 0..<count where places[index] < 0 {
      if chosen < 0 || sizes[index] > sizes[chosen] { chosen = index }
    }
    guard chosen >= 0 else { return }
    // Lowest candidate: 0, or the end of something placed; move up past each overlap.
    var offset = 0
    var isMoved = true
    while isMoved {
      isMoved = false
      for other in 0..<count where places[other] >= 0 && isAliveWith(chosen, other) {
        let end = places[other] + sizes[other]
        if offset < end && places[other] < offset + sizes[chosen] {
          offset = end
          isMoved = true
        }
      }
    }
    places[chosen] = offset
    byteCount = max(byteCount, offset + sizes[chosen])
  }

  private func isAliveWith(_ one: Int, _ other: Int) -> Bool {
    firstUse[one] <= lastUse[other] && firstUse[other] <= lastUse[one]
  }
}
