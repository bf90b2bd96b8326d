import Frames

/// Tells a scene in motion from one at rest.
///
/// Each frame is reduced to 40 × 30 cells of mean brightness and compared with the frame before,
/// after taking out the median change of brightness, so that a lamp, a passing cloud or an
/// exposure step is not motion while a hand, a sliding coin or a knocked camera is.
public struct MotionMeter: ~Copyable {
  static let columns = 40
  static let rows = 30
  /// Cells that must change for motion: 1 % of the picture, less than the smallest coin.
  static let movingCells = 12
  /// Change of brightness that counts, in sixteenths of a level of 255.
  static let threshold = 7 * 16

  /// Mean brightness of each cell in sixteenths of a level, this frame's and the last one's.
  private var current = InlineArray<1200, Int32>(repeating: 0)
  private var last = InlineArray<1200, Int32>(repeating: 0)
  /// Counts of brightness ratios in steps of 1/128.
  private var ratios = InlineArray<512, Int32>(repeating: 0)
  private var hasLast = false

  /// Begins without a frame; the first one is always at rest.
  public init() {}

  /// Takes in the next frame and tells whether the scene has moved since the one before.
  public mutating func isMoving(in image: ImageView) -> Bool {
    measure(image)
    let gain = hasLast ? medianRatio() : 128
    var changed = 0
    for cell in 0..<MotionMeter.columns * MotionMeter.rows {
      let difference = Int(current[cell] - last[cell] * gain / 128)
      // Bright cells vary more with the same relative noise.
      let allowed = MotionMeter.threshold + Int(current[cell]) / 32
      if max(difference, -difference) > allowed { changed += 1 }
      last[cell] = current[cell]
    }
    let isFirst = !hasLast
    hasLast = true
    return !isFirst && changed >= MotionMeter.movingCells
  }

  /// Fills `current`: about 64 samples a cell, whatever the picture's size.
  private mutating func measure(_ image: ImageView) {
    let stepX = max(1, image.width / (MotionMeter.columns * 8))
    let stepY = max(1, image.height / (MotionMeter.rows * 8))
    for row in 0..<MotionMeter.rows {
      let top = image.height * row / MotionMeter.rows
      let bottom = max(top + 1, image.height * (row + 1) / MotionMeter.rows)
      for column in 0..<MotionMeter.columns {
        let left = image.width * column / MotionMeter.columns
        let right = max(left + 1, image.width * (column + 1) / MotionMeter.columns)
        var sum: Int32 = 0
        var count: Int32 = 0
        for y in stride(from: top, to: min(bottom, image.height), by: stepY) {
          var pixel = image.base + y * image.stride + left * 3
          for _ in stride(from: left, to: min(right, image.width), by: stepX) {
            sum += Int32(pixel[0]) + 2 * Int32(pixel[1]) + Int32(pixel[2])
            count += 1
            pixel += 3 * stepX
          }
        }
        current[row * MotionMeter.columns + column] = sum * 4 / max(count, 1)
      }
    }
  }

  /// Median over the cells of this frame's brightness over the last one's, in 1/128.
  private mutating func medianRatio() -> Int32 {
    for bin in 0..<512 { ratios[bin] = 0 }
    let cells = MotionMeter.columns * MotionMeter.rows
    for cell in 0..<cells {
      // Half a level is added to both so that black stays comparable.
      let ratio = (current[cell] + 8) * 128 / (last[cell] + 8)
      ratios[Int(min(ratio, 511))] += 1
    }
    var seen: Int32 = 0
    for bin in 0..<512 {
      seen += ratios[bin]
      if seen * 2 >= Int32(cells) { return Int32(bin) }
    }
    return 128
  }
}
