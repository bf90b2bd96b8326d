import Detection
import Frames

/// Follows coins from frame to frame and gathers what is seen of each.
///
/// In come the detections of one frame; out go at most 64 tracks. Detections are matched with
/// tracks all at once, at the least total cost of distance, size and likeness of value. A coin
/// must be seen several times before it is confirmed and missed several times before it is given
/// up; while the scene is in motion nothing is confirmed or given up, because a hand may cover
/// what still lies there.
public struct Tracker: ~Copyable {
  /// Sights that confirm a coin.
  static let confirmingHits: Int32 = 3
  /// Misses in a row, at rest, that give a confirmed coin up.
  static let losingMisses: Int32 = 5
  /// Misses in a row that give an unconfirmed coin up.
  static let abandoningMisses: Int32 = 2

  /// Coins followed, confirmed or not, in no particular order.
  private var list: FixedList<64, Track>
  private var assignment = Assignment()
  private var displacement = Displacement()
  private var lastID: Int32 = 0
  private var isTaken = InlineArray<64, Bool>(repeating: false)

  /// Whether the last frame showed more coins than can be followed, so that a total would be
  /// too small.
  public private(set) var isCrowded = false

  /// Begins with no coins.
  public init() {
    list = FixedList(
      filler: Track(
        Detection(
          x: 0, y: 0, diameter: 1, value: 0, isWithdrawn: false, confidence: 0,
          posterior: InlineArray(repeating: 1 / 6))))
  }

  /// The coins followed, confirmed or not.
  public var tracks: Span<Track> {
    @_lifetime(borrow self)
    borrowing get { list.span }
  }

  /// Takes in the detections of the next frame.
  /// - Parameters:
  ///   - detections: at most 64.
  ///   - isMoving: whether the scene is in motion, so that coins may be covered.
  public mutating func update(_ detections: Span<Detection>, isMoving: Bool) {
    precondition(detections.count <= Assignment.capacity)
    match(detections, isMoving: isMoving)
    for index in 0..<detections.count { isTaken[index] = false }
    var index = 0
    while index < list.count {
      var track = list[index]
      if let column = assignment.column(of: index) {
        track.see(detections[column])
        isTaken[column] = true
      } else if !(track.isConfirmed && isMoving) {
        track.misses += 1
      }
      if !track.isConfirmed && track.hits >= Tracker.confirmingHits && !isMoving {
        lastID &+= 1
        track.id = lastID
      }
      list[index] = track
      index += 1
    }
    removeLost()
    addNew(detections)
  }

  /// Gives up the coins missed too often.
  private mutating func removeLost() {
    var index = list.count - 1
    while index >= 0 {
      let track = list[index]
      let limit = track.isConfirmed ? Tracker.losingMisses : Tracker.abandoningMisses
      if track.misses >= limit { list.swapRemove(at: index) }
      index -= 1
    }
  }

  /// Begins a track for every detection that belongs to none.
  private mutating func addNew(_ detections: Span<Detection>) {
    isCrowded = false
    for index in 0..<detections.count where !isTaken[index] {
      let detection = detections[index]
      if isSecondSight(detection) { continue }
      if !list.append(Track(detection)) { isCrowded = true }
    }
  }

  /// Whether `detection` lies on a coin just seen, and so is that coin found twice.
  private func isSecondSight(_ detection: Detection) -> Bool {
    for index in 0..<list.count where list[index].misses == 0 {
      let track = list[index]
      let reach = 0.35 * min(track.diameter, detection.diameter)
      let x = detection.x - track.x
      let y = detection.y - track.y
      if x * x + y * y < reach * reach { return true }
    }
    return false
  }

  /// Assigns detections to tracks; the outcome is in `assignment`.
  private mutating func match(_ detections: Span<Detection>, isMoving: Bool) {
    // Squared distances in half diameters: coins at rest may be 1 diameter off, moving ones 1.5.
    let gate: Float = isMoving ? 9 : 4
    let stillCost = solve(detections, shiftX: 0, shiftY: 0, gate: gate)
    let isUnsettled = isMoving || stillCost > 0.5 * gate * Float(list.count)
    if !isUnsettled || list.count < 3 || detections.count < 3 { return }
    // The camera or the tray may have been knocked: then all coins have moved alike.
    let shift = displacement.find(from: list.span, to: detections)
    if shift.support * 2 <= list.count { return }
    let shiftedCost = solve(detections, shiftX: shift.x, shiftY: shift.y, gate: gate)
    if shiftedCost >= stillCost {
      _ = solve(detections, shiftX: 0, shiftY: 0, gate: gate)
    }
  }

  /// Assigns detections to tracks moved by a common shift; returns the total cost.
  private mutating func solve(
    _ detections: Span<Detection>, shiftX: Float, shiftY: Float, gate: Float
  ) -> Float {
    setCosts(detections, shiftX: shiftX, shiftY: shiftY)
    assignment.solve(rows: list.count, columns: detections.count, unassigned: gate)
    var cost: Float = 0
    for row in 0..<list.count {
      if let column = assignment.column(of: row) {
        cost += assignment[row, column]
      } else {
        cost += gate
      }
    }
    return cost
  }

  private mutating func setCosts(_ detections: Span<Detection>, shiftX: Float, shiftY: Float) {
    for row in 0..<list.count {
      let track = list[row]
      let posterior = track.evidence.posterior
      for column in 0..<detections.count {
        let detection = detections[column]
        let half = 0.5 * track.diameter
        let x = (detection.x - track.x - shiftX) / half
        let y = (detection.y - track.y - shiftY) / half
        let sizes = (detection.diameter - track.diameter) / (0.15 * track.diameter)
        var overlap: Float = 0
        for index in 0..<6 { overlap += min(posterior[index], detection.posterior[index]) }
        assignment[row, column] = min(x * x + y * y + sizes * sizes + 1 - overlap, 1e6)
      }
    }
  }
}
