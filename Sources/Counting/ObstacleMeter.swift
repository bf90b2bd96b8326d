import Frames

/// Notices a hand, or anything else, that has come into view and lies still.
///
/// The scene is compared with what it was when it was last clear. Edges that came or went are
/// explained by coins, known or just found, by light that changed, and by a camera that moved;
/// what is left is an obstacle, and it lasts until it goes or has become part of the scene.
public struct ObstacleMeter: ~Copyable {
  /// Cells side by side with an edge that nothing explains: a finger's tip has as many.
  static let obstacleCells = 4
  /// Least step between cells that is an edge, in 1/64 octaves: 14 % of brightness.
  static let leastEdge = 12
  /// Least change of a cell's colour that no light explains: red over green and blue over green
  /// together by 10 %.
  static let leastColour = 9
  /// The level, as `CellGrid` has it, above which a camera's colours are no longer true: of 235.
  static let brightest = 516
  /// How far a camera may have been moved, in cells.
  static let mostShift = 4
  /// How long something that hides no coin lies still before it is part of the scene.
  static let settlingMilliseconds = 3000
  /// The same for what reaches in from the picture's edge, as an arm does.
  static let reachingMilliseconds = 10_000
  /// Milliseconds between times at which the scene is learned anew while it is clear, so that
  /// something that creeps in is not.
  static let learningMilliseconds = 1000

  private var reference = CellGrid()
  /// Edges of `reference` and of the frame at hand, and the largest within a cell of each.
  private var referenceEdges = EdgeMap()
  private var edges = EdgeMap()
  /// Edges of the frame in which the obstacle came to rest.
  private var resting = EdgeMap()
  private var explained = CellMask()
  /// Where coins lay in `reference`: they may have been taken or carried away since.
  private var referenceExplained = CellMask()
  private var unexplained = CellMask()
  private var hasReference = false
  private var wasMoving = true
  private var since = 0
  private var learned = 0
  private var gains: InlineArray<3, Int> = [0, 0, 0]
  private var width = 1
  private var height = 1

  /// Whether something is in the way.
  public private(set) var isObstructed = false

  /// Begins without a scene; the first frame at rest is taken to be clear.
  public init() {}

  /// Begins a frame; nothing is explained yet.
  public mutating func begin(_ image: ImageView) {
    width = image.width
    height = image.height
    explained.removeAll()
  }

  /// Lets a coin at a place explain edges: its own, and those of its shadow.
  public mutating func explain(x: Float, y: Float, radius: Float) {
    let across = Float(CellGrid.columns) / Float(width)
    let down = Float(CellGrid.rows) / Float(height)
    explained.insertDisc(
      x: x * across, y: y * down, radiusX: 1.35 * radius * across + 1,
      radiusY: 1.35 * radius * down + 1)
  }

  /// Judges a frame once everything that explains edges is known.
  /// - Parameters:
  ///   - motion: has measured the frame.
  ///   - isMoving: whether the scene is in motion; then what was in the way stays so.
  ///   - tracks: the coins followed; those just missed may be hidden.
  ///   - milliseconds: the frame's time.
  public mutating func judge(
    _ motion: borrowing MotionMeter, isMoving: Bool, tracks: Span<Track>, milliseconds: Int
  ) {
    if isMoving {
      wasMoving = true
      return
    }
    edges.measure(motion.cells)
    if !hasReference {
      learn(motion.cells, milliseconds: milliseconds)
      return
    }
    findGains(motion.cells)
    var count = compare(shiftX: 0, shiftY: 0, motion.cells)
    if count >= ObstacleMeter.obstacleCells && wasMoving {
      count = followCamera(count, motion.cells, milliseconds: milliseconds)
    }
    if count < ObstacleMeter.obstacleCells {
      isObstructed = false
      let isDue = milliseconds - learned >= ObstacleMeter.learningMilliseconds || wasMoving
      if isDue { learn(motion.cells, milliseconds: milliseconds) }
    } else {
      wait(motion.cells, tracks: tracks, milliseconds: milliseconds)
    }
    wasMoving = false
  }

  /// Takes the frame at hand for the clear scene.
  private mutating func learn(_ cells: borrowing CellGrid, milliseconds: Int) {
    reference.copy(cells)
    referenceEdges = edges
    referenceExplained = explained
    hasReference = true
    isObstructed = false
    learned = milliseconds
  }

  /// Waits for an obstacle to go, or to have lain long enough.
  private mutating func wait(
    _ cells: borrowing CellGrid, tracks: Span<Track>, milliseconds: Int
  ) {
    if !isObstructed || edges.differences(from: resting) >= ObstacleMeter.obstacleCells {
      resting = edges
      since = milliseconds
    }
    isObstructed = true
    // A coin under it is neither there nor gone, however long that lasts, unless everything has
    // changed: then it is another tray.
    let isEverything = unexplained.clusteredCount() * 3 > CellGrid.count
    if !isEverything {
      for index in 0..<tracks.count where tracks[index].isConfirmed && tracks[index].misses > 0 {
        if hides(tracks[index], cells) { return }
      }
    }
    let reaches = unexplained.edgeCount() >= 2
    let patience =
      reaches && !isEverything
      ? ObstacleMeter.reachingMilliseconds : ObstacleMeter.settlingMilliseconds
    if milliseconds - since >= patience { learn(cells, milliseconds: milliseconds) }
  }

