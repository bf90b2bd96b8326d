import Detection
import Frames

/// Adds up what comes and goes: batches of a session, and coins counted up to a price.
///
/// In go the events of each frame, as the tally says them; out come events of batches and prices,
/// appended to them. What has been put down since the tray was last empty is a batch; it counts
/// once the tray is empty again. Coins are told apart by their identity and place, so that one that
/// was lost from sight, moved or seen better is never counted twice.
public struct Takings: ~Copyable {
  /// What counting is for.
  public private(set) var mode = Mode.tray
  /// The price counted up to in rupiah; 0 for none.
  public private(set) var price = 0
  /// What has been put down since the tray was empty.
  public private(set) var batch = CoinCounts()

  /// Whether withdrawn coins add to totals.
  public var countsWithdrawn: Bool
  /// The coins that lie there, as last said.
  private var lying: FixedList<64, Coin>
  /// Coins of the batch that have been taken away; the oldest are forgotten first.
  private var gone: FixedList<64, Coin>
  /// What lay there when the price was last reached by a coin put down.
  private var paid: CoinCounts?

  /// Begins in tray mode, with an empty tray.
  /// - Parameter countsWithdrawn: whether withdrawn coins add to totals.
  public init(countsWithdrawn: Bool) {
    self.countsWithdrawn = countsWithdrawn
    lying = FixedList(filler: .none)
    gone = FixedList(filler: .none)
  }

  /// Chooses what counting is for; what lies there already is the beginning of a batch.
  /// - Parameter price: rupiah, at least 0; kept for other modes.
  public mutating func choose(_ mode: Mode, price: Int) {
    self.mode = mode
    self.price = price
    restart()
  }

  /// Forgets the tray, as when it is counted anew.
  public mutating func reset() {
    lying.removeAll()
    restart()
  }

  /// What lies there now, to be kept as it is.
  public var tray: Batch {
    let counts = lyingCounts
    return Batch(.tray, counts: counts, total: counts.total(countsWithdrawn: countsWithdrawn))
  }

  /// How far the price is reached by what lies there now.
  public var target: Target {
    let counts = lyingCounts
    return Target(
      price: price, total: counts.total(countsWithdrawn: countsWithdrawn),
      unsure: Int(counts.unsure))
  }

  /// Takes in one frame's events and appends what follows from them, at most one event.
  public mutating func update(_ events: inout EventList) {
    var removed = FixedList<64, Coin>(filler: .none)
    var added = FixedList<64, Coin>(filler: .none)
    var total: Total?
    for index in 0..<events.count {
      switch events[index].kind {
      case .coinRemoved(let coin): removed.append(coin)
      case .coinAdded(let coin): added.append(coin)
      case .total(let said): total = said
      default: break
      }
    }
    if removed.count > 0 || added.count > 0 { take(&removed, &added) }
    guard let total, mode != .tray, events.count > 0 else { return }
    let last = events[events.count - 1]
    guard let kind = outcome(isEmpty: total.coins == 0, hasAdded: added.count > 0) else { return }
    events.append(Event(kind, frame: last.frame, milliseconds: last.milliseconds))
  }

  /// What follows from a new total.
  private mutating func outcome(isEmpty: Bool, hasAdded: Bool) -> Event.Kind? {
    if mode == .target {
      if price == 0 { return nil }
      if !isEmpty {
        let target = target
        if target.missing > 0 {
          // Taken away again before the tray was cleared: then the last coin put down decides.
          if hasAdded { paid = nil }
        } else if hasAdded || paid == nil {
          paid = lyingCounts
        }
        return .target(target)
      }
      let counts = paid
      restart()
      guard let counts else { return .target(target) }
      return .batch(
        Batch(
          .sale, counts: counts, total: counts.total(countsWithdrawn: countsWithdrawn),
          price: price))
    }
    if !isEmpty || batch.coins == 0 { return nil }
    let counts = batch
    restart()
    return .batch(
      Batch(.batch, counts: counts, total: counts.total(countsWithdrawn: countsWithdrawn)))
  }

  /// Brings the batch up to date with coins that went and came.
  private mutating func take(
    _ removed: inout FixedList<64, Coin>, _ added: inout FixedList<64, Coin>
  ) {
    for index in 0..<removed.count { remove(removed[index]) }
    for index in 0..<added.count { lying.append(added[index]) }
    // Pairs that are one coin: seen better, then back in its place, then moved.
    pair(&removed, &added) { $0.id == $1.id }
    pair(&removed, &added) { $0.isLike($1) && $0.isNear($1) }
    pair(&removed, &added) { $0.isLike($1) }
    for index in 0..<removed.count {
      if gone.isFull { gone.swapRemove(at: 0) }
      gone.append(removed[index])
    }
    for index in 0..<added.count where !isBack(added[index]) { batch.add(added[index], 1) }
  }

  /// Takes pairs for which `isSame` holds off both lists, and revalues them in the batch.
  private mutating func pair(
    _ removed: inout FixedList<64, Coin>, _ added: inout FixedList<64, Coin>,
    _ isSame: (Coin, Coin) -> Bool
  ) {
    var index = removed.count - 1
    while index >= 0 {
      var other = added.count - 1
      while other >= 0 && !isSame(removed[index], added[other]) { other -= 1 }
      if other >= 0 {
        batch.add(removed[index], -1)
        batch.add(added[other], 1)
        removed.swapRemove(at: index)
        added.swapRemove(at: other)
      }
      index -= 1
    }
  }

  /// Whether a coin is one that was lost from sight and lies where it lay: no new money.
  private mutating func isBack(_ coin: Coin) -> Bool {
    for index in 0..<gone.count where gone[index].isLike(coin) && gone[index].isNear(coin) {
      gone.swapRemove(at: index)
      return true
    }
    return false
  }

  private mutating func remove(_ coin: Coin) {
    for index in 0..<lying.count where lying[index].id == coin.id {
      lying.swapRemove(at: index)
      return
    }
  }

  private mutating func restart() {
    gone.removeAll()
    batch = lyingCounts
    paid = nil
  }

  private var lyingCounts: CoinCounts {
    var counts = CoinCounts()
    for index in 0..<lying.count { counts.add(lying[index], 1) }
    return counts
  }
}

extension Coin {
  /// No coin: what the unused places of a list hold.
  static let none = Coin(
    id: 0, value: 0, isWithdrawn: false, confidence: 0, x: 0, y: 0, diameter: 1)

  /// Whether both have the same value and status.
  fileprivate func isLike(_ other: Coin) -> Bool {
    value == other.value && isWithdrawn == other.isWithdrawn && name == other.name
  }

  /// Whether both lie in the same place, give or take a third of a diameter.
  fileprivate func isNear(_ other: Coin) -> Bool {
    let reach = diameter / 3
    return (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y) < reach * reach
  }
}

extension CoinCounts {
  /// Adds a coin, or takes it off with -1.
  fileprivate mutating func add(_ coin: Coin, _ number: Int32) {
    let index = Evidence.index(of: coin.value)
    if index == 5 {
      if coin.name.count > 0 && named.add(coin.name, number) { return }
      unsure += number
    } else if coin.isWithdrawn {
      withdrawn[index] += number
    } else {
      current[index] += number
    }
  }
}
