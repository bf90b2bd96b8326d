import Detection
import Engine
import Frames
import TestSupport

/// A finder with its memory and model, and guards around the memory.
final class TestFinder {
  private static let guardBytes = 256
  private static let guardValue: UInt8 = 0xA5
  private let bytes: UnsafeMutableRawBufferPointer
  private let memory: UnsafeMutableRawBufferPointer
  var finder: CoinFinder

  init(_ model: TestModel = DiscModel.model, kernels: Kernels = .fastest) throws {
    let file = model.bytes()
    bytes = .allocate(byteCount: file.count, alignment: 64)
    bytes.copyBytes(from: file)
    let checked = try Model(UnsafeRawBufferPointer(bytes))
    let size = try CoinFinder.memory(checked, kernels)
    memory = .allocate(byteCount: size + 2 * Self.guardBytes, alignment: 64)
    for index in memory.indices { memory[index] = Self.guardValue }
    finder = try CoinFinder(
      checked, kernels,
      memory: UnsafeMutableRawBufferPointer(
        rebasing: memory[Self.guardBytes..<(Self.guardBytes + size)]))
  }

  deinit {
    bytes.deallocate()
    memory.deallocate()
  }

  /// Whether nothing was written outside the memory asked for.
  var isIntact: Bool {
    (0..<Self.guardBytes).allSatisfy {
      memory[$0] == Self.guardValue && memory[memory.count - 1 - $0] == Self.guardValue
    }
  }

  func find(_ picture: TestPicture, _ effort: Effort = .live) -> (coins: [Detection], FindReport) {
    var list = DetectionList(filler: .none)
    let report = finder.find(in: picture.view, effort: effort, into: &list)
    return ((0..<list.count).map { list[$0] }, report)
  }
}

extension TestPicture {
  /// Discs on a dark ground.
  static func discs(
    _ discs: [Disc], width: Int = 640, height: Int = 480, gap: Int = 0
  ) -> TestPicture {
    let samples = DiscPicture.samples(discs, width: width, height: height)
    return TestPicture(width: width, height: height, gap: gap) { x, y, channel in
      Int(samples[3 * (y * width + x) + channel])
    }
  }
}
