// The ledger: in go entries from the loop, such as a batch of coins that has been cleared away, out
// come lines of a file that survives a kill or a power cut at any instant. The file is written and
// synced on a thread of its own, so that a slow disk never holds the loop up. Depends on CSystem
// for files, through `FileCalls`, where faults can be injected; on Counting for counts and faults,
// on Announcing for texts and on Engine for the checksum.
import Announcing
import CSystem
import Counting
import Synchronization

/// What has become of an entry, or of the file.
public enum LedgerReport: BitwiseCopyable, Sendable {
  /// The entry is on the disk; its sequence number is filled in.
  case saved(LedgerEntry)
  /// The file cannot be written; entries wait in memory and are tried again.
  case fault(Degradation)
}

/// Appends entries to the ledger's file without ever waiting for it.
public struct Ledger: ~Copyable {
  /// Entries that wait while the disk takes none; with more, amounts are added up in the last one.
  public static let capacity = 64
  /// Bytes of memory the ledger shares with its thread, aligned to 64.
  public static let memorySize =
    4096 + LedgerShared.pathCapacity + capacity * MemoryLayout<LedgerEntry>.stride

  private let shared: UnsafeMutablePointer<LedgerShared>
  private let thread: pthread_t?
  private var added = 0
  private var reported = 0
  private var overflow: LedgerEntry?

  /// Starts the ledger.
  ///
  /// A failure is no error: entries wait in memory, and `takeReport` tells why.
  /// - Parameters:
  ///   - path: NUL-terminated, at most `LedgerShared.pathCapacity` bytes with its NUL.
  ///   - opensNow: whether to wait until the file has been read or cannot be, at most 5 seconds;
  ///     otherwise it is not touched before `open` or the first entry.
  ///   - memory: `memorySize` bytes aligned to 64, which must stay until the process ends: a
  ///     thread that hangs in a disk that is gone is left behind, never killed.
  public init(
    path: UnsafePointer<CChar>, opensNow: Bool, memory: UnsafeMutableRawPointer
  ) {
    let semaphores = memory.bindMemory(to: sem_t.self, capacity: 2)
    shared = (memory + 256).bindMemory(to: LedgerShared.self, capacity: 1)
    precondition(2 * MemoryLayout<sem_t>.stride <= 256)
    precondition(MemoryLayout<LedgerShared>.stride <= 4096 - 256)
    let name = (memory + 4096).bindMemory(to: CChar.self, capacity: LedgerShared.pathCapacity)
    let entries = (memory + 4096 + LedgerShared.pathCapacity).bindMemory(
      to: LedgerEntry.self, capacity: Ledger.capacity)
    let length = strlen(path)
    precondition(length < LedgerShared.pathCapacity)
    memcpy(name, path, length + 1)
    entries.initialize(repeating: LedgerEntry(kind: .batch), count: Ledger.capacity)
    shared.initialize(
      to: LedgerShared(
        path: UnsafePointer(name), entries: entries, wake: semaphores, started: semaphores + 1))
    shared.pointee.isOpenWanted.store(opensNow, ordering: .releasing)
    var started = pthread_t()
    let status = pthread_create(&started, nil, runLedger, shared)
    thread = status == 0 ? started : nil
    let patience: Int64 = 5000
    if thread == nil || !csystem_semaphore_wait(shared.pointee.started, patience) {
      shared.pointee.fault.store(Degradation.ledgerUnwritable.rawValue + 1, ordering: .releasing)
    }
  }

  /// Has the file read, if it has not been. Never waits.
  public func open() {
    shared.pointee.isOpenWanted.store(true, ordering: .releasing)
    sem_post(shared.pointee.wake)
  }

  /// What the file said before the first entry was added; `nil` until it has been read.
  public var start: LedgerStart? {
    shared.pointee.isStartKnown.load(ordering: .acquiring) ? shared.pointee.start : nil
  }

  /// Has an entry written as soon as possible. Never waits and never allocates.
  ///
  /// While the disk takes nothing and all places are full, amounts are added up in one last entry
  /// rather than lost.
  public mutating func append(_ entry: LedgerEntry) {
    if added - reported < Ledger.capacity && overflow == nil {
      post(entry)
    } else if var sum = overflow {
      sum.merge(entry)
      overflow = sum
    } else {
      overflow = entry
    }
  }

  /// What has happened since the last call, one thing at a time; `nil` when nothing has.
  public mutating func takeReport() -> LedgerReport? {
    if reported < shared.pointee.written.load(ordering: .acquiring) {
      let entry = shared.pointee.entries[reported % Ledger.capacity]
      reported += 1
      if let waiting = overflow {
        overflow = nil
        post(waiting)
      }
      return .saved(entry)
    }
    let raw = shared.pointee.fault.exchange(0, ordering: .acquiringAndReleasing)
    if raw == 0 { return nil }
    return Degradation(rawValue: raw - 1).map { .fault($0) }
  }

  /// How many entries are not on the disk yet.
  public var waiting: Int {
    added - shared.pointee.written.load(ordering: .acquiring) + (overflow == nil ? 0 : 1)
  }

  /// Ends the ledger: tries once more to write what waits, for at most `milliseconds`.
  /// - Returns: whether everything is on the disk.
  @discardableResult
  public mutating func finish(milliseconds: Int64 = 5000) -> Bool {
    shared.pointee.isEnding.store(true, ordering: .releasing)
    sem_post(shared.pointee.wake)
    guard let thread else { return waiting == 0 }
    return csystem_join(thread, milliseconds) && waiting == 0
  }

  private mutating func post(_ entry: LedgerEntry) {
    shared.pointee.entries[added % Ledger.capacity] = entry
    added += 1
    shared.pointee.added.store(added, ordering: .releasing)
    sem_post(shared.pointee.wake)
  }
}

/// The body of the ledger's thread.
private func runLedger(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context {
    LedgerWorker<SystemFileCalls>.run(context.assumingMemoryBound(to: LedgerShared.self))
  }
  return nil
}
