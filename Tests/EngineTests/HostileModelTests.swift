import EngineChecks
import Testing

@testable import Engine

/// Files whose checksum is right and whose content is not: the loader must refuse them, or load
/// something that runs within its memory.
@Suite struct HostileModelTests {
  @Test func noChangeOfAnyByteOfASmallModelMakesTheEngineLeaveItsMemory() {
    let model = smallModel()
    #expect(attempt(model))
    var loaded = 0
    var refused = 0
    for place in 0..<model.count where !(16..<20).contains(place) {
      for mask: UInt8 in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] {
        var bytes = model
        bytes[place] ^= mask
        ModelWriter.seal(&bytes)
        if attempt(bytes) { loaded += 1 } else { refused += 1 }
      }
    }
    #expect(loaded > 200 && refused > 1000)
  }

  @Test func noChangeOfAByteOfTheTablesMakesTheEngineLeaveItsMemory() throws {
    var random = RandomNumbers(seed: 5)
    var loaded = 0
    var refused = 0
    for kind in 1...6 {
      let model = RandomModel(kind: kind, &random)
      // Header and tables, and a part of the weights.
      for place in 20..<min(model.bytes.count, 900) {
        for value: UInt8 in [0x00, 0x01, 0x7F, 0x80, 0xFF, model.bytes[place] ^ 0x04] {
          guard value != model.bytes[place] else { continue }
          var bytes = model.bytes
          bytes[place] = value
          ModelWriter.seal(&bytes)
          if attempt(bytes) { loaded += 1 } else { refused += 1 }
        }
      }
    }
    #expect(loaded > 100 && refused > 1000)
  }

  @Test func noNumberOfTheDirectoryOrTablesOverflows() {
    var random = RandomNumbers(seed: 6)
    var refused = 0
    for _ in 0..<4000 {
      let model = RandomModel(kind: random.int(1...6), &random)
      var bytes = model.bytes
      for _ in 0..<random.int(1...3) {
        let place = random.int(5...min(bytes.count - 4, 700) / 4) * 4
        let number = random.pick([
          0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 0xFFFF_FFC0, 0x1_0000, bytes.count, 0x40,
        ])
        ModelWriter.put(&bytes, place, number)
      }
      ModelWriter.seal(&bytes)
      if !attempt(bytes) { refused += 1 }
    }
    #expect(refused > 3000 && refused < 4000)
  }

  @Test func aTruncatedFileWithARightChecksumIsRefused() {
    for length in 80..<Fixture.model.count - 64 where length % 61 == 0 {
      var bytes = Array(Fixture.model.prefix(length))
      ModelWriter.put(&bytes, 12, length)
      ModelWriter.seal(&bytes)
      #expect(throws: ModelError.self) { try Fixture.load(bytes) }
    }
  }

  /// A 3x3 convolution over 4x6x2, padded by one all around.
  private func smallModel() -> [UInt8] {
    var writer = ModelWriter()
    var row = OperatorRow(kind: 1)
    row.input = writer.tensor(height: 4, width: 6, channels: 2, zeroPoint: 3)
    row.output = writer.tensor(height: 4, width: 6, channels: 3, zeroPoint: -5)
    row.window = [3, 3, 1, 1, 1, 1, 1, 1, 0]
    row.arrays = [
      writer.array(Array(-27..<27), size: 1), writer.array([100, 200, -300], size: 4),
      writer.array([1 << 30, 1 << 30 + 7, 1 << 31 - 1], size: 4), writer.array([4, 5, 6], size: 1),
    ]
    writer.add(row)
    return writer.finish(inputs: [0], outputs: [1])
  }

  /// Loads the file and, when that succeeds, runs its graph with the fastest kernels in exactly
  /// the memory asked for. Returns whether it loaded.
  private func attempt(_ bytes: [UInt8]) -> Bool {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    defer { copy.deallocate() }
    guard let model = try? Model(UnsafeRawBufferPointer(copy)) else { return false }
    guard let need = try? Graph.memory(model, "test", .fastest) else { return true }
    guard need.arena < 64 << 20 && need.constants < 64 << 20 else { return true }
    let constants = UnsafeMutableRawBufferPointer.allocate(byteCount: need.constants, alignment: 64)
    let arena = UnsafeMutableRawBufferPointer.allocate(byteCount: need.arena, alignment: 64)
    defer {
      constants.deallocate()
      arena.deallocate()
    }
    if var graph = try? Graph(model, "test", .fastest, constants: constants, arena: arena) {
      graph.run()
    }
    return true
  }
}
