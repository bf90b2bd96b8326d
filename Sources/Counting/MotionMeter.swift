import Frames

/// Tells a scene in motion from one at rest.
///
/// Steps between neighbouring cells of a frame are compared with those of the frame before, so
/// that a lamp, a passing cloud, a soft shadow or an exposure step is not motion while a hand, a
/// sliding coin or a knocked camera is. How much steps change by noise alone is learned.
public struct MotionMeter: ~Copyable {
  /// Cells side by side that must change for motion; the smallest coin has more at its rim.
  static let movingCells = 5
  /// Least change of a step, in 1/64 octaves, that counts.
  static let leastChange = 8
  /// A step changes by more than this many times the median by chance in one of a million cells.
  static let overMedian = 6
  /// Most noise that is allowed for; in a scene that never rests everything moves.
  static let mostNoise = 6

  /// Frames in a row with more noise after which a little more is allowed for: a shaken table is
  /// still motion.
  static let noisyFrames = 20

  /// This frame's cells and the last one's.
  private(set) var cells = CellGrid()
  private var last = CellGrid()
  /// Where the last frame differed from the one before.
  private(set) var moved = CellMask()
  /// How much each cell's steps changed in the last frame.
  private var changes = InlineArray<4800, UInt8>(repeating: 0)
  private var histogram = InlineArray<64, Int32>(repeating: 0)
  private var noise = 2
  private var noisyFrames = 0
  private var width = 1
  private var height = 1
  private var hasLast = false

  /// Begins without a frame; the first one is always at rest.
  public init() {}

  /// Takes in the next frame and tells whether the scene has moved since the one before.
  public mutating func isMoving(in image: ImageView) -> Bool {
    width = image.width
    height = image.height
    last.copy(cells)
    cells.measure(image)
    moved.removeAll()
    if !hasLast {
      hasLast = true
      return false
    }
    for row in 0..<CellGrid.rows {
      for column in 0..<CellGrid.columns {
        changes[row * CellGrid.columns + column] = UInt8(max(0, min(255, change(row, column))))
      }
    }
    learnNoise()
    let limit = max(MotionMeter.leastChange, MotionMeter.overMedian * noise)
    for row in 0..<CellGrid.rows {
      for column in 0..<CellGrid.columns
      where changes[row * CellGrid.columns + column] > limit {
        moved[row, column] = true
      }
    }
    return moved.clusteredCount() >= MotionMeter.movingCells
  }

  /// Whether anything moved in the last frame on a disc, in pixels, or right beside it.
  public func hasMoved(x: Float, y: Float, radius: Float) -> Bool {
    let across = Float(CellGrid.columns) / Float(width)
    let down = Float(CellGrid.rows) / Float(height)
    return moved.count(
      x: x * across, y: y * down, radiusX: radius * across + 1, radiusY: radius * down + 1) >= 2
  }

  /// How much the steps to the cells on the right and below have changed.
  private func change(_ row: Int, _ column: Int) -> Int {
    let cell = row * CellGrid.columns + column
    var change = 0
    if column + 1 < CellGrid.columns { change = cells.change(cell, cell + 1, from: last) }
    if row + 1 < CellGrid.rows {
      change = max(change, cells.change(cell, cell + CellGrid.columns, from: last))
    }
    return change
  }

  /// Follows the median change: down at once, because the quietest frames show the noise, and up
  /// slowly.
  private mutating func learnNoise() {
    for bin in 0..<64 { histogram[bin] = 0 }
    for cell in 0..<CellGrid.count { histogram[Int(min(63, changes[cell]))] += 1 }
    var seen: Int32 = 0
    var median = 0
    while median < MotionMeter.mostNoise {
      seen += histogram[median]
      if seen * 2 >= Int32(CellGrid.count) { break }
      median += 1
    }
    noisyFrames = median > noise ? noisyFrames + 1 : 0
    if median < noise { noise = median }
    if noisyFrames == MotionMeter.noisyFrames {
      noise += 1
      noisyFrames = 0
    }
  }
}
