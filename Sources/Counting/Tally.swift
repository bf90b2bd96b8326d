import Detection
import Frames

/// Decides when what the tracker sees may be said.
///
/// In come the tracks of each frame; out go events. A change is said only once nothing moves or is
/// in the way, no coin is in doubt, and the same coins with the same values have lain there for a
/// set time.
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
  private var sights: FixedList<64, Sight>
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
    announced = FixedList(filler: .none)
    pending = FixedList(filler: .none)
    sights = FixedList(filler: .none)
  }

  /// A coin seen in a frame, confirmed or not.
  private struct Sight: BitwiseCopyable, Equatable {
    var serial: Int32
    var value: Int32
    var isWithdrawn: Bool
    var name = CoinName()

    init(_ track: Track) {
      serial = track.serial
      value = track.value
      isWithdrawn = track.isWithdrawn
      name = track.name
    }

    static let none = Sight(serial: 0, value: 0, isWithdrawn: false)

    private init(serial: Int32, value: Int32, isWithdrawn: Bool) {
      self.serial = serial
      self.value = value
      self.isWithdrawn = isWithdrawn
    }
  }

  /// Makes and says totals from here on as `settings` say.
  public mutating func apply(_ settings: Settings) {
    self.settings = settings
  }

  /// Takes in one frame's tracks and appends what is to be said of them to `events`.
  /// - Parameters:
  ///   - tracks: at most 64.
  ///   - hold: why the scene cannot be judged, if it cannot.
  ///   - isPending: whether there may be coins that have not been looked at yet; nothing else waits
  ///     for a track that has never been looked at.
  ///   - frame: number of the frame.
  ///   - milliseconds: its time, never less than that of the frame before.
  ///   - events: has room for `2 * 64 + 2` more.
  public mutating func update(
    _ tracks: Span<Track>, hold: HoldReason?, isPending: Bool = false, frame: Int,
    milliseconds: Int, into events: inout EventList
  ) {
    isSettling = true
    movingCount = hold == .motion ? movingCount + 1 : 0
    let isDoubtful = gather(tracks, isHeld: hold != nil, milliseconds: milliseconds)
    if let hold {
      if !isHolding && (hold != .motion || movingCount >= Tally.holdingFrames) {
        isHolding = true
        events.append(Event(.hold(hold), frame: frame, milliseconds: milliseconds))
      }
      return
    }
    if isPending || isDoubtful || stableCount < Tally.stableFrames
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
  /// Returns whether any coin is about to appear or disappear, or its value may yet change.
  private mutating func gather(_ tracks: Span<Track>, isHeld: Bool, milliseconds: Int) -> Bool {
    var isDoubtful = false
    var isSame = true
    var count = 0
    for index in 0..<tracks.count {
      let track = tracks[index]
      isDoubtful =
        isDoubtful
        || (track.isConfirmed
          ? track.misses > 0 || track.isDoubtful : track.hits > 1 && track.looks > 0)
      // A coin that is no longer seen counts as gone from here on, though it is said only later.
      if track.misses > 0 { continue }
      count += 1
      isSame = isSame && contains(Sight(track))
    }
    isSame = isSame && count == sights.count
    pending.removeAll()
    sights.removeAll()
    for index in 0..<tracks.count {
      if tracks[index].isConfirmed { pending.append(Coin(tracks[index])) }
      if tracks[index].misses == 0 { sights.append(Sight(tracks[index])) }
    }
    if isSame && !isHeld {
      stableCount += 1
    } else {
      stableCount = 1
      stableSince = milliseconds
    }
    return isDoubtful
  }

  /// Whether the frame before had this coin, of this value.
  private func contains(_ sight: Sight) -> Bool {
    for index in 0..<sights.count where sights[index] == sight { return true }
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
        && coins[index].name == coin.name
    }
    return false
  }

  private func sum() -> Total {
    var total = Total()
    for index in 0..<announced.count {
      total.add(
        value: announced[index].value, isWithdrawn: announced[index].isWithdrawn,
        countsWithdrawn: settings.countsWithdrawn, name: announced[index].name)
    }
    return total
  }
}
