import Foundation

@testable import Engine

/// The small model that `toolchain/training/engine_fixture.py` wrote, and what it must compute.
enum Fixture {
  static let model = bytes("small.model")
  static let expected = bytes("small.expected").map { Int8(bitPattern: $0) }

  /// Loads the model from a copy of `bytes` on the heap that is no longer than they are, so that a
  /// sanitizer or valgrind sees a read outside.
  static func load(_ bytes: [UInt8]) throws(ModelError) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    defer { copy.deallocate() }
    _ = try Model(UnsafeRawBufferPointer(copy))
  }

  /// Makes a graph of a model file, this one where none is given, in fresh memory and lends it to
  /// `body`.
  static func withGraph<Result>(
    _ name: StaticString, of file: [UInt8] = model, _ kernels: Kernels,
    _ body: (inout Graph) throws -> Result
  ) throws -> Result {
    try file.withUnsafeBytes { bytes in
      let model = try Model(bytes)
      let need = try Graph.memory(model, name, kernels)
      let constants = UnsafeMutableRawBufferPointer.allocate(
        byteCount: need.constants, alignment: 64)
      let arena = UnsafeMutableRawBufferPointer.allocate(byteCount: need.arena, alignment: 64)
      defer {
        constants.deallocate()
        arena.deallocate()
      }
      var graph = try Graph(model, name, kernels, constants: constants, arena: arena)
      return try body(&graph)
    }
  }

  private static func bytes(_ name: String) -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    guard let data = try? Data(contentsOf: folder.appending(path: "Fixtures/\(name)")) else {
      preconditionFailure("Fixtures/\(name) is missing: run toolchain/training/engine_fixture.py")
    }
    return [UInt8](data)
  }
}

/// Every instruction set of the processor the tests run on.
let availableKernels: [Kernels] = [
  .reference, .avx2, .avxVNNI, .avx512VNNI, .neon, .neonDotProduct,
].compactMap { (set: InstructionSet) in Kernels(set) }
