import EngineChecks
import Testing

@testable import Engine

@Suite struct ModelLoadingTests {
  @Test func theFixtureHasItsLabelsAndParameters() throws {
    try Fixture.model.withUnsafeBytes { bytes in
      let model = try Model(bytes)
      #expect(model.labelCount == 2)
      let label = model.label(1)
      #expect(label.name.description == "100-1978-house")
      #expect(label.kind == "rupiah" && label.metal == "cupronickel")
      #expect(label.value == 100 && label.diameter == 28.5 && label.isWithdrawn)
      #expect(!model.label(0).isWithdrawn)
      #expect(try model.parameter("scale.sigma") == 0.03125)
    }
  }

  @Test func whatIsNotInTheModelIsSaidToBeMissing() throws {
    try Fixture.model.withUnsafeBytes { bytes in
      let model = try Model(bytes)
      #expect(throws: ModelError(.parameter, .notFound)) { try model.parameter("none") }
      #expect(throws: ModelError(.graph, .notFound)) {
        try Graph.memory(model, "none", .reference)
      }
    }
    try Fixture.withGraph("ring", .reference) { graph in
      #expect(throws: ModelError(.port, .notFound, graph: 1)) { try graph.output("picture") }
      #expect(throws: ModelError(.port, .notFound, graph: 1)) { try graph.input("logits") }
    }
  }

  @Test func aTruncatedFileIsRefusedAtEveryLength() {
    for length in stride(from: 0, to: Fixture.model.count, by: 7) {
      let problem = problem(Array(Fixture.model.prefix(length)))
      #expect(problem == (length < 8 ? .notAModel : .truncated), "\(length) bytes")
    }
  }

  @Test func aChangedByteIsSeenByTheChecksum() {
    for place in stride(from: 24, to: Fixture.model.count, by: 97) {
      var bytes = Fixture.model
      bytes[place] ^= 0x10
      #expect(problem(bytes) == .damaged, "byte \(place)")
    }
  }

  @Test func theChecksumIsThatOfZlib() {
    let digits = Array("123456789".utf8)
    digits.withUnsafeBytes { #expect(Checksum.crc32($0) == 0xCBF4_3926) }
  }

  @Test func aFileOfAnotherKindVersionOrLengthIsNamedAsSuch() {
    #expect(problem([]) == .notAModel)
    #expect(problem(Array("not a model file, but long enough".utf8)) == .notAModel)
    #expect(problem(Fixture.model + [0]) == .trailingBytes)
    #expect(changed { ModelWriter.put(&$0, 8, 2) } == .wrongVersion)
  }

  @Test func theMessageNamesTheThingAndTheWayOut() {
    let error = ModelError(.graphOperator, .accumulatorOverflow, graph: 2, index: 13)
    #expect(
      error.description
        == "model, graph 2, operator 13: has weights or a bias so large that sums could overflow; "
        + "export it again")
  }

  @Test func everyMessageFitsTheBufferAndEndsWithAWayOut() {
    for raw in 0...ModelError.Problem.memoryMisaligned.rawValue {
      guard let problem = ModelError.Problem(rawValue: raw) else { continue }
      let text = ModelError(.graphOperator, problem, graph: 999, index: 9999).description
      #expect(text.utf8.count < 160 && text.contains("; "), "\(text)")
    }
  }

  @Test func memoryThatIsTooSmallOrMisalignedIsRefused() throws {
    try Fixture.model.withUnsafeBytes { bytes in
      let model = try Model(bytes)
      let need = try Graph.memory(model, "plane", .fastest)
      let block = UnsafeMutableRawBufferPointer.allocate(
        byteCount: need.constants + need.arena + 64, alignment: 64)
      defer { block.deallocate() }
      let constants = UnsafeMutableRawBufferPointer(rebasing: block[..<need.constants])
      #expect(throws: ModelError(.memory, .memoryTooSmall)) {
        _ = try Graph(
          model, "plane", .fastest, constants: constants,
          arena: UnsafeMutableRawBufferPointer(rebasing: block[..<(need.arena - 1)]))
      }
      #expect(throws: ModelError(.memory, .memoryMisaligned)) {
        _ = try Graph(
          model, "plane", .fastest, constants: constants,
          arena: UnsafeMutableRawBufferPointer(
            rebasing: block[(need.constants + 1)...]))
      }
    }
  }

  /// What loading `bytes` fails with.
  private func problem(_ bytes: [UInt8]) -> ModelError.Problem? {
    do {
      try Fixture.load(bytes)
      return nil
    } catch {
      return error.problem
    }
  }

  private func changed(_ change: (inout [UInt8]) -> Void) -> ModelError.Problem? {
    var bytes = Fixture.model
    change(&bytes)
    ModelWriter.seal(&bytes)
    return problem(bytes)
  }
}