  /// Finds edges that came or went and that nothing explains, where the scene has moved by a
  /// number of cells; returns how many there are side by side.
  private mutating func compare(
    shiftX: Int, shiftY: Int, _ cells: borrowing CellGrid
  ) -> Int {
    unexplained.removeAll()
    for row in max(0, shiftY)..<min(CellGrid.rows, CellGrid.rows + shiftY) {
      for column in max(0, shiftX)..<min(CellGrid.columns, CellGrid.columns + shiftX)
      where !explained[row, column] && !referenceExplained[row - shiftY, column - shiftX] {
        let now = row * CellGrid.columns + column
        let then = (row - shiftY) * CellGrid.columns + column - shiftX
        let came =
          2 * edges[now] > 2 * ObstacleMeter.leastEdge + 3 * referenceEdges.largest(then)
        let went =
          2 * referenceEdges[then] > 2 * ObstacleMeter.leastEdge + 3 * edges.largest(now)
        if came || went || hasOtherColour(now, then, cells) { unexplained[row, column] = true }
      }
    }
    return unexplained.clusteredCount()
  }

  /// Looks for a movement of the camera that explains nearly everything; returns how many edges
  /// are left.
  private mutating func followCamera(
    _ count: Int, _ cells: borrowing CellGrid, milliseconds: Int
  ) -> Int {
    var least = count
    let most = ObstacleMeter.mostShift
    for shiftY in -most...most {
      for shiftX in -most...most where shiftX != 0 || shiftY != 0 {
        least = min(least, compare(shiftX: shiftX, shiftY: shiftY, cells))
      }
    }
    if least <= 2 * ObstacleMeter.obstacleCells && least * 4 <= count {
      learn(cells, milliseconds: milliseconds)
      return 0
    }
    return compare(shiftX: 0, shiftY: 0, cells)
  }

  /// Finds by how much each channel has become lighter or darker for the median cell.
  private mutating func findGains(_ cells: borrowing CellGrid) {
    for channel in 0..<3 {
      var histogram = InlineArray<1024, Int16>(repeating: 0)
      for cell in 0..<CellGrid.count {
        let change = cells.levels[3 * cell + channel] - reference.levels[3 * cell + channel]
        histogram[Int(change) + 512] += 1
      }
      var seen = 0
      var bin = 0
      while bin < 1023 {
        seen += Int(histogram[bin])
        if 2 * seen >= CellGrid.count { break }
        bin += 1
      }
      gains[channel] = bin - 512
    }
  }

  /// Whether an obstacle lies over a coin: whether most of the ring round it looks different.
  private func hides(_ track: Track, _ cells: borrowing CellGrid) -> Bool {
    let across = Float(CellGrid.columns) / Float(width)
    let down = Float(CellGrid.rows) / Float(height)
    let x = track.x * across
    let y = track.y * down
    let radiusX = 0.5 * track.diameter * across
    let radiusY = 0.5 * track.diameter * down
    let (outerX, outerY) = (1.5 * radiusX + 1, 1.5 * radiusY + 1)
    let box = CellMask.box(x: x, y: y, radiusX: outerX, radiusY: outerY)
    var count = 0
    var different = 0
    for row in box.rows {
      for column in box.columns
      where CellMask.isInside(row, column, x: x, y: y, radiusX: outerX, radiusY: outerY)
        && !CellMask.isInside(
          row, column, x: x, y: y, radiusX: 1.05 * radiusX, radiusY: 1.05 * radiusY)
      {
        count += 1
        if isDifferent(row * CellGrid.columns + column, cells) { different += 1 }
      }
    }
    return different * 4 > count
  }

  /// Whether a cell has another colour than one of the clear scene, apart from what has changed
  /// for the median cell.
  private func hasOtherColour(_ now: Int, _ then: Int, _ cells: borrowing CellGrid) -> Bool {
    var changes: InlineArray<3, Int> = [0, 0, 0]
    for channel in 0..<3 {
      let level = Int(cells.levels[3 * now + channel])
      let before = Int(reference.levels[3 * then + channel])
      if max(level, before) > ObstacleMeter.brightest { return false }
      changes[channel] = level - before - gains[channel]
    }
    let red = changes[0] - changes[1]
    let blue = changes[2] - changes[1]
    return max(red, -red) + max(blue, -blue) > ObstacleMeter.leastColour
  }

  private func isDifferent(_ cell: Int, _ cells: borrowing CellGrid) -> Bool {
    for channel in 0..<3 {
      let change =
        Int(cells.levels[3 * cell + channel]) - Int(reference.levels[3 * cell + channel])
        - gains[channel]
      if max(change, -change) > ObstacleMeter.leastEdge { return true }
    }
    return false
  }
}
