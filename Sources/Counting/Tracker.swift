import Detection
import Frames

/// Follows coins from frame to frame and gathers what is seen of each.
///
/// In come the detections of one frame; out go at most 64 tracks. Detections are matched with
/// tracks all at once, at the least total cost of distance, size and likeness of value. A coin
/// must be seen several times before it is confirmed and missed several times before it is given
/// up; while the scene is held, in motion or covered, nothing is confirmed or given up, because a
/// hand may hide what still lies there. A coin that was carried keeps its identity.
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
  private var lastSerial: Int32 = 0
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
  ///   - isHeld: whether the scene is in motion or covered, so that coins may be hidden.
  public mutating func update(_ detections: Span<Detection>, isHeld: Bool) {
    precondition(detections.count <= Assignment.capacity)
    match(detections, isMoving: isHeld)
    for index in 0..<detections.count { isTaken[index] = false }
    var index = 0
    while index < list.count {
      var track = list[index]
      if let column = assignment.column(of: index) {
        track.see(detections[column])
        isTaken[column] = true
      } else {
        track.lookedPlace = -1
        // One miss is noted at any rate, so that it is known which coins are hidden.
        if !(track.isConfirmed && isHeld) || track.misses == 0 { track.misses += 1 }
      }
      list[index] = track
      index += 1
    }
    if !isHeld { confirm() }
    removeLost(isHeld: isHeld)
    addNew(detections)
  }

  /// Notes where something moved, by asking about each coin's place and radius in pixels.
  public mutating func disturb(where hasMoved: (Float, Float, Float) -> Bool) {
    for index in 0..<list.count {
      let track = list[index]
      if hasMoved(track.x, track.y, 0.5 * track.diameter) { list[index].disturb() }
    }
  }

  /// Keeps what looking at coins has told, by asking for what is known of a detection's place.
  public mutating func remember(from look: (Int) -> CoinMemory) {
    for index in 0..<list.count where list[index].lookedPlace >= 0 {
      list[index].remember(look(list[index].lookedPlace))
    }
  }

  /// Index of the coin seen or hidden nearest to a place, if that is within `reach` of its
  /// middle; all in pixels.
  public func nearest(x: Float, y: Float, reach: Float) -> Int? {
    var nearest: Int?
    var least = reach * reach
    for index in 0..<list.count {
      let right = list[index].x - x
      let down = list[index].y - y
      let distance = right * right + down * down
      if distance <= least {
        least = distance
        nearest = index
      }
    }
    return nearest
  }

  /// Confirms the coins seen often enough.
  private mutating func confirm() {
    var index = 0
    while index < list.count {
      if !list[index].isConfirmed && list[index].hits >= Tracker.confirmingHits
        && list[index].looks >= Int(Track.leastLooks) && list[index].misses == 0
      {
        let taken = carried(list[index])
        if let taken {
          list[index].id = list[taken].id
          list[taken].id = 0
          list[taken].misses = Tracker.losingMisses
        } else {
          lastID &+= 1
          list[index].id = lastID
        }
      }
      index += 1
    }
  }

  /// A missed coin of the same size and value, which `track` may be after it was carried.
  private func carried(_ track: Track) -> Int? {
    for index in 0..<list.count where list[index].isConfirmed && list[index].misses > 0 {
      let ratio = list[index].diameter / track.diameter
      let isAlike = track.value != 0 && list[index].value == track.value
      if isAlike && list[index].isWithdrawn == track.isWithdrawn && ratio > 0.92 && ratio < 1.08 {
        return index
      }
    }
    return nil
  }

  /// Gives up the coins missed too often.
  private mutating func removeLost(isHeld: Bool) {
    var index = list.count - 1
    while index >= 0 {
      let track = list[index]
      if track.isRefused && !isHeld {
        list.swapRemove(at: index)
        index -= 1
        continue
      }
      let limit = track.isConfirmed ? Tracker.losingMisses : Tracker.abandoningMisses
      if track.misses >= limit && !(track.isConfirmed && isHeld) { list.swapRemove(at: index) }
      index -= 1
    }
  }

  /// Begins a track for every detection that belongs to none.
  private mutating func addNew(_ detections: Span<Detection>) {
    isCrowded = false
    for index in 0..<detections.count where !isTaken[index] {
      let detection = detections[index]
      if isSecondSight(detection) { continue }
      var track = Track(detection)
      lastSerial &+= 1
      track.serial = lastSerial
      if !list.append(track) { isCrowded = true }
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
        // What was only glimpsed may be anything, such as a coin in a hand over this one.
        let reach: Float = detection.isLooked ? 1 : 9
        var overlap: Float = 0
        for index in 0..<6 { overlap += min(posterior[index], detection.posterior[index]) }
        assignment[row, column] = min(
          reach * (x * x + y * y) + sizes * sizes + 1 - overlap, 1e6)
      }
    }
  }
}
