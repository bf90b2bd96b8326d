/// Which tensors of a graph are never whole in memory: a convolution's output that only the
/// convolution after it reads is made row by row as that one asks for it.
///
/// The first tensors of a picture network are by far the largest, so this halves the arena, and what
/// was just written is read from the first-level cache.
struct RowFlow {
  /// Smaller tensors are not worth it: they stay in a cache anyway.
  static let leastBytes = 64 << 10

  // As many elements as `GraphLimits.operators`.
  private var flowing = InlineArray<128, Bool>(repeating: false)

  /// No tensor flows, as with the reference.
  init() {}

  /// Finds what may flow in a checked graph.
  init(_ file: ModelFile, _ record: GraphRecord, graph: Int) throws(ModelError) {
    for index in 0..<max(0, record.operatorCount - 1) {
      let row = try RowFlow.row(file, record, graph, index)
      let next = try RowFlow.row(file, record, graph, index + 1)
      guard row.kind == .convolution, next.kind == .convolution, next.input == row.output,
        index == 0 || !flowing[index - 1],
        try RowFlow.size(file, record, graph, row.output) >= RowFlow.leastBytes,
        try RowFlow.isReadOnce(file, record, graph, row.output)
      else { continue }
      flowing[index] = true
    }
  }

  /// Whether the output of operator `index` is made by rows. Precondition: it is in the graph.
  func flows(_ index: Int) -> Bool { flowing[index] }

  private static func row(
    _ file: ModelFile, _ record: GraphRecord, _ graph: Int, _ local: Int
  ) throws(ModelError) -> OperatorRecord {
    try OperatorRecord(file, index: record.firstOperator + local, graph: graph, local: local)
  }

  private static func size(
    _ file: ModelFile, _ record: GraphRecord, _ graph: Int, _ local: Int
  ) throws(ModelError) -> Int {
    try TensorRecord(file, index: record.firstTensor + local, graph: graph, local: local).byteCount
  }

  /// Whether one operator reads a tensor and nobody outside does.
  private static func isReadOnce(
    _ file: ModelFile, _ record: GraphRecord, _ graph: Int, _ tensor: Int
  ) throws(ModelError) -> Bool {
    var readers = 0
    for index in 0..<record.operatorCount {
      let row = try row(file, record, graph, index)
      if row.input == tensor || row.secondInput == tensor { readers += 1 }
    }
    for index in 0..<record.portCount {
      let port = try PortRecord(file, record, graph: graph, local: index)
      if port.tensor == tensor { return false }
    }
    return readers == 1
  }
}
