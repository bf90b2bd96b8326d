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
  /// networks of sums, upsamplings and heads) with `kernels`.
  public init(_ kernels: Kernels, kind: Int, count: Int, seed: UInt64) {
    for number in 0..<count {
      var random = RandomNumbers(seed: seed &+ UInt64(number) &* 1_000_003 &+ UInt64(kind))
      let model =
        switch kind {
        case 7: RandomModel(chain: &random)
        case 8: RandomModel(network: &random)
        default: RandomModel(kind: kind, &random)
        }
      let expected = KernelCheck.outputs(model, .reference)
      let actual = KernelCheck.outputs(model, kernels)
      if let expected, let actual, expected == actual {
        passed += 1
      } else {
        failed += 1
        if firstFailure < 0 { firstFailure = number }
      }
    }
  }

  /// The outputs' elements; `nil` when the model does not load or a guard was overwritten.
  public static func outputs(_ random: RandomModel, _ kernels: Kernels) -> [Int8]? {
    random.bytes.withUnsafeBytes { bytes in
      guard let model = try? Model(bytes),
        let need = try? Graph.memory(model, "test", kernels)
      else { return nil }
      let constants = Block(need.constants)
      let arena = Block(need.arena)
      defer {
        constants.free()
        arena.free()
      }
      guard
        let outputs = try? run(
          model, kernels, random.inputs, constants: constants.bytes, arena: arena.bytes),
        constants.isIntact && arena.isIntact
      else { return nil }
      return outputs
    }
  }

  private static func run(
    _ model: Model, _ kernels: Kernels, _ inputs: [[Int8]],
    constants: UnsafeMutableRawBufferPointer, arena: UnsafeMutableRawBufferPointer
  ) throws(ModelError) -> [Int8] {
    var graph = try Graph(model, "test", kernels, constants: constants, arena: arena)
    for number in 0..<inputs.count {
      let input = try graph.input(number == 0 ? "a" : "b")
      for place in 0..<input.count { input.base[place] = inputs[number][place] }
    }
    graph.run()
    var elements: [Int8] = []
    for index in 0..<graph.outputCount {
      let output = try graph.output(at: index)
      elements += UnsafeBufferPointer(start: output.base, count: output.count)
    }
    return elements
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
