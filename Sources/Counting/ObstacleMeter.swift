import Frames

/// Notices a hand, or anything else, that has come into view and lies still.
///
/// The scene is compared with what it was when it was last clear. Edges that came or went are
/// explained by coins, known or just found, by light that changed, and by a camera that moved;
/// what is left is an obstacle, and it lasts until it goes or has become part of the scene. So is
/// what has too faint an edge for that, where a coin is no longer seen and the ground round it has
/// changed: a coin that is taken away leaves its surroundings as they were.
public struct ObstacleMeter: ~Copyable {
  /// Cells side by side with an edge that nothing explains: a finger's tip has as many.
  static let obstacleCells = 4
  /// Least step between cells that is an edge, in 1/64 octaves: 14 % of brightness.
  static let leastEdge = 12
  /// Least change of a cell's colour that no light explains: red over green and blue over green
  /// together by 10 %.
  static let leastColour = 9
  /// Least change of brightness of a cell near a coin that is no longer seen, in 1/64 octaves: 5 %;
  /// and the hundredths of those cells from which on something faint lies there. Where coins were
  /// taken away at most 41 had changed, by other shadows; where they were covered 49 or more.
  static let leastFaint = 5
  static let faintShare = 45
  /// How long something so faint lies still before it is part of the scene: longer than anybody
  /// leaves a sheet on coins being counted, but a lamp or a wet patch that has changed the ground
  /// where a coin was taken must not keep the total for ever.
  static let faintMilliseconds = 60_000
  /// How far a coin's shadow reaches, in its radii, and how far the coin itself may, where its
  /// circle is a little off.
  static let shadowReach: Float = 1.35
  static let coinReach: Float = 1.1
  /// What part of a disc, in radii, is asked whether it has changed: its rim may be off. And the
  /// hundredths of it that must have: of a coin of nearly its ground's colour 82 had.
  static let arrivedReach: Float = 0.8
  static let arrivedShare = 75
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
  /// The clear scene before the one at hand.
  private var earlier = CellGrid()
  private var earlierEdges = EdgeMap()
  private var earlierExplained = CellMask()
  private var earlierCoins = CellMask()
  private var explained = CellMask()
  /// Where coins lay in `reference`: they may have been taken or carried away since.
  private var referenceExplained = CellMask()
  /// The coins themselves, in this frame and in `reference`.
  private var coins = CellMask()
  private var referenceCoins = CellMask()
  private var unexplained = CellMask()
  private var hasReference = false
  private var hasEarlier = false
  private var wasMoving = true
  /// Whether something has moved since the scene was learned.
  private var isLearningDue = true
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
  /// - Parameter motion: has measured the frame.
  public mutating func begin(_ image: ImageView, _ motion: borrowing MotionMeter) {
    width = image.width
    height = image.height
    explained.removeAll()
    coins.removeAll()
    if isLearningDue && hasReference { findGains(motion.cells) }
  }

  /// Lets a coin at a place explain edges: its own, and those of its shadow.
  public mutating func explain(x: Float, y: Float, radius: Float) {
    let disc = disc(x: x, y: y, radius: ObstacleMeter.shadowReach * radius)
    explained.insertDisc(
      x: disc.x, y: disc.y, radiusX: disc.radiusX + 1, radiusY: disc.radiusY + 1)
    let coin = self.disc(x: x, y: y, radius: ObstacleMeter.coinReach * radius)
    coins.insertDisc(x: coin.x, y: coin.y, radiusX: coin.radiusX, radiusY: coin.radiusY)
  }

