import Announcing
import CSystem

/// How much a line of the log matters, as syslog(3) numbers it.
public enum LogPriority: UInt8, BitwiseCopyable, Sendable {
  /// Something failed.
  case error = 3
  /// Something works no longer or not fully; the rest goes on.
  case warning = 4
  /// Rare and ordinary: start, stop, reload, recovery.
  case notice = 5
  /// Ordinary.
  case information = 6
  /// Of interest to developers.
  case debug = 7
}

/// Whether standard output and standard error go to systemd's journal, where lines carry
/// priorities.
public struct Journal: BitwiseCopyable, Sendable {
  /// Whether standard output is the journal.
  public let takesOutput: Bool
  /// Whether standard error is the journal.
  public let takesErrors: Bool

  /// Looks where the standard streams go.
  public init() {
    takesOutput = csystem_is_journal(1)
    takesErrors = csystem_is_journal(2)
  }

  /// No journal.
  public static let none = Journal(takesOutput: false, takesErrors: false)

  /// A journal on these streams.
  init(takesOutput: Bool, takesErrors: Bool) {
    self.takesOutput = takesOutput
    self.takesErrors = takesErrors
  }
}

extension Text {
  /// Appends the mark by which the journal knows the priority of the line it begins: `<4>`.
  public mutating func append(_ priority: LogPriority) {
    append(byte: UInt8(ascii: "<"))
    append(byte: UInt8(ascii: "0") + priority.rawValue)
    append(byte: UInt8(ascii: ">"))
  }
}
