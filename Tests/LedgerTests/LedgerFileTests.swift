import CSystem
import TestSupport
import Testing

@testable import Ledger

/// One at a time: the disk is shared.
@Suite(.serialized) struct LedgerFileTests {
  let disk = FaultyDisk()

  init() {
    FaultyDisk.current = disk
  }

  /// Opens a file on the disk and appends to it until a fault.
  private func append(_ entries: Int, retries: Int = 0) -> (last: Int, error: LedgerError?) {
    return "ledger".withCString { path in
      var file = LedgerFile(path: path, calls: FaultyCalls())
      var last = 0
      var failure: LedgerError?
      var left = retries
      var written = 0
      while written < entries {
        var entry = batch()
        do throws(LedgerError) {
          try file.append(&entry)
          last = entry.sequence
          written += 1
        } catch {
          failure = error
          if left == 0 { break }
          left -= 1
        }
      }
      file.close()
      return (last, failure)
    }
  }

  @Test func anEntryIsWrittenSyncedAndOnlyThenDone() {
    let line = lines([batch()]).count
    #expect(append(1).last == 1)
    #expect(
      disk.calls == [
        "open", "lock", "size", "sync folder", "write \(line) at 0", "sync", "close",
      ])
    #expect(disk.stored == lines([batch()]))
  }

  @Test func numbersGoOnWhereTheFileEnds() {
    disk.cache = lines([batch(), batch()])
    disk.stored = disk.cache
    #expect(append(1).last == 3)
    #expect(read(disk.stored).numbers == [1, 2, 3])
  }

  @Test func aTornTailIsCutOffAndSynced() {
    let whole = lines([batch(), batch()])
    for torn in 1..<lines([batch()]).count {
      FaultyDisk.current = FaultyDisk()
      FaultyDisk.current.cache = Array(whole.dropLast(torn))
      #expect(append(1).last == 2)
      #expect(FaultyDisk.current.stored == whole)
      let start = lines([batch()]).count
      #expect(FaultyDisk.current.calls.contains("truncate \(start)"))
    }
  }

  @Test func blocksOfZeroesAfterTheLastEntryAreCutOff() {
    disk.cache = lines([batch()]) + [UInt8](repeating: 0, count: 200)
    #expect(append(1).last == 2)
    #expect(disk.stored == lines([batch(), batch()]))
  }

  @Test func muchThatIsNoEntryIsLeftAsItIs() {
    let foreign = [UInt8](repeating: 0x41, count: 5000)
    disk.cache = lines([batch()]) + foreign
    #expect(append(1).last == 2)
    #expect(disk.stored == lines([batch()]) + foreign + [0x0a] + lines([batch()], first: 2))
    #expect(read(disk.stored).damaged == 1)
  }

  @Test func aDamagedLineInTheMiddleHidesNoOther() {
    var bytes = lines([batch(), batch(), batch()])
    bytes[bytes.count / 2] ^= 1
    disk.cache = bytes
    #expect(append(1).last == 4)
    #expect(read(disk.stored).numbers == [1, 3, 4])
    #expect(disk.stored.starts(with: bytes))
  }

  @Test func aFullDiskLeavesWhatWasThereAndIsTriedAgain() {
    let line = lines([batch()]).count
    disk.room = line + 30
    let refused = append(2)
    #expect(refused.last == 1)
    #expect(refused.error == .failed(errno: ENOSPC))
    #expect(disk.cache == lines([batch()]))
    disk.room = .max
    #expect(append(1).last == 2)
    #expect(read(disk.stored).numbers == [1, 2])
  }

  @Test func shortWritesAreGoneOnWith() {
    // Calls 0 to 3 open the file; 4 and 5 write a part each.
    disk.faults = [4: -10, 5: -7]
    #expect(append(1).last == 1)
    #expect(disk.stored == lines([batch()]))
    #expect(disk.calls.filter { $0.hasPrefix("write") }.count == 3)
  }

  @Test func anInterruptedWriteIsMadeAgain() {
    disk.faults = [4: EINTR]
    #expect(append(1).last == 1)
    #expect(disk.stored == lines([batch()]))
  }

  @Test func aFailedSyncIsNotTakenForSaved() {
    disk.faults = [5: EIO]
    let outcome = append(1, retries: 1)
    #expect(outcome.error == .failed(errno: EIO))
    #expect(outcome.last == 1)
    #expect(read(disk.stored).numbers == [1])
    #expect(disk.calls.contains("truncate 0"))
  }

  @Test func aReadOnlyDiskIsToldOf() {
    disk.isReadOnly = true
    #expect(append(1).error == .failed(errno: EROFS))
    #expect(LedgerError.failed(errno: EROFS).degradation == .ledgerUnwritable)
    #expect(LedgerError.failed(errno: ENOSPC).degradation == .ledgerDiskFull)
  }

  @Test func aLedgerInUseIsLeftAlone() {
    disk.faults = [1: EWOULDBLOCK]
    #expect(append(1).error == .inUse)
    #expect(disk.calls == ["open", "lock", "close"])
  }

  @Test func aDeletedFileIsMadeAnewAndNumbersGoOn() {
    "ledger".withCString { path in
      var file = LedgerFile(path: path, calls: FaultyCalls())
      var first = batch()
      try? file.append(&first)
      disk.names = 0
      disk.cache = []
      var second = batch()
      try? file.append(&second)
      file.close()
      #expect(second.sequence == 2)
      #expect(read(disk.stored).numbers == [2])
    }
  }

  @Test func anyFaultAtAnyCallLosesNothingThatWasSaved() {
    // Every call of three appends fails once, in every way, and the next attempt goes through.
    let whole = lines([batch(), batch(), batch()])
    for call in 0..<14 {
      for fault in [EIO, ENOSPC, EINTR, EROFS, -1, -40] {
        let disk = FaultyDisk()
        FaultyDisk.current = disk
        disk.faults = [call: fault]
        let outcome = append(3, retries: 2)
        #expect(outcome.last == 3)
        #expect(read(disk.stored).numbers == [1, 2, 3], "fault \(fault) at call \(call)")
        #expect(disk.stored == whole)
      }
    }
  }

  @Test func powerCutsAtAnyInstantLoseAtMostTheEntryInFlight() {
    var dice = Dice(state: 4)
    for _ in 0..<40 {
      let disk = FaultyDisk()
      FaultyDisk.current = disk
      var saved = 0
      for _ in 0..<50 {
        // Faults and the number of entries until the power goes.
        let last = Int.random(in: 0...4, using: &dice)
        for _ in 0..<Int.random(in: 0...2, using: &dice) {
          let call = Int.random(in: 0..<12, using: &dice)
          disk.faults[call] = [EIO, ENOSPC, -3, -50].randomElement(using: &dice)
        }
        if Int.random(in: 0...3, using: &dice) == 0 { disk.faults[last * 3 + 5] = EIO }
        saved = max(saved, append(last, retries: 1).last)
        if Bool.random(using: &dice) {
          // In the midst of a write: its bytes are in the cache, nothing is synced.
          let tail = lines([batch()], first: saved + 1)
          disk.cache += tail.prefix(Int.random(in: 0...tail.count, using: &dice))
        }
        disk.crash(&dice)
        let found = read(disk.stored).numbers
        #expect(found == (0..<found.count).map { $0 + 1 })
        #expect(found.count >= saved && found.count <= saved + 1)
        saved = found.count
      }
    }
  }
}
