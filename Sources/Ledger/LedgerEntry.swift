import Announcing
import CSystem
import Counting

/// One entry of the ledger.
public struct LedgerEntry: BitwiseCopyable, Sendable {
  /// What an entry is of.
  public typealias Kind = EntryKind

  /// Number of the entry in its file, from 1; 0 until it is written.
  public var sequence = 0
  /// What it is of.
  public var kind: Kind
  /// Whether the machine's clock was set.
  public var isDated = false
  /// Milliseconds since 1970 (UTC), or since the machine was started when it is not dated.
  public var milliseconds: Int64 = 0
  /// Number of the session, from 1; 0 outside one and until it is written.
  public var session = 0
  /// Rupiah that count.
  public var total = 0
  /// Rupiah of the session so far, this entry included; 0 outside one.
  public var sessionTotal = 0
  /// The price of a sale in rupiah; 0 otherwise.
  public var price = 0
  /// The coins.
  public var counts = CoinCounts()
  /// Coins the user has taught that are no rupiah, as text such as `2 satu ringgit`; no commas,
  /// quotation marks or control characters.
  public var others = Text<192>()

  /// Makes an entry of nothing.
  public init(kind: Kind) {
    self.kind = kind
  }

  /// Makes an entry of coins, made now.
  public init(_ batch: Batch) {
    self.init(kind: batch.kind)
    counts = batch.counts
    total = batch.total
    price = batch.price
    for index in 0..<batch.counts.named.count {
      if index > 0 { others.append("; ") }
      others.append(Int(batch.counts.named.coins(index)))
      others.append(" ")
      others.append(batch.counts.named.name(index))
    }
    stamp()
  }

  /// What is told of the entry once it is on the disk.
  public var saved: Saved {
    Saved(
      kind: kind, sequence: sequence, total: total,
      sessionTotal: session > 0 ? sessionTotal : total,
      unsure: Int(counts.unsure), price: price)
  }

  /// Sets the time to now; without a date while the machine's clock is plainly not set.
  public mutating func stamp() {
    // A board without a battery starts in 1970, or when its system was built.
    let earliest: Int64 = 1_735_689_600_000  // 2025
    milliseconds = csystem_clock_milliseconds()
    isDated = milliseconds >= earliest
    if !isDated { milliseconds = csystem_boot_milliseconds() }
  }

  /// Adds a later entry to this one, so that no money is lost where there is room for one only.
  mutating func merge(_ later: LedgerEntry) {
    if !later.kind.isMoney { return }
    if !kind.isMoney { kind = later.kind }
    total += later.total
    price += later.price
    counts += later.counts
    if later.others.count > 0 {
      if others.count > 0 { others.append("; ") }
      for index in 0..<later.others.count { others.append(byte: later.others[index]) }
    }
  }
}

/// The session that the last entries of a file belong to.
public struct LedgerStart: BitwiseCopyable, Sendable, Equatable {
  /// Number of the last entry; 0 in an empty file.
  public var sequence = 0
  /// Number of the session last begun; 0 for none.
  public var session = 0
  /// Whether it has not been ended.
  public var isOpen = false
  /// Rupiah of that session so far.
  public var total = 0
  /// Its coins so far.
  public var counts = CoinCounts()

  /// An empty file's.
  public init() {}

  /// Gives an entry the next number, and its session and the session's sum: those of the file, so
  /// that they go on over restarts.
  func number(_ entry: inout LedgerEntry) {
    entry.sequence = sequence + 1
    if entry.kind != .batch && entry.kind != .session { return }
    entry.session = isOpen ? session : session + 1
    if entry.kind == .batch {
      entry.sessionTotal = (isOpen ? total : 0) + entry.total
    } else {
      entry.total = isOpen ? total : 0
      entry.sessionTotal = entry.total
      entry.counts = isOpen ? counts : CoinCounts()
    }
  }

  /// Takes the file's next entry in.
  mutating func take(_ entry: LedgerEntry) {
    sequence = max(sequence, entry.sequence)
    if entry.session == 0 { return }
    if entry.session != session {
      session = entry.session
      total = 0
      counts = CoinCounts()
    }
    isOpen = entry.kind != .session
    if isOpen { counts += entry.counts }
    total = entry.sessionTotal
  }
}
