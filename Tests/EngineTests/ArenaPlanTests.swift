import Testing

@testable import Engine

@Suite struct ArenaPlanTests {
  @Test func tensorsAliveTogetherNeverOverlapAndTheRestShareMemory() throws {
    try Fixture.model.withUnsafeBytes { bytes in
      let file = try Model(bytes).file
      for graph in 0..<file.count(.graphs) {
        let record = try GraphRecord(file, index: graph)
        let plan = try ArenaPlan(file, record, graph: graph)
        let check = GraphValidation(file: file, graph: graph, record: record)
        var total = 0
        var ranges: [Range<Int>] = []
        for tensor in 0..<record.tensorCount {
          let count = try check.tensor(tensor).byteCount
          #expect(plan.offset(tensor) % ArenaPlan.alignment == 0)
          ranges.append(plan.offset(tensor)..<plan.offset(tensor) + count)
          total += ArenaPlan.aligned(count)
        }
        #expect(ranges.allSatisfy { $0.upperBound <= plan.byteCount })
        #expect(plan.byteCount < total)
        for (step, live) in try lifetimes(file, record, graph).enumerated() {
          for one in live {
            for other in live where other > one {
              #expect(!ranges[one].overlaps(ranges[other]), "graph \(graph), step \(step)")
            }
          }
        }
      }
    }
  }

  /// The tensors that hold something needed while each operator runs, found from the definition.
  private func lifetimes(
    _ file: ModelFile, _ record: GraphRecord, _ graph: Int
  ) throws -> [[Int]] {
    let rows = try (0..<record.operatorCount).map { local in
      try OperatorRecord(file, index: record.firstOperator + local, graph: graph, local: local)
    }
    let ports = try (0..<record.portCount).map { local in
      try PortRecord(file, record, graph: graph, local: local).tensor
    }
    let inputs = ports.prefix(record.inputCount)
    let outputs = ports.dropFirst(record.inputCount)
    return rows.indices.map { step in
      (0..<record.tensorCount).filter { tensor in
        let isWritten = inputs.contains(tensor) || rows[...step].contains { $0.output == tensor }
        let isNeeded =
          outputs.contains(tensor) || rows[step].output == tensor
          || rows[step...].contains { $0.input == tensor || $0.secondInput == tensor }
        return isWritten && isNeeded
      }
    }
  }
}
