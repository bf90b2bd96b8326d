/// Which operators another one runs along.
///
/// A tensor that one operator reads, or several that compute their rows from the same ones, need
/// never be whole in memory: its rows are made when they are asked for. What was just written is
/// then read from the first-level cache, sums and doubled pixels never leave it, and as the first
/// tensors of a picture network are by far the largest, the arena is half as large.
struct RowFlow {
  // As many elements as `GraphLimits.operators`, none of which is 128.
  private var runners = InlineArray<128, UInt8>(repeating: 128)
  private var companions = InlineArray<128, Bool>(repeating: false)
  /// The operator that asks for the rows of the graph's input; `nil` where that is whole.
  private(set) var inputReader: Int?

  /// Each operator runs by itself, as with the reference.
  init() {}

  /// Finds what may be run along in a checked graph.
  ///
  /// - Parameters:
  ///   - readsRows: whether the input may come by rows as well.
  ///   - leastBytes: of a tensor that a convolution reads by rows.
  init(
    _ file: ModelFile, _ record: GraphRecord, graph: Int, readsRows: Bool = false, leastBytes: Int
  ) throws(ModelError) {
    let rows = Rows(file: file, record: record, graph: graph, leastBytes: leastBytes)
    if readsRows { inputReader = try rows.inputReader() }
    // Backwards, so that the runners of those who read are known.
    for index in stride(from: record.operatorCount - 2, through: 0, by: -1) {
      if try rows.areCompanions(index, index + 1) {
        runners[index] = UInt8(runner(index + 1))
        companions[index] = true
        continue
      }
      if index > 0, try rows.areCompanions(index - 1, index) { continue }
      guard let reader = try reader(index, rows) else { continue }
      runners[index] = UInt8(runner(reader))
    }
  }

  /// The operator that runs operator `index`, maybe itself. Precondition: it is in the graph.
  func runner(_ index: Int) -> Int { runners[index] < 128 ? Int(runners[index]) : index }

  /// Whether operator `index` computes its rows along with the next one, from the same input rows.
  func isCompanion(_ index: Int) -> Bool { companions[index] }

  /// Whether the output of operator `index` is made by rows.
  func flows(_ index: Int) -> Bool { runner(index) != index && !companions[index] }

  /// The last of the operators that may ask for the rows of an operator's output; `nil` when it is to
  /// be whole.
  private func reader(_ index: Int, _ rows: Rows) throws(ModelError) -> Int? {
    let row = try rows.row(index)
    guard row.kind.isConvolution || row.kind == .add || row.kind == .upsample2x,
      let readers = try rows.readers(row.output)
    else { return nil }
    let last = readers.last
    let reading = try rows.row(last)
    let isSum = reading.kind == .add && reading.input != reading.secondInput
    guard isSum || reading.kind.isConvolution else { return nil }
    // All between run along as well, so that no input is kept for longer than this.
    for between in index + 1..<last where runner(between) != runner(last) { return nil }
    for local in last + 1 - readers.count..<last where !companions[local] { return nil }
    if isSum && row.kind != .add { return last }
    return try rows.byteCount(row.output) >= rows.leastBytes ? last : nil
  }

  /// A graph's rows.
  private struct Rows {
    let file: ModelFile
    let record: GraphRecord
    let graph: Int
    let leastBytes: Int

    func row(_ local: Int) throws(ModelError) -> OperatorRecord {
      try OperatorRecord(file, index: record.firstOperator + local, graph: graph, local: local)
    }

    func byteCount(_ tensor: Int) throws(ModelError) -> Int {
      try TensorRecord(file, index: record.firstTensor + tensor, graph: graph, local: tensor)
        .byteCount
    }

    /// Whether two operators read the same pixels one by one.
    func areCompanions(_ one: Int, _ other: Int) throws(ModelError) -> Bool {
      let first = try row(one)
      let second = try row(other)
      return first.kind == .convolution && second.kind == .convolution
        && first.input == second.input && first.window.isPixel && second.window.isPixel
    }

    /// The convolution that alone reads the graph's only input; `nil` without one.
    func inputReader() throws(ModelError) -> Int? {
      guard record.inputCount == 1 else { return nil }
      let input = try PortRecord(file, record, graph: graph, local: 0).tensor
      guard let readers = try readers(input, ports: 1..<record.portCount), readers.count == 1,
        try row(readers.last).kind == .convolution
      else { return nil }
      return readers.last
    }

    /// How many operators read a tensor, and the last of them; `nil` when somebody outside does.
    func readers(_ tensor: Int) throws(ModelError) -> (count: Int, last: Int)? {
      try readers(tensor, ports: 0..<record.portCount)
    }

    private func readers(
      _ tensor: Int, ports: Range<Int>
    ) throws(ModelError) -> (count: Int, last: Int)? {
      for local in ports {
        let port = try PortRecord(file, record, graph: graph, local: local)
        if port.tensor == tensor { return nil }
      }
      var count = 0
      var last = 0
      for local in 0..<record.operatorCount {
        let row = try row(local)
        guard row.input == tensor || row.secondInput == tensor else { continue }
        count += 1
        last = local
      }
      return count > 0 ? (count, last) : nil
    }
  }
}
