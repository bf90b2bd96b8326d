/// What counting is for.
public enum Mode: UInt8, BitwiseCopyable, Sendable {
  /// What lies on the tray now.
  case tray
  /// Batches that are put down and cleared away, and add up.
  case session
  /// Coins counted up to a price.
  case target
}

/// A mode and what belongs to it.
public struct ModeState: BitwiseCopyable, Sendable, Equatable {
  /// The mode.
  public var mode: Mode
  /// The price counted up to in rupiah, 0 for none.
  public var price: Int
  /// Rupiah of the session so far, as far as is known.
  public var sessionTotal: Int

  /// Makes one from its parts.
  public init(_ mode: Mode, price: Int, sessionTotal: Int) {
    self.mode = mode
    self.price = price
    self.sessionTotal = sessionTotal
  }
}

/// What is kept in the ledger.
public enum EntryKind: UInt8, BitwiseCopyable, Sendable {
  /// Coins that were put down and have been cleared away; adds to the session.
  case batch
  /// The end of a session: its sum, all of which earlier batches have said already.
  case session
  /// Coins counted up to a price.
  case sale
  /// What lay on the tray when it was asked to be kept.
  case tray

  /// Whether its total is money that no other entry speaks of.
  public var isMoney: Bool { self != .session }
}

/// Coins to be kept.
public struct Batch: BitwiseCopyable, Sendable, Equatable {
  /// What they are.
  public var kind: EntryKind
  /// The coins.
  public var counts: CoinCounts
  /// Rupiah that count.
  public var total: Int
  /// The price of a sale; 0 otherwise.
  public var price: Int

  /// Makes a batch.
  public init(_ kind: EntryKind, counts: CoinCounts, total: Int, price: Int = 0) {
    self.kind = kind
    self.counts = counts
    self.total = total
    self.price = price
  }
}

/// What has been kept: an entry on the disk, or in memory where no ledger is kept.
public struct Saved: BitwiseCopyable, Sendable, Equatable {
  /// What it is of.
  public var kind: EntryKind
  /// Number of the entry in its file, from 1; 0 where no ledger is kept and it is only added up.
  public var sequence: Int
  /// Rupiah of it.
  public var total: Int
  /// Rupiah of the session so far, or `total` outside one.
  public var sessionTotal: Int
  /// Coins among it that are not named.
  public var unsure: Int
  /// The price of a sale; 0 otherwise.
  public var price: Int

  /// Makes one from its parts.
  public init(
    kind: EntryKind, sequence: Int, total: Int, sessionTotal: Int, unsure: Int, price: Int
  ) {
    self.kind = kind
    self.sequence = sequence
    self.total = total
    self.sessionTotal = sessionTotal
    self.unsure = unsure
    self.price = price
  }
}

/// How far a price is reached.
public struct Target: BitwiseCopyable, Sendable, Equatable {
  /// The price in rupiah.
  public var price: Int
  /// Rupiah that lie there.
  public var total: Int
  /// Coins that are not named, so that there may be more than `total`.
  public var unsure: Int

  /// Makes one from its parts.
  public init(price: Int, total: Int, unsure: Int) {
    self.price = price
    self.total = total
    self.unsure = unsure
  }

  /// Rupiah still missing; 0 once the price is reached.
  public var missing: Int { max(0, price - total) }
  /// Rupiah to be given back; 0 until the price is reached.
  public var change: Int { max(0, total - price) }
}
