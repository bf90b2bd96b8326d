import CSystem
import Counting
import Synchronization

/// What the loop's thread and the ledger's share.
public struct LedgerShared: ~Copyable {
  /// Longest path of a ledger in bytes, with its NUL.
  public static let pathCapacity = 512

  /// Path of the file.
  let path: UnsafePointer<CChar>
  /// Places of entries, used in turn.
  let entries: UnsafeMutablePointer<LedgerEntry>
  /// Posted when an entry has been added or the end has been asked for.
  let wake: UnsafeMutablePointer<sem_t>
  /// Posted once the thread runs and has read the file, if it was to.
  let started: UnsafeMutablePointer<sem_t>
  /// What the file said before the first entry; valid once `isStartKnown` is set.
  var start = LedgerStart()
  /// Set once the file has been read for the first time.
  let isStartKnown = Atomic<Bool>(false)
  /// Set when the file is to be read before there is an entry.
  let isOpenWanted = Atomic<Bool>(false)
  /// Entries added so far, by the loop.
  let added = Atomic<Int>(0)
  /// Entries on the disk so far, of those added.
  let written = Atomic<Int>(0)
  /// Set when the thread is to end.
  let isEnding = Atomic<Bool>(false)
  /// The fault not yet taken, as its raw value plus 1; 0 for none.
  let fault = Atomic<UInt8>(0)

  /// Makes the shared part in memory that outlives both threads.
  init(
    path: UnsafePointer<CChar>, entries: UnsafeMutablePointer<LedgerEntry>,
    wake: UnsafeMutablePointer<sem_t>, started: UnsafeMutablePointer<sem_t>
  ) {
    self.path = path
    self.entries = entries
    self.wake = wake
    self.started = started
    sem_init(wake, 0, 0)
    sem_init(started, 0, 0)
  }
}
