import CSystem
import Testing

@testable import Ledger

/// A disk in memory that fails and tears writes as it is told, and what it was asked to do.
///
/// What is written lies in a cache until it is synced. `crash` keeps what was synced and any part
/// of what was not, as a power cut does.
final class FaultyDisk {
  nonisolated(unsafe) static var current = FaultyDisk()

  /// The calls made, with what matters of their arguments.
  var calls: [String] = []
  /// What programs see.
  var cache: [UInt8] = []
  /// What is surely on the disk.
  var stored: [UInt8] = []
  /// Faults by the number of the call, from 0: an `errno`, or for writes a number of bytes below 0
  /// for a short write.
  var faults: [Int: Int32] = [:]
  /// Bytes the disk can hold.
  var room = Int.max
  var isReadOnly = false
  var names: Int32 = 1
  private var count = 0

  /// The fault of the call now made.
  func next(_ name: String) -> Int32? {
    calls.append(name)
    defer { count += 1 }
    guard let fault = faults[count] else { return nil }
    // Only writes can be short.
    return fault > 0 || name.hasPrefix("write") ? fault : nil
  }

  /// What a power cut leaves: everything synced, and of later writes a random part.
  func crash(_ dice: inout some RandomNumberGenerator) {
    var left = stored
    let common = min(left.count, cache.count)
    // Changes beyond what was synced reach the disk in part, in any order of blocks.
    if cache.count > left.count {
      let kept = Int.random(in: 0...(cache.count - left.count), using: &dice)
      for index in 0..<kept {
        let byte = cache[left.count]
        left.append(Bool.random(using: &dice) || index % 7 != 0 ? byte : 0)
      }
    } else if cache.count < left.count && Bool.random(using: &dice) {
      left.removeLast(left.count - cache.count)
    }
    for index in 0..<min(common, left.count) { left[index] = stored[index] }
    stored = left
    cache = left
    faults = [:]
    count = 0
  }
}

/// The ledger's calls on `FaultyDisk.current`.
struct FaultyCalls: FileCalls {
  private var disk: FaultyDisk { FaultyDisk.current }

  func open(_ path: UnsafePointer<CChar>) -> Int32 {
    if let fault = disk.next("open") { return -fault }
    return disk.isReadOnly ? -EROFS : 7
  }

  func lock(_ descriptor: Int32) -> Int32 { -(disk.next("lock") ?? 0) }

  func size(_ descriptor: Int32) -> Int64 {
    if let fault = disk.next("size") { return Int64(-fault) }
    return Int64(disk.cache.count)
  }

  func names(_ descriptor: Int32) -> Int32 {
    if let fault = disk.next("names") { return -fault }
    return disk.names
  }

  func read(
    _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64
  ) -> Int64 {
    if let fault = disk.next("read \(offset)") { return Int64(-fault) }
    let part = disk.cache.dropFirst(Int(offset)).prefix(count)
    for (index, byte) in part.enumerated() {
      bytes.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
    return Int64(part.count)
  }

  func write(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64
  ) -> Int64 {
    var allowed = min(count, max(0, disk.room - Int(offset)))
    if let fault = disk.next("write \(count) at \(offset)") {
      if fault > 0 { return Int64(-fault) }
      allowed = min(allowed, Int(-fault))
    }
    if allowed == 0 { return Int64(-ENOSPC) }
    let end = Int(offset) + allowed
    if disk.cache.count < end {
      disk.cache += [UInt8](repeating: 0, count: end - disk.cache.count)
    }
    for index in 0..<allowed {
      disk.cache[Int(offset) + index] = bytes.load(fromByteOffset: index, as: UInt8.self)
    }
    return Int64(allowed)
  }

  func truncate(_ descriptor: Int32, to size: Int64) -> Int32 {
    if let fault = disk.next("truncate \(size)") { return -fault }
    if disk.cache.count > size { disk.cache.removeLast(disk.cache.count - Int(size)) }
    return 0
  }

  func sync(_ descriptor: Int32) -> Int32 {
    if let fault = disk.next("sync") { return -fault }
    disk.stored = disk.cache
    return 0
  }

  func syncFolder(of path: UnsafePointer<CChar>) -> Int32 { -(disk.next("sync folder") ?? 0) }

  func close(_ descriptor: Int32) { disk.calls.append("close") }
}

/// A batch of one Rp1000 and one Rp500.
func batch() -> LedgerEntry {
  var entry = LedgerEntry(kind: .batch)
  entry.isDated = true
  entry.milliseconds = 1_796_030_102_120
  entry.total = 1500
  entry.counts.current[4] = 1
  entry.counts.current[3] = 1
  return entry
}

/// The bytes of entries of one session, with the numbers from `first` on.
func lines(_ entries: [LedgerEntry], first: Int = 1) -> [UInt8] {
  var bytes: [UInt8] = []
  for (index, entry) in entries.enumerated() {
    var numbered = entry
    numbered.sequence = first + index
    numbered.session = 1
    numbered.sessionTotal = (first + index) * entry.total
    let line = LedgerRecord.line(numbered)
    for place in 0..<line.count { bytes.append(line[place]) }
  }
  return bytes
}

/// The numbers of the entries that a reader finds, and how many lines are none.
func read(_ bytes: [UInt8]) -> (numbers: [Int], damaged: Int) {
  var scanner = LedgerScanner()
  var numbers: [Int] = []
  for byte in bytes {
    if case .entry(let entry) = scanner.take(byte) { numbers.append(entry.sequence) }
  }
  return (numbers, scanner.damagedLines)
}
