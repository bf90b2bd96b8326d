import Announcing
import Buttons
import CSystem
import Counting
import Ledger

/// Keeps what is counted: batches, sales and sessions, in the mode chosen in the configuration, by
/// command or by the button.
public struct Till: ~Copyable {
  /// How it begins and is worked.
  public struct Settings: BitwiseCopyable, Sendable {
    /// The mode to begin in.
    public var mode = Mode.tray
    /// The price counted up to in rupiah, 0 for none.
    public var price = 0
    /// Whether withdrawn coins add to totals.
    public var countsWithdrawn = false
    /// The push-button.
    public var button = ButtonSettings()

    /// Makes the usual settings.
    public init() {}
  }

  private var takings: Takings
  private var ledger: Ledger?
  private var button: PushButton
  private var hasButtonFault = false
  private var ledgerFault: Degradation?
  /// A fault still to be told of.
  private var nextFault: Degradation?
  /// Rupiah and coins of the session so far, those of the ledger included once they are known.
  private var sessionTotal = 0
  private var sessionCounts = CoinCounts()
  private var isStartTaken = false

  /// Makes a till that takes over a ledger, or keeps nothing without one.
  public init(_ settings: Settings, ledger: consuming Ledger?) {
    takings = Takings(countsWithdrawn: settings.countsWithdrawn)
    takings.choose(settings.mode, price: settings.price)
    self.ledger = ledger
    button = PushButton(settings.button)
    takeStart()
  }

  /// Goes on with the session that the ledger's file has left open, once that is known.
  private mutating func takeStart() {
    if isStartTaken { return }
    guard let start = ledger?.start else { return }
    isStartTaken = true
    if !start.isOpen { return }
    sessionTotal += start.total
    sessionCounts += start.counts
  }

  /// The price counted up to in rupiah; 0 for none.
  public var price: Int { takings.price }

  /// What counting is for.
  public var mode: Mode { takings.mode }

  /// Changes how totals are made.
  public mutating func apply(countsWithdrawn: Bool) {
    takings.countsWithdrawn = countsWithdrawn
  }

  /// The event that tells of the mode.
  public var modeEvent: Event.Kind {
    .mode(ModeState(takings.mode, price: takings.price, sessionTotal: sessionTotal))
  }

  /// Chooses a mode; the event to tell of it.
  /// - Parameter price: the price in rupiah, or `nil` to keep the one before.
  public mutating func choose(_ mode: Mode, price: Int? = nil) -> Event.Kind {
    takings.choose(mode, price: price ?? takings.price)
    if mode == .session { ledger?.open() }
    return modeEvent
  }

  /// Goes on to the next mode; counting up to a price is left out while there is none.
  public mutating func chooseNext() -> Event.Kind {
    switch takings.mode {
    case .tray: choose(.session)
    case .session: choose(takings.price > 0 ? .target : .tray)
    case .target: choose(.tray)
    }
  }

  /// What is to be kept on demand: in a session its sum, which ends it, otherwise what lies on the
  /// tray.
  public var demanded: Batch {
    if takings.mode != .session { return takings.tray }
    return Batch(.session, counts: sessionCounts, total: sessionTotal)
  }

  /// Forgets what lies on the tray, as when it is counted anew.
  public mutating func reset() { takings.reset() }

  /// Appends what follows from one frame's events.
  public mutating func update(_ events: inout EventList) {
    takings.update(&events)
  }

  /// Keeps a batch. Never waits; where there is no ledger, returns the event that tells of it.
  public mutating func keep(_ batch: Batch) -> Event.Kind? {
    switch batch.kind {
    case .batch:
      sessionTotal += batch.total
      sessionCounts += batch.counts
    case .session:
      sessionTotal = 0
      sessionCounts = CoinCounts()
      isStartTaken = true
    case .sale, .tray: break
    }
    if ledger != nil {
      ledger?.append(LedgerEntry(batch))
      return nil
    }
    return .saved(
      Saved(
        kind: batch.kind, sequence: 0, total: batch.total,
        sessionTotal: batch.kind == .batch ? sessionTotal : batch.total,
        unsure: Int(batch.counts.unsure), price: batch.price))
  }

  /// What has happened to the ledger and the button since the last call, one thing at a time.
  public mutating func takeNews() -> Event.Kind? {
    takeStart()
    if let fault = nextFault {
      nextFault = nil
      return .degraded(fault)
    }
    if let fault = ledgerFault, ledger?.waiting == 0 {
      ledgerFault = nil
      return .recovered(fault)
    }
    switch ledger?.takeReport() {
    case .saved(let entry):
      return .saved(entry.saved)
    case .fault(let fault):
      // Damaged lines are told of once; nothing waits because of them.
      if !fault.keepsLedgerWaiting { return .degraded(fault) }
      // What waits has one reason at a time.
      let before = ledgerFault
      ledgerFault = fault
      if let before, before != fault {
        nextFault = fault
        return .recovered(before)
      }
      return .degraded(fault)
    case nil: break
    }
    let press = button.takePress()
    if button.isMissing != hasButtonFault {
      hasButtonFault = button.isMissing
      return hasButtonFault ? .degraded(.buttonMissing) : .recovered(.buttonMissing)
    }
    switch press {
    case .short: return chooseNext()
    case .long: return .batch(demanded)
    case nil: return nil
    }
  }

  /// Waits until what was kept is on the disk, at most `milliseconds`.
  public mutating func finish(milliseconds: Int64) {
    _ = ledger?.finish(milliseconds: milliseconds)
  }
}
