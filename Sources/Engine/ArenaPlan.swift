/// Where each tensor of a graph lies in the arena, planned from when it is written and last read.
///
/// Tensors whose lives do not overlap share bytes. The largest is placed first, each at the lowest
/// offset where nothing alive at the same time lies; for chains with a few shortcuts this is within
/// a few percent of the least possible.
struct ArenaPlan {
  /// Bytes to which every tensor is aligned: a cache line, and the widest vector.
  static let alignment = 64

  /// What has to be known of a tensor until it is placed.
  private struct Life: BitwiseCopyable {
    /// Bytes, at most `GraphLimits.tensorBytes`.
    var size: Int32 = 0
    /// The operator that writes it; -1 for inputs.
    var firstUse: Int16 = -1
    /// The last operator that reads it; the operator count for outputs.
    var lastUse: Int16 = -1

    mutating func read(by end: Int) { lastUse = max(lastUse, Int16(end)) }

    func overlaps(_ other: Life) -> Bool {
      firstUse <= other.lastUse && other.firstUse <= lastUse
    }
  }

  /// Where each tensor lies, or -1 while not placed. As many elements as `GraphLimits.tensors`, whose
  /// bytes add up to less than 2³¹.
  private var places = InlineArray<128, Int32>(repeating: -1)

  /// How many bytes the arena needs.
  private(set) var byteCount = 0

  /// Where tensor `index` begins.
  func offset(_ index: Int) -> Int { Int(places[index]) }

  /// Plans the tensors of a checked graph, of which some are made by rows.
  init(
    _ file: ModelFile, _ record: GraphRecord, graph: Int, flow: RowFlow = RowFlow()
  ) throws(ModelError) {
    let check = GraphValidation(file: file, graph: graph, record: record)
    var lives = InlineArray<128, Life>(repeating: Life())
    for index in 0..<record.tensorCount {
      lives[index].size = Int32(ArenaPlan.aligned(try check.tensor(index).byteCount))
    }
    for index in 0..<record.operatorCount {
      let row = try OperatorRecord(
        file, index: record.firstOperator + index, graph: graph, local: index)
      lives[row.output].firstUse = Int16(index)
      // What is made by rows is made while a later operator runs, and takes one row.
      let end = flow.runner(index)
      lives[row.output].read(by: end)
      lives[row.input].read(by: end)
      lives[row.secondInput].read(by: end)
      if flow.flows(index) {
        lives[row.output].size = try ArenaPlan.rowBytes(check.tensor(row.output))
      }
      if flow.inputReader == index {
        lives[row.input].size = try ArenaPlan.rowBytes(check.tensor(row.input))
      }
    }
    for index in 0..<record.portCount {
      let port = try PortRecord(file, record, graph: graph, local: index)
      if index >= record.inputCount { lives[port.tensor].read(by: record.operatorCount) }
    }
    for _ in 0..<record.tensorCount { placeLargest(record.tensorCount, lives) }
  }

  /// `count` rounded up to the alignment.
  static func aligned(_ count: Int) -> Int { (count + alignment - 1) / alignment * alignment }

  private static func rowBytes(_ tensor: TensorRecord) -> Int32 {
    Int32(aligned(tensor.width * tensor.channels))
  }

  private mutating func placeLargest(_ count: Int, _ lives: InlineArray<128, Life>) {
    var chosen = -1
    for index in 0..<count where places[index] < 0 {
      if chosen < 0 || lives[index].size > lives[chosen].size { chosen = index }
    }
    guard chosen >= 0 else { return }
    // Lowest candidate: 0, or the end of something placed; move up past each overlap.
    let life = lives[chosen]
    var offset: Int32 = 0
    var isMoved = true
    while isMoved {
      isMoved = false
      for other in 0..<count where places[other] >= 0 && life.overlaps(lives[other]) {
        let end = places[other] + lives[other].size
        if offset < end && places[other] < offset + life.size {
          offset = end
          isMoved = true
        }
      }
    }
    places[chosen] = offset
    byteCount = max(byteCount, Int(offset + life.size))
  }
}
