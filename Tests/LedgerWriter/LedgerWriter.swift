// Appends entries to a ledger as fast as it can, until it is killed: for tests. Prints the number
// of each entry once it is on the disk.
import CSystem
import Counting
import Ledger

@main
struct LedgerWriter {
  static func main() {
    guard let arguments = csystem_arguments(), let path = arguments[1] else { exit(2) }
    var file = LedgerFile(path: path, calls: SystemFileCalls())
    while true {
      var entry = LedgerEntry(kind: .batch)
      entry.stamp()
      entry.total = 1600
      entry.counts.current[4] = 1
      entry.counts.current[3] = 1
      entry.counts.current[1] = 1
      do {
        try file.append(&entry)
      } catch {
        exit(1)
      }
      var number = entry.sequence
      if write(1, &number, MemoryLayout<Int>.size) < 0 { exit(1) }
    }
  }
}
