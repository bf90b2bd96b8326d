import Frames

/// A picture in memory of its own, rows apart by more than their pixels, the gaps filled with a
/// value that must never show up.
package final class TestPicture {
  package let width: Int
  package let height: Int
  private let stride: Int
  private let memory: UnsafeMutablePointer<UInt8>

  /// Fills a picture with `colour(x, y, channel)`, of which the lowest eight bits are taken.
  package init(width: Int, height: Int, gap: Int = 0, colour: (Int, Int, Int) -> Int) {
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

  deinit { memory.deallocate() }

  package var view: ImageView {
    ImageView(base: memory, width: width, height: height, stride: stride)
  }

  /// A channel of the pixel, or of the nearest one inside.
  package func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
    let column = max(0, min(width - 1, x))
    let row = max(0, min(height - 1, y))
    return Double(memory[row * stride + 3 * column + channel])
  }
}
