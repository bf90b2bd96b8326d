import Announcing

/// Takes a ledger's bytes one after the other and finds its entries.
public struct LedgerScanner: BitwiseCopyable {
  /// What a line turns out to be.
  public enum Found: BitwiseCopyable {
    /// An entry.
    case entry(LedgerEntry)
    /// Not an entry: bytes that were changed or torn.
    case damaged
  }

  private var line = LedgerLine()
  /// Lines that are no entries so far.
  public private(set) var damagedLines = 0
  /// Lines so far, ended ones only.
  public private(set) var lines = 0

  /// Begins before the first byte.
  public init() {}

  /// Whether bytes have come since the last newline: a last line that was torn.
  public var hasRest: Bool { line.count > 0 }

  /// Takes the next byte; returns what the line was when it ends with this byte.
  public mutating func take(_ byte: UInt8) -> Found? {
    if byte != UInt8(ascii: "\n") {
      line.append(byte: byte)
      return nil
    }
    lines += 1
    let entry = line.isCut ? nil : LedgerRecord.entry(line.span)
    line.removeAll()
    if let entry { return .entry(entry) }
    damagedLines += 1
    return .damaged
  }
}
