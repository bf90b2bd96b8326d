import EngineChecks
import Testing

@testable import Engine

@Suite struct RowFlowTests {
  @Test func aSumRunsTheConvolutionAndTheUpsamplingThatOnlyItReads() throws {
    var writer = ModelWriter()
    let small = writer.tensor(height: 4, width: 6, channels: 8, zeroPoint: 0)
    let large = writer.tensor(height: 8, width: 12, channels: 8, zeroPoint: 0)
    let doubled = upsampling(&writer, small, height: 8, width: 12)
    let lateral = convolution(&writer, large, height: 8, width: 12)
    let sum = sum(&writer, doubled, lateral, height: 8, width: 12)
    let file = writer.finish(inputs: [small, large], outputs: [sum])
    #expect(try runners(file) == [2, 2, 2])
  }

  @Test func aDepthwiseConvolutionAsksForItsRowsAndIsAskedForThem() throws {
    var writer = ModelWriter()
    let input = writer.tensor(height: 48, width: 64, channels: 8, zeroPoint: 0)
    let wide = convolution(&writer, input, height: 48, width: 64, channels: 32)
    let apart = convolution(&writer, wide, height: 48, width: 64, channels: 32, isDepthwise: true)
    let together = convolution(&writer, apart, height: 48, width: 64, from: 32)
    let file = writer.finish(inputs: [input], outputs: [together])
    #expect(try runners(file) == [2, 2, 2])
  }

  @Test func aTensorThatSomebodyElseReadsStaysWhole() throws {
    var writer = ModelWriter()
    let input = writer.tensor(height: 8, width: 12, channels: 8, zeroPoint: 0)
    let branch = convolution(&writer, input, height: 8, width: 12)
    let sum = sum(&writer, input, branch, height: 8, width: 12)
    let other = convolution(&writer, branch, height: 8, width: 12)
    #expect(try runners(writer.finish(inputs: [input], outputs: [sum, other])) == [0, 1, 2])
  }

  @Test func headsRunTogetherAndTheLargeTensorTheyReadByRows() throws {
    var writer = ModelWriter()
    let input = writer.tensor(height: 48, width: 64, channels: 8, zeroPoint: 0)
    let wide = convolution(&writer, input, height: 48, width: 64, channels: 32)
    let heads = (0..<3).map { _ in
      convolution(&writer, wide, height: 48, width: 64, from: 32, channels: 2)
    }
    let file = writer.finish(inputs: [input], outputs: heads)
    #expect(try runners(file) == [3, 3, 3, 3])
    let flow = try flow(file)
    #expect((0..<4).map(flow.flows) == [true, false, false, false])
    #expect((0..<4).map(flow.isCompanion) == [false, true, true, false])
  }

  @Test func anOutputOfTheGraphIsWhole() throws {
    var writer = ModelWriter()
    let input = writer.tensor(height: 8, width: 12, channels: 8, zeroPoint: 0)
    let branch = convolution(&writer, input, height: 8, width: 12)
    let sum = sum(&writer, input, branch, height: 8, width: 12)
    #expect(try runners(writer.finish(inputs: [input], outputs: [branch, sum])) == [0, 1])
  }

  @Test func anOutputThatIsMadeAlongWithALaterOneIsMadeBeforeThatOneHasRun() throws {
    var writer = ModelWriter()
    let input = writer.tensor(height: 8, width: 12, channels: 8, zeroPoint: 0)
    let first = convolution(&writer, input, height: 8, width: 12)
    let heads = (0..<2).map { _ in convolution(&writer, first, height: 8, width: 12) }
    let after = convolution(&writer, heads[1], height: 8, width: 12)
    let file = writer.finish(inputs: [input], outputs: heads + [after])
    for kernels in availableKernels {
      try Fixture.withGraph("test", of: file, kernels) { graph throws in
        // The reference runs every operator by itself.
        #expect(try graph.steps(to: "out") == (kernels.set == .reference ? 2 : 3))
        #expect(try graph.steps(to: "two") == 3 && graph.steps(to: "three") == 4)
      }
    }
  }

