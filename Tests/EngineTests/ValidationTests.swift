import EngineChecks
import Testing

@testable import Engine

/// Each rule of the loader, by a model that breaks it alone.
@Suite struct ValidationTests {
  @Test func aPlainConvolutionLoads() {
    #expect(problem() == nil)
  }

  @Test func shapesThatDoNotFitTheWindowAreRefused() {
    #expect(problem(outputWidth: 5) == .shapeMismatch)
    #expect(problem { $0.window[7] = 0 } == .shapeMismatch)
  }

  @Test func aKernelOrStrideOfZeroOrPaddingAsLargeAsTheKernelIsRefused() {
    #expect(problem { $0.window[0] = 0 } == .windowMalformed)
    #expect(problem { $0.window[2] = 0 } == .windowMalformed)
    #expect(problem { $0.window[3] = 0 } == .windowMalformed)
    #expect(problem { $0.window[4] = 3 } == .windowMalformed)
    #expect(problem { $0.window[6] = 200 } == .windowMalformed)
  }

  @Test func anUnknownKindOrFlagIsRefused() {
    #expect(problem { $0.kind = 7 } == .kindUnknown)
    #expect(problem { $0.kind = 0 } == .kindUnknown)
    #expect(problem { $0.window[8] = 2 } == .flagUnknown)
    #expect(problem { $0.second = 0 } == .reservedNotZero)
  }

  @Test func tensorsThatAreUnknownOrOutOfOrderAreRefused() {
    #expect(problem { $0.input = 2 } == .tensorUnknown)
    #expect(problem { $0.output = 9 } == .tensorUnknown)
    #expect(problem { $0.input = 1 } == .tensorUnwritten)
    #expect(problem { $0.output = 0 } == .tensorRewritten)
  }

  @Test func arraysOutsideTheWeightsOrMisalignedAreRefused() {
    #expect(problem { $0.arrays[0] = 4096 } == .arrayOutside)
    #expect(problem { $0.arrays[3] = 0x7FFF_FFF0 } == .arrayOutside)
    #expect(problem { $0.arrays[1] += 4 } == .arrayMisaligned)
  }

  @Test func weightsAndFactorsOutOfRangeAreRefused() {
    #expect(problem(weight: -128) == .weightOutOfRange)
    #expect(problem(multiplier: 1 << 30 - 1) == .multiplierOutOfRange)
    #expect(problem(multiplier: -1) == .multiplierOutOfRange)
    #expect(problem(shift: 31) == .shiftOutOfRange)
    #expect(problem(bias: 1 << 30) == .accumulatorOverflow)
    #expect(problem(bias: -(1 << 31)) == .accumulatorOverflow)
    #expect(
      problem {
        $0.minimum = 1; $0.maximum = 0
      } == .clampMalformed)
  }

  @Test func tensorsOfNoOrTooLargeSizeAreRefused() {
    #expect(problem(channels: 0) == .sizeOutOfRange)
    #expect(problem(channels: 4097) == .sizeOutOfRange)
    #expect(problem(height: 4096, width: 4096) == .sizeOutOfRange)
    #expect(problem(scale: 0) == .scaleNotPositive)
    #expect(problem(scale: -1) == .scaleNotPositive)
    #expect(problem(scale: .nan) == .scaleNotPositive)
    #expect(problem(scale: .infinity) == .scaleNotPositive)
  }

  /// What a 3x3 convolution over 4x6x2 fails to load with, after one change.
  private func problem(
    height: Int = 4, width: Int = 6, channels: Int = 2, scale: Float = 0.5, outputWidth: Int = 6,
    weight: Int = 3, bias: Int = 100, multiplier: Int = 1 << 30, shift: Int = 4,
    _ change: (inout OperatorRow) -> Void = { _ in }
  ) -> ModelError.Problem? {
    var writer = ModelWriter()
    var row = OperatorRow(kind: 1)
    row.input = writer.tensor(
      height: height, width: width, channels: channels, zeroPoint: 0, scale: scale)
    row.output = writer.tensor(height: 4, width: outputWidth, channels: 1, zeroPoint: 0)
    row.window = [3, 3, 1, 1, 1, 1, 1, 1, 0]
    row.arrays = [
      writer.array(Array(repeating: weight, count: 18), size: 1), writer.array([bias], size: 4),
      writer.array([multiplier], size: 4), writer.array([shift], size: 1),
    ]
    change(&row)
    writer.add(row)
    do {
      try Fixture.load(writer.finish(inputs: [0], outputs: [1]))
      return nil
    } catch {
      return error.problem
    }
  }
}
