import Engine
import EngineChecks
import Testing

@Suite struct AgreementTests {
  @Test func everyInstructionSetComputesWhatThePythonReferenceDoes() throws {
    for kernels in availableKernels {
      var expected = Fixture.expected[...]
      try compare("plane", ["centre", "size"], kernels, &expected)
      try compare("ring", ["logits", "embedding"], kernels, &expected)
      #expect(expected.isEmpty)
    }
  }

  @Test func runningAgainGivesTheSame() throws {
    let input = Fixture.expected.prefix(18 * 22 * 3)
    try Fixture.withGraph("plane", .fastest) { graph in
      var results: [[Int8]] = []
      for _ in 0..<2 {
        let picture = try graph.input("picture")
        for (place, value) in input.enumerated() { picture.base[place] = value }
        graph.run()
        results.append(try elements(graph.output("centre")))
      }
      #expect(results[0] == results[1])
      #expect(Set(results[0]).count > 8)
    }
  }

  @Test func anEarlierOutputCanBeMadeWithoutWhatComesAfterIt() throws {
    let input = Fixture.expected.dropFirst(18 * 22 * 3 + 10 * 12 + 9 * 11 * 5).prefix(8 * 20 * 3)
    for kernels in availableKernels {
      try Fixture.withGraph("ring", kernels) { graph in
        #expect(try graph.steps(to: "logits") == 6 && graph.steps(to: "embedding") == 7)
        #expect(throws: ModelError.self) { try graph.steps(to: "picture") }
        var results: [[Int8]] = []
        for steps in [6, graph.stepCount] {
          let picture = try graph.input("picture")
          for (place, value) in input.enumerated() { picture.base[place] = value }
          graph.run(steps: steps)
          results.append(try elements(graph.output("logits")))
        }
        #expect(results[0] == results[1])
        #expect(Set(results[0]).count > 8)
      }
    }
  }

  /// Cases for each kind; large convolutions are slow by the reference.
  private let counts = [250, 80, 80, 80, 80, 80, 4, 12, 8, 160]

  @Test func aLargeTensorThatOneConvolutionReadsTakesOneRowOfTheArena() throws {
    var random = RandomNumbers(seed: 3)
    let chain = RandomModel(chain: &random)
    try chain.bytes.withUnsafeBytes { bytes in
      let model = try Model(bytes)
      let whole = try Graph.memory(model, "test", .reference).arena
      for kernels in availableKernels where kernels.set != .reference {
        #expect(try Graph.memory(model, "test", kernels).arena < whole - 32_768)
      }
    }
  }

  @Test(arguments: 1...10)
  func everyKernelEqualsTheReferenceBitForBit(kind: Int) {
    for kernels in availableKernels where kernels.set != .reference {
      let check = KernelCheck(kernels, kind: kind, count: counts[kind - 1], seed: 77)
      #expect(check.failed == 0, "\(kernels.set), first case \(check.firstFailure)")
      #expect(check.passed > 0)
    }
  }

  @Test func mostConvolutionsThatCanBeComputedInTilesAre() throws {
    for kernels in availableKernels {
      var inTiles = 0
      var directly = 0
      for number: UInt64 in 0..<60 {
        var random = RandomNumbers(seed: number)
        let text = try Self.description(RandomModel(winograd: &random), kernels)
        if text.contains("in tiles") { inTiles += 1 } else { directly += 1 }
      }
      // Some have too few channels, sums that could leave 32 bits, or unusual shifts.
      let isExpected = kernels.set == .avx512VNNI || kernels.set == .neon
      #expect(
        isExpected ? inTiles > 8 && directly > 8 : inTiles == 0,
        "\(kernels.set): \(inTiles) in tiles")
    }
  }

  /// What a random model's first operator is and does.
  private static func description(_ random: RandomModel, _ kernels: Kernels) throws -> String {
    try random.bytes.withUnsafeBytes { bytes in
      let model = try Model(bytes)
      let need = try Graph.memory(model, "test", kernels)
      let constants = UnsafeMutableRawBufferPointer.allocate(
        byteCount: need.constants, alignment: 64)
      let arena = UnsafeMutableRawBufferPointer.allocate(byteCount: need.arena, alignment: 64)
      defer {
        constants.deallocate()
        arena.deallocate()
      }
      return try Graph(model, "test", kernels, constants: constants, arena: arena).describe(0)
    }
  }

  private func compare(
    _ name: StaticString, _ outputs: [StaticString], _ kernels: Kernels,
    _ expected: inout ArraySlice<Int8>
  ) throws {
    try Fixture.withGraph(name, kernels) { graph in
      let picture = try graph.input("picture")
      #expect(expected.count > picture.count)
      for place in 0..<picture.count { picture.base[place] = expected.removeFirst() }
      graph.run()
      for output in outputs {
        let found = try elements(graph.output(output))
        #expect(found == Array(expected.prefix(found.count)), "\(name) \(output) \(kernels.set)")
        expected.removeFirst(found.count)
      }
    }
  }

  private func elements(_ tensor: OutputTensor) -> [Int8] {
    Array(UnsafeBufferPointer(start: tensor.base, count: tensor.count))
  }
}