  @Test func anInputThatOneConvolutionReadsMayComeByRows() throws {
    var writer = ModelWriter()
    let input = writer.tensor(height: 8, width: 12, channels: 8, zeroPoint: 0)
    let output = convolution(&writer, input, height: 8, width: 12)
    let file = writer.finish(inputs: [input], outputs: [output])
    #expect(try flow(file, readsRows: true).inputReader == 0)
    #expect(try flow(file).inputReader == nil)
    for kernels in availableKernels where kernels.set != .reference {
      try file.withUnsafeBytes {
        let model = try Model($0)
        let whole = try Graph.memory(model, "test", kernels).arena
        let byRows = try Graph.memory(model, "test", kernels, readsRows: true).arena
        // A row, of two cache lines, for what was whole.
        #expect(whole - byRows == 8 * 12 * 8 - 128)
      }
    }
  }

  @Test func anInputThatSeveralReadOrThatIsGivenOutStaysWhole() throws {
    var writer = ModelWriter()
    let input = writer.tensor(height: 8, width: 12, channels: 8, zeroPoint: 0)
    let heads = (0..<2).map { _ in convolution(&writer, input, height: 8, width: 12) }
    #expect(
      try flow(writer.finish(inputs: [input], outputs: heads), readsRows: true).inputReader == nil)

    writer = ModelWriter()
    let source = writer.tensor(height: 8, width: 12, channels: 8, zeroPoint: 0)
    let only = convolution(&writer, source, height: 8, width: 12)
    #expect(
      try flow(writer.finish(inputs: [source], outputs: [only, source]), readsRows: true)
        .inputReader == nil)

    writer = ModelWriter()
    let small = writer.tensor(height: 8, width: 12, channels: 8, zeroPoint: 0)
    let doubled = upsampling(&writer, small, height: 16, width: 24)
    #expect(
      try flow(writer.finish(inputs: [small], outputs: [doubled]), readsRows: true)
        .inputReader == nil)
  }

  private func flow(_ bytes: [UInt8], readsRows: Bool = false) throws -> RowFlow {
    try bytes.withUnsafeBytes {
      let file = try Model($0).file
      return try RowFlow(
        file, GraphRecord(file, index: 0), graph: 0, readsRows: readsRows, leastBytes: 64 << 10)
    }
  }

  private func runners(_ bytes: [UInt8]) throws -> [Int] {
    let count = try bytes.withUnsafeBytes {
      try GraphRecord(Model($0).file, index: 0).operatorCount
    }
    let flow = try flow(bytes)
    return (0..<count).map(flow.runner)
  }

  private func convolution(
    _ writer: inout ModelWriter, _ source: Int, height: Int, width: Int, from depth: Int = 8,
    channels: Int = 8, isDepthwise: Bool = false
  ) -> Int {
    var row = OperatorRow(kind: isDepthwise ? 2 : 1)
    row.input = source
    row.output = writer.tensor(height: height, width: width, channels: channels, zeroPoint: 0)
    row.arrays = [
      writer.array(Array(repeating: 1, count: isDepthwise ? channels : depth * channels), size: 1),
      writer.array(Array(repeating: 0, count: channels), size: 4),
      writer.array(Array(repeating: 1 << 30, count: channels), size: 4),
      writer.array(Array(repeating: 8, count: channels), size: 1),
    ]
    writer.add(row)
    return row.output
  }

  private func upsampling(
    _ writer: inout ModelWriter, _ source: Int, height: Int, width: Int
  ) -> Int {
    var row = OperatorRow(kind: 4)
    row.input = source
    row.output = writer.tensor(height: height, width: width, channels: 8, zeroPoint: 0)
    writer.add(row)
    return row.output
  }

  private func sum(
    _ writer: inout ModelWriter, _ one: Int, _ other: Int, height: Int, width: Int
  ) -> Int {
    var row = OperatorRow(kind: 3)
    row.input = one
    row.second = other
    row.output = writer.tensor(height: height, width: width, channels: 8, zeroPoint: 0)
    row.multiplier = 16384
    row.secondMultiplier = 16384
    row.shift = 14
    writer.add(row)
    return row.output
  }
}
