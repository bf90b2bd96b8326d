import Counting
import CSystem

/// Why the ledger's file cannot be used.
public enum LedgerError: Error, BitwiseCopyable, Equatable {
  /// It cannot be opened, read or written, with this `errno`.
  case failed(errno: Int32)
  /// Another process writes to it.
  case inUse

  /// What is told of it. A disk that is full is told apart, because only its owner can help.
  public var degradation: Degradation {
    switch self {
    case .failed(let code) where code == ENOSPC || code == EDQUOT || code == EFBIG: .ledgerDiskFull
    case .failed: .ledgerUnwritable
    case .inUse: .ledgerInUse
    }
  }
}
