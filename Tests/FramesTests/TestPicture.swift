import Frames

/// A picture in memory of its own, rows apart by more than their pixels, the gaps filled with a
/// value that must never show up.
final class TestPicture {
  let width: Int
  let height: Int
  private let stride: Int
  private let memory: UnsafeMutablePointer<UInt8>

  init(width: Int, height: Int, gap: Int = 0, colour: (Int, Int, Int) -> Int) {
    self.width = width
    self.height = height
    stride = 3 * width + gap
    memory = .allocate(capacity: stride * height)
    memory.initialize(repeating: 251, count: stride * height)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          memory[y * stride + 3 * x + channel] = UInt8(
            truncatingIfNeeded: colour(x, y, channel))
        }
      }
    }
  }

  /// The picture of `frames_reference.py`.
  static func reference(width: Int, height: Int, gap: Int = 0) -> TestPicture {
    TestPicture(width: width, height: height, gap: gap) { x, y, channel in
      x * 3 + y * 5 + channel * 40 + x * y / 7
    }
  }

  deinit { memory.deallocate() }

  var view: ImageView {
    ImageView(base: memory, width: width, height: height, stride: stride)
  }

  /// A channel of the pixel, or of the nearest one inside.
  func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
    let column = max(0, min(width - 1, x))
    let row = max(0, min(height - 1, y))
    return Double(memory[row * stride + 3 * column + channel])
  }

  func letterboxed(_ box: Letterbox) -> [UInt8] {
    var output = [Int8](repeating: 77, count: 3 * box.width * box.height)
    var span = output.mutableSpan
    view.draw(box, into: &span)
    return output.map { UInt8(bitPattern: $0) ^ 0x80 }
  }

  func patch(x: Float, y: Float, diameter: Float) -> [UInt8] {
    var output = [UInt8](repeating: 77, count: SquarePatch.byteCount)
    var span = output.mutableSpan
    view.takePatch(x: x, y: y, diameter: diameter, into: &span)
    return output
  }
}

/// Small random numbers, the same in every run.
struct TestRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