  /// Whether what lies on a disc, in pixels, has come since the scene was learned, and not in the
  /// place of a coin; only known in the frames at rest before the scene is learned anew.
  public func hasArrived(
    x: Float, y: Float, radius: Float, _ motion: borrowing MotionMeter
  ) -> Bool {
    if !hasReference || !isLearningDue { return false }
    let disc = disc(x: x, y: y, radius: ObstacleMeter.arrivedReach * radius)
    let box = CellMask.box(x: disc.x, y: disc.y, radiusX: disc.radiusX, radiusY: disc.radiusY)
    var count = 0
    var different = 0
    for row in box.rows {
      for column in box.columns
      where CellMask.isInside(
        row, column, x: disc.x, y: disc.y, radiusX: disc.radiusX, radiusY: disc.radiusY)
      {
        count += 1
        let isCoin = referenceCoins[row, column]
        let change = change(row * CellGrid.columns + column, motion.cells)
        if change > ObstacleMeter.leastFaint && !isCoin { different += 1 }
      }
    }
    return different * 100 > ObstacleMeter.arrivedShare * count
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
      isLearningDue = true
      return
    }
    edges.measure(motion.cells)
    if !hasReference {
      learn(motion.cells, milliseconds: milliseconds)
      return
    }
    var count = compare(motion.cells)
    if count >= ObstacleMeter.obstacleCells && isAsEarlier(motion.cells) { count = 0 }
    var isMissed = false
    var isHiding = false
    for index in 0..<tracks.count where tracks[index].isConfirmed && tracks[index].misses > 0 {
      isMissed = true
      let isSeen = count >= ObstacleMeter.obstacleCells
      if hides(tracks[index], among: tracks, isSeen: isSeen, motion.cells) { isHiding = true }
    }
    // A camera that has moved does not make coins vanish.
    if count >= ObstacleMeter.obstacleCells && wasMoving && !isHiding {
      count = followCamera(count, motion.cells, milliseconds: milliseconds)
    }
    if count >= ObstacleMeter.obstacleCells || isHiding {
      wait(motion.cells, isHiding: isHiding, milliseconds: milliseconds)
    } else {
      isObstructed = false
      // Which coins are missed is known a frame later; and what a coin that is missed lay in is
      // kept until it has been given up.
      let isDue = isLearningDue || milliseconds - learned >= ObstacleMeter.learningMilliseconds
      if isDue && !wasMoving && !isMissed { learn(motion.cells, milliseconds: milliseconds) }
    }
    wasMoving = false
  }

  /// Takes the frame at hand for the clear scene.
  private mutating func learn(_ cells: borrowing CellGrid, milliseconds: Int) {
    if isLearningDue && hasReference {
      hasEarlier = true
      earlier.copy(reference)
      earlierEdges = referenceEdges
      earlierExplained = referenceExplained
      earlierCoins = referenceCoins
    }
    reference.copy(cells)
    referenceEdges = edges
    referenceExplained = explained
    referenceCoins = coins
    hasReference = true
    isObstructed = false
    isLearningDue = false
    learned = milliseconds
  }

  /// Whether the scene is what it was before something moved the last time: then what was in the
  /// way, and was not noticed, has gone. The earlier scene is the reference again then.
  private mutating func isAsEarlier(_ cells: borrowing CellGrid) -> Bool {
    if !hasEarlier { return false }
    swapScenes()
    if compare(cells) < ObstacleMeter.obstacleCells { return true }
    swapScenes()
    _ = compare(cells)
    return false
  }

  private mutating func swapScenes() {
    swap(&reference, &earlier)
    swap(&referenceEdges, &earlierEdges)
    swap(&referenceExplained, &earlierExplained)
    swap(&referenceCoins, &earlierCoins)
  }

  /// Waits for an obstacle to go, or to have lain long enough.
  private mutating func wait(
    _ cells: borrowing CellGrid, isHiding: Bool, milliseconds: Int
  ) {
    if !isObstructed || edges.differences(from: resting) >= ObstacleMeter.obstacleCells {
      resting = edges
      since = milliseconds
    }
    isObstructed = true
    // A coin under it is neither there nor gone, however long that lasts, unless everything has
    // changed: then it is another tray.
    let isEverything = unexplained.clusteredCount() * 3 > CellGrid.count
    if isHiding && !isEverything {
      let isFaint = unexplained.clusteredCount() < ObstacleMeter.obstacleCells
      if isFaint && milliseconds - since >= ObstacleMeter.faintMilliseconds {
        learn(cells, milliseconds: milliseconds)
      }
      return
    }
    let reaches = unexplained.edgeCount() >= 2
    let patience =
      reaches && !isEverything
      ? ObstacleMeter.reachingMilliseconds : ObstacleMeter.settlingMilliseconds
    if milliseconds - since >= patience { learn(cells, milliseconds: milliseconds) }
  }

  /// Finds edges that came or went and that nothing but the light explains; returns how many there
  /// are side by side.
  private mutating func compare(_ cells: borrowing CellGrid) -> Int {
    findGains(cells)
    return compare(shiftX: 0, shiftY: 0, cells)
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

  /// Whether something lies over a coin: whether the ring round it looks different, as far as no
  /// other coin lies there and none lay there, such as this one before it was pushed.
  /// - Parameter isSeen: whether anything is known to be in the way.
  private func hides(
    _ track: Track, among tracks: Span<Track>, isSeen: Bool, _ cells: borrowing CellGrid
  ) -> Bool {
    let place = disc(x: track.x, y: track.y, radius: 0.5 * track.diameter)
    let (outerX, outerY) = (1.5 * place.radiusX + 1, 1.5 * place.radiusY + 1)
    let box = CellMask.box(x: place.x, y: place.y, radiusX: outerX, radiusY: outerY)
    var ring = CellMask()
    ring.insertDisc(x: place.x, y: place.y, radiusX: outerX, radiusY: outerY)
    ring.removeDisc(
      x: place.x, y: place.y, radiusX: 1.05 * place.radiusX, radiusY: 1.05 * place.radiusY)
    for index in 0..<tracks.count where tracks[index].misses == 0 {
      let other = tracks[index]
      let shadow = disc(
        x: other.x, y: other.y, radius: 0.5 * ObstacleMeter.shadowReach * other.diameter)
      ring.removeDisc(
        x: shadow.x, y: shadow.y, radiusX: shadow.radiusX + 1, radiusY: shadow.radiusY + 1)
    }
    var count = 0
    var different = 0
    var faint = 0
    for row in box.rows {
      for column in box.columns where ring[row, column] && !referenceCoins[row, column] {
        count += 1
        let change = change(row * CellGrid.columns + column, cells)
        if change > ObstacleMeter.leastEdge { different += 1 }
        if change > ObstacleMeter.leastFaint { faint += 1 }
      }
    }
    return isSeen && different * 4 > count || faint * 100 > ObstacleMeter.faintShare * count
  }

  /// A disc of the picture in cells.
  private func disc(
    x: Float, y: Float, radius: Float
  ) -> (x: Float, y: Float, radiusX: Float, radiusY: Float) {
    let across = Float(CellGrid.columns) / Float(width)
    let down = Float(CellGrid.rows) / Float(height)
    return (x * across, y * down, radius * across, radius * down)
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

  /// By how much a cell differs from the clear scene's, in the channel that differs most, apart
  /// from what has changed for the median cell.
  private func change(_ cell: Int, _ cells: borrowing CellGrid) -> Int {
    var most = 0
    for channel in 0..<3 {
      let change =
        Int(cells.levels[3 * cell + channel]) - Int(reference.levels[3 * cell + channel])
        - gains[channel]
      most = max(most, max(change, -change))
    }
    return most
  }
}
