import Engine

/// Compares an instruction set's kernels with the reference over random models.
public struct KernelCheck {
  /// Cases whose output was the same to the bit, with nothing written outside the blocks.
  public private(set) var passed = 0
  /// Cases that differed, or that did not load.
  public private(set) var failed = 0
  /// Number of the first failed case, -1 for none: the seed and the number repeat it.
  public private(set) var firstFailure = -1

  /// Bytes watched before and after each block.
  private static let guardBytes = 256
  private static let guardValue: UInt8 = 0xA5

  /// Runs `count` cases of operator `kind` (1 to 6; 7 for two convolutions that pass rows on, 8 for
  /// networks of sums, upsamplings, depthwise convolutions and heads, 9 for depthwise ones that pass
  /// rows on, 10 for convolutions in tiles) with `kernels`, each with the input whole and, where there
  /// is but one, made by rows.
  public init(_ kernels: Kernels, kind: Int, count: Int, seed: UInt64) {
    for number in 0..<count {
      var random = RandomNumbers(seed: seed &+ UInt64(number) &* 1_000_003 &+ UInt64(kind))
      let model =
        switch kind {
        case 7: RandomModel(chain: &random)
        case 8: RandomModel(network: &random)
        case 9: RandomModel(separable: &random)
        case 10: RandomModel(winograd: &random)
        default: RandomModel(kind: kind, &random)
        }
      let expected = KernelCheck.outputs(model, .reference)
      let actual = KernelCheck.outputs(model, kernels)
      let byRows =
        model.inputs.count == 1 ? KernelCheck.outputs(model, kernels, readsRows: true) : expected
      if let expected, let actual, expected == actual, expected == byRows {
        passed += 1
      } else {
        failed += 1
        if firstFailure < 0 { firstFailure = number }
      }
    }
  }

  /// The outputs' elements; `nil` when the model does not load, a guard was overwritten, or rows
  /// were asked for in another order than downwards.
  public static func outputs(
    _ random: RandomModel, _ kernels: Kernels, readsRows: Bool = false
  ) -> [Int8]? {
    random.bytes.withUnsafeBytes { bytes in
      guard let model = try? Model(bytes),
        let need = try? Graph.memory(model, "test", kernels, readsRows: readsRows)
      else { return nil }
      let constants = Block(need.constants)
      let arena = Block(need.arena)
      defer {
        constants.free()
        arena.free()
      }
      guard
        let outputs = try? run(
          model, kernels, random.inputs, readsRows: readsRows, constants: constants.bytes,
          arena: arena.bytes),
        constants.isIntact && arena.isIntact
      else { return nil }
      return outputs
    }
  }

  private static func run(
    _ model: Model, _ kernels: Kernels, _ inputs: [[Int8]], readsRows: Bool,
    constants: UnsafeMutableRawBufferPointer, arena: UnsafeMutableRawBufferPointer
  ) throws(ModelError) -> [Int8]? {
    var graph = try Graph(
      model, "test", kernels, readsRows: readsRows, constants: constants, arena: arena)
    if readsRows {
      var reader = RowReader(inputs[0], try graph.input("a"))
      withUnsafeMutablePointer(to: &reader) {
        graph.run(reading: RowSource(context: $0, write: RowReader.write))
      }
      if !reader.isInOrder { return nil }
    } else {
      for number in 0..<inputs.count {
        let input = try graph.input(number == 0 ? "a" : "b")
        for place in 0..<input.count { input.base[place] = inputs[number][place] }
      }
      graph.run()
    }
    var elements: [Int8] = []
    for index in 0..<graph.outputCount {
      let output = try graph.output(at: index)
      elements += UnsafeBufferPointer(start: output.base, count: output.count)
    }
    return elements
  }

  /// Hands out the rows of an input.
  private struct RowReader {
    private let elements: [Int8]
    private let width: Int
    private let channels: Int
    private var next = 0
    private(set) var isInOrder = true

    init(_ elements: [Int8], _ input: InputTensor) {
      self.elements = elements
      width = input.width
      channels = input.channels
    }

    static let write: RowSource.Write = { context, y, output, pixelBytes, sign in
      guard let reader = context?.assumingMemoryBound(to: RowReader.self), let output else {
        return
      }
      reader.pointee.write(y, into: output, pixelBytes, sign)
    }

    private mutating func write(
      _ y: Int, into output: UnsafeMutablePointer<Int8>, _ pixelBytes: Int, _ sign: UInt8
    ) {
      isInOrder = isInOrder && y >= next
      next = y + 1
      for x in 0..<width {
        for channel in 0..<pixelBytes {
          // What a fourth is does not matter.
          let element = channel < channels ? elements[(y * width + x) * channels + channel] : 85
          output[x * pixelBytes + channel] = element ^ Int8(bitPattern: sign)
        }
      }
    }
  }

  /// Memory with guards before and after it, full of a value that zeros would not be mistaken for.
  private struct Block {
    let all: UnsafeMutableRawBufferPointer
    let bytes: UnsafeMutableRawBufferPointer

    init(_ count: Int) {
      all = .allocate(byteCount: count + 2 * guardBytes, alignment: 64)
      for place in 0..<all.count { all[place] = guardValue }
      bytes = UnsafeMutableRawBufferPointer(rebasing: all[guardBytes..<guardBytes + count])
    }

    var isIntact: Bool {
      for place in 0..<guardBytes
      where all[place] != guardValue || all[all.count - 1 - place] != guardValue {
        return false
      }
      return true
    }

    func free() { all.deallocate() }
  }
}
