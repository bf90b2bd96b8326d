import Detection
import Frames

/// Decides when what the tracker sees may be said.
///
/// In come the tracks of each frame; out go events. A change is said only once nothing has moved,
/// no coin is in doubt, and the same coins with the same values have lain there for a set time.
/// Until then the last total stands. All time is scene time, so recorded frames always give the
/// same events.
public struct Tally: ~Copyable {
  /// How totals are made and when they are said.
  public struct Settings: BitwiseCopyable, Sendable {
    /// Milliseconds for which a change must hold before it is said; at least 0.
    public var stableMilliseconds: Int
    /// Whether withdrawn coins add to the total.
    public var countsWithdrawn: Bool

    /// Makes settings.
    public init(stableMilliseconds: Int = 250, countsWithdrawn: Bool = false) {
      self.stableMilliseconds = stableMilliseconds
      self.countsWithdrawn = countsWithdrawn
    }
  }

  /// Frames for which a change must hold, whatever their rate: as many as a coin that has been
  /// taken away may need to begin to be missed.
  static let stableFrames = 3
  /// Frames of motion in a row that are reported as a hold; a coin dropped in is one such frame.
  static let holdingFrames = 2

  private var settings: Settings
  /// The coins as last said, and the total.
  private var announced: FixedList<64, Coin>
  private var announcedTotal = Total()
  private var hasAnnounced = false
  /// What lay there in the last frame, and since when.
  private var pending: FixedList<64, Coin>
  private var stableSince = 0
  private var stableCount = 0
  private var movingCount = 0

  /// Whether the scene cannot be judged at present.
  public private(set) var isHolding = false
  /// Whether something has changed or moves, and nothing has been said of it yet.
  public private(set) var isSettling = false

  /// Begins with nothing said.
  public init(_ settings: Settings) {
    self.settings = settings
    let filler = Coin(
      id: 0, value: 0, isWithdrawn: false, confidence: 0, x: 0, y: 0, diameter: 1)
    announced = FixedList(filler: filler)
    pending = FixedList(filler: filler)
  }

  /// Makes and says totals from here on as `settings` say.
  public mutating func apply(_ settings: Settings) {
    self.settings = settings
  }

  /// Takes in one frame's tracks and appends what is to be said of them to `events`.
  /// - Parameters:
  ///   - tracks: at most 64.
  ///   - isMoving: whether the scene is in motion.
  ///   - isCrowded: whether there are more coins than `tracks` can hold.
  ///   - frame: number of the frame.
  ///   - milliseconds: its time, never less than that of the frame before.
  ///   - events: has room for `2 * 64 + 2` more.
  public mutating func update(
    _ tracks: Span<Track>, isMoving: Bool, isCrowded: Bool, frame: Int, milliseconds: Int,
    into events: inout EventList
  ) {
    isSettling = true
    movingCount = isMoving ? movingCount + 1 : 0
    let isDoubtful = gather(tracks, isMoving: isMoving || isCrowded, milliseconds: milliseconds)
    if isCrowded || movingCount >= Tally.holdingFrames {
      if !isHolding {
        isHolding = true
        let reason: HoldReason = isCrowded ? .crowded : .motion
        events.append(Event(.hold(reason), frame: frame, milliseconds: milliseconds))
      }
      return
    }
    if isMoving || isDoubtful || stableCount < Tally.stableFrames
      || milliseconds - stableSince < settings.stableMilliseconds
    {
      return
    }
    isHolding = false
    isSettling = false
    announce(frame: frame, milliseconds: milliseconds, into: &events)
  }

  /// Notes what lies there now and restarts the clock if it differs from the frame before.
  ///
  /// Returns whether any coin is about to appear or disappear.
  private mutating func gather(_ tracks: Span<Track>, isMoving: Bool, milliseconds: Int) -> Bool {
    var isDoubtful = false
    var isSame = true
    var count = 0
    for index in 0..<tracks.count {
      let track = tracks[index]
      isDoubtful = isDoubtful || (track.isConfirmed ? track.misses > 0 : track.hits > 1)
      if !track.isConfirmed { continue }
      count += 1
      isSame = isSame && contains(track)
    }
    isSame = isSame && count == pending.count
    pending.removeAll()
    for index in 0..<tracks.count where tracks[index].isConfirmed {
      pending.append(Coin(tracks[index]))
    }
    if isSame && !isMoving {
      stableCount += 1
    } else {
      stableCount = 1
      stableSince = milliseconds
    }
    return isDoubtful
  }

  /// Whether the frame before had this coin, of this value.
  private func contains(_ track: Track) -> Bool {
    for index in 0..<pending.count where pending[index].id == track.id {
      let coin = pending[index]
      return coin.value == track.value && coin.isWithdrawn == track.isWithdrawn
    }
    return false
  }

  /// Says the difference between what was said last and what lies there, then the total if new.
  private mutating func announce(frame: Int, milliseconds: Int, into events: inout EventList) {
    for index in 0..<announced.count where !isKept(announced[index], in: pending) {
      let event = Event.Kind.coinRemoved(announced[index])
      events.append(Event(event, frame: frame, milliseconds: milliseconds))
    }
    for index in 0..<pending.count where !isKept(pending[index], in: announced) {
      let event = Event.Kind.coinAdded(pending[index])
      events.append(Event(event, frame: frame, milliseconds: milliseconds))
    }
    announced.removeAll()
    for index in 0..<pending.count { announced.append(pending[index]) }
    let total = sum()
    if hasAnnounced && total == announcedTotal { return }
    hasAnnounced = true
    announcedTotal = total
    events.append(Event(.total(total), frame: frame, milliseconds: milliseconds))
  }

  private func isKept(_ coin: Coin, in coins: borrowing FixedList<64, Coin>) -> Bool {
    for index in 0..<coins.count where coins[index].id == coin.id {
      return coins[index].value == coin.value && coins[index].isWithdrawn == coin.isWithdrawn
    }
    return false
  }

  private func sum() -> Total {
    var total = Total()
    for index in 0..<announced.count {
      total.add(
        value: announced[index].value, isWithdrawn: announced[index].isWithdrawn,
        countsWithdrawn: settings.countsWithdrawn)
    }
    return total
  }
}
