import CSystem
import Counting
import Synchronization

/// The ledger's own thread: writes entries in order, and tries again where the disk refuses.
struct LedgerWorker<Calls: FileCalls>: ~Copyable {
  /// Milliseconds between attempts while the disk refuses.
  static var retryMilliseconds: Int64 { 2000 }

  private let shared: UnsafeMutablePointer<LedgerShared>
  private var file: LedgerFile<Calls>
  private var lastFault: Degradation?

  private init(_ shared: UnsafeMutablePointer<LedgerShared>) {
    self.shared = shared
    file = LedgerFile(path: shared.pointee.path, calls: Calls())
  }

  /// The thread's whole life.
  static func run(_ shared: UnsafeMutablePointer<LedgerShared>) {
    var worker = LedgerWorker(shared)
    _ = worker.openIfWanted()
    sem_post(shared.pointee.started)
    worker.writeUntilEnd()
    worker.file.close()
  }

  private mutating func writeUntilEnd() {
    while true {
      // Asked before the entries are counted, so that those added before the end are written.
      let isEnding = shared.pointee.isEnding.load(ordering: .acquiring)
      let isWritten = openIfWanted() && writeAll()
      if isEnding { return }
      if isWritten {
        sem_wait(shared.pointee.wake)
      } else {
        _ = csystem_semaphore_wait(shared.pointee.wake, Self.retryMilliseconds)
      }
    }
  }

  /// Reads the file, if that has been asked for and not been done; returns `false` if it cannot be.
  private mutating func openIfWanted() -> Bool {
    let isWanted =
      shared.pointee.isOpenWanted.load(ordering: .acquiring)
      || shared.pointee.added.load(ordering: .acquiring) > 0
    if !isWanted || shared.pointee.isStartKnown.load(ordering: .relaxed) { return true }
    do throws(LedgerError) {
      try file.open()
    } catch {
      report(error.degradation)
      return false
    }
    if file.damagedLines > 0 { report(.ledgerDamaged) }
    shared.pointee.start = file.start
    shared.pointee.isStartKnown.store(true, ordering: .releasing)
    return true
  }

  /// Writes all entries that wait; returns `false` when the disk refuses.
  private mutating func writeAll() -> Bool {
    var next = shared.pointee.written.load(ordering: .relaxed)
    while next < shared.pointee.added.load(ordering: .acquiring) {
      let place = shared.pointee.entries + next % Ledger.capacity
      do throws(LedgerError) {
        try file.append(&place.pointee)
        lastFault = nil
      } catch {
        report(error.degradation)
        return false
      }
      next += 1
      shared.pointee.written.store(next, ordering: .releasing)
    }
    return true
  }

  /// Leaves a fault for the loop to find, unless it is the one last left.
  private mutating func report(_ degradation: Degradation) {
    if lastFault == degradation { return }
    lastFault = degradation
    shared.pointee.fault.store(degradation.rawValue + 1, ordering: .releasing)
  }
}
