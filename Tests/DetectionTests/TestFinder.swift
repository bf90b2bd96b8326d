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

/// A disc of a test picture.
struct Disc {
  var x: Double
  var y: Double
  var radius = 32.0
  var colour: (Double, Double, Double)

  static let red = (1.0, 0.35, 0.35)
  static let green = (0.35, 1.0, 0.35)
  static let blue = (0.3, 0.5, 1.0)
  static let grey = (0.6, 0.6, 0.6)
}

extension TestPicture {
  /// Discs on a dark ground.
  static func discs(
    _ discs: [Disc], width: Int = 640, height: Int = 480, gap: Int = 0
  ) -> TestPicture {
    var values = [UInt8](repeating: 20, count: 3 * width * height)
    for disc in discs {
      let reach = Int(disc.radius) + 1
      for y in max(0, Int(disc.y) - reach)..<min(height, Int(disc.y) + reach + 1) {
        for x in max(0, Int(disc.x) - reach)..<min(width, Int(disc.x) + reach + 1) {
          let right = Double(x) + 0.5 - disc.x
          let down = Double(y) + 0.5 - disc.y
          let height = 1 - (right * right + down * down).squareRoot() / disc.radius
          if height <= 0 { continue }
          let place = 3 * (y * width + x)
          values[place] = UInt8(20 + 235 * height * disc.colour.0)
          values[place + 1] = UInt8(20 + 235 * height * disc.colour.1)
          values[place + 2] = UInt8(20 + 235 * height * disc.colour.2)
        }
      }
    }
    return TestPicture(width: width, height: height, gap: gap) { x, y, channel in
      Int(values[3 * (y * width + x) + channel])
    }
  }
}
