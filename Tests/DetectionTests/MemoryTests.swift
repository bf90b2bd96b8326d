import CModel
import Detection
import Engine
import Testing

/// The built-in model's memory, so that no change makes it grow unnoticed.
@Suite struct MemoryTests {
  /// Bytes of the largest network's arena by each instruction set, as `Benchmarks/memory` prints
  /// them; change a figure here only with a reason to.
  private static let arenas: [InstructionSet: Int] = [
    .avx2: 215_104, .avxVNNI: 205_312, .avx512VNNI: 259_584, .neon: 254_144,
    .neonDotProduct: 205_312, .neonMatrix: 205_312,
  ]
  /// Bytes of model and finder together: the budget for both, 2 MiB.
  private static let budget = 2 << 20

  @Test func theArenaDoesNotGrowByMoreThanThreePercentOfWhatIsRecorded() throws {
    let model = try Model(UnsafeRawBufferPointer(start: cmodel_start(), count: cmodel_size))
    for set in Self.arenas.keys {
      guard let kernels = Kernels(set), let recorded = Self.arenas[set] else { continue }
      var arena = 0
      for name in ["detector", "refiner", "classifier"] as [StaticString] {
        let readsRows = name.description == "detector"
        arena = max(arena, try Graph.memory(model, name, kernels, readsRows: readsRows).arena)
      }
      #expect(100 * arena <= 103 * recorded, "\(set.name): \(arena) bytes, recorded \(recorded)")
      #expect(100 * arena >= 97 * recorded, "\(set.name): \(arena) bytes: record the gain")
    }
  }

  @Test func theFinderAndItsModelsTablesStayWithinTheirBudget() throws {
    let model = try Model(UnsafeRawBufferPointer(start: cmodel_start(), count: cmodel_size))
    // The model's own pages are given back once its weights have been packed.
    #expect(try CoinFinder.memory(model, .fastest) <= Self.budget)
  }
}
