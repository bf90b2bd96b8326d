import Announcing
import CSystem

/// The ledger's file, open to be appended to.
///
/// A line is written where the last whole one ends, and synced; where either fails, the file is cut
/// back. So whatever happens, the file holds every line that `append` returned from, at most one
/// more, and perhaps a torn beginning of one, which opening cuts off.
public struct LedgerFile<Calls: FileCalls>: ~Copyable {
  private let path: UnsafePointer<CChar>
  /// The system calls it makes.
  public var calls: Calls
  private var descriptor: Int32 = -1
  /// Bytes of the file that are whole lines, or were left as they are.
  private var length: Int64 = 0
  /// Whether bytes may follow that do not belong there.
  private var isTailDoubtful = false

  /// What the entries in the file say.
  public private(set) var start = LedgerStart()
  /// Lines among the file's entries that are none, as the last opening found them.
  public private(set) var damagedLines = 0
  /// Bytes of a torn last line that the last opening has cut off.
  public private(set) var trimmedBytes = 0

  /// Names a file, which is opened when it is needed; `path` must outlive this.
  public init(path: UnsafePointer<CChar>, calls: Calls) {
    self.path = path
    self.calls = calls
  }

  /// Opens the file, reads it, and cuts a torn last line off; does nothing to an open one.
  public mutating func open() throws(LedgerError) {
    if descriptor >= 0 { return }
    let opened = calls.open(path)
    if opened < 0 { throw .failed(errno: -opened) }
    descriptor = opened
    do throws(LedgerError) {
      let locked = calls.lock(descriptor)
      if locked < 0 { throw locked == -EWOULDBLOCK ? .inUse : .failed(errno: -locked) }
      let size = try scan()
      if size == 0 {
        // The file may be new: its name must survive a power cut as well.
        try check(calls.syncFolder(of: path))
      }
      if size > length { try trim(size) }
    } catch {
      close()
      throw error
    }
  }

  /// Gives `entry` the next number and its place in a session, and returns once it is on the disk.
  /// - Throws: `LedgerError` when it is not; then the entry is unchanged and may be tried again.
  public mutating func append(_ entry: inout LedgerEntry) throws(LedgerError) {
    // A file that was deleted or replaced while open would take entries nobody ever sees.
    if descriptor >= 0 && calls.names(descriptor) <= 0 { close() }
    try open()
    do throws(LedgerError) {
      if isTailDoubtful { try cutBack() }
      var numbered = entry
      start.number(&numbered)
      let line = LedgerRecord.line(numbered)
      try write(line)
      try check(calls.sync(descriptor))
      length += Int64(line.count)
      isTailDoubtful = false
      start.take(numbered)
      entry = numbered
    } catch {
      // After a failed write or sync nothing is known of the file: cut back, and read it anew.
      if isTailDoubtful { _ = calls.truncate(descriptor, to: length) }
      close()
      throw error
    }
  }

  private mutating func write(_ line: LedgerLine) throws(LedgerError) {
    var position = 0
    isTailDoubtful = true
    while position < line.count {
      let written = line.span.withUnsafeBytes { bytes in
        bytes.baseAddress.map {
          calls.write(
            descriptor, $0 + position, line.count - position, at: length + Int64(position))
        } ?? 0
      }
      if written == -Int64(EINTR) { continue }
      if written < 0 { throw .failed(errno: Int32(-written)) }
      if written == 0 { throw .failed(errno: EIO) }
      position += Int(written)
    }
  }

  /// Cuts off what may follow the last line.
  private mutating func cutBack() throws(LedgerError) {
    try check(calls.truncate(descriptor, to: length))
    try check(calls.sync(descriptor))
    isTailDoubtful = false
  }

  /// Deals with `size - length` bytes after the last line that ends.
  ///
  /// As much as one line can be is a torn one and is cut off. More than that no kill leaves behind:
  /// it stays, ended by a newline, for people to look at.
  private mutating func trim(_ size: Int64) throws(LedgerError) {
    if size - length <= LedgerFile.lineCapacity {
      trimmedBytes = Int(size - length)
      return try cutBack()
    }
    var newline = UInt8(ascii: "\n")
    let written = calls.write(descriptor, &newline, 1, at: size)
    if written != 1 { throw .failed(errno: written < 0 ? Int32(-written) : EIO) }
    try check(calls.sync(descriptor))
    damagedLines += 1
    length = size + 1
  }

  /// Reads the file and finds its entries; returns its size.
  ///
  /// Afterwards `length` is the end of the last line that is an entry, or that is followed by too
  /// much to be a torn line.
  private mutating func scan() throws(LedgerError) -> Int64 {
    let size = calls.size(descriptor)
    if size < 0 { throw .failed(errno: Int32(-size)) }
    // Numbers go on where they were even if the file has been replaced by an empty one.
    let known = start.sequence
    start = LedgerStart()
    damagedLines = 0
    trimmedBytes = 0
    length = 0
    var scanner = LedgerScanner()
    var block = InlineArray<4096, UInt8>(repeating: 0)
    var offset: Int64 = 0
    while offset < size {
      var bytes = block.mutableSpan
      let count = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map {
          calls.read(descriptor, $0, min(buffer.count, Int(size - offset)), at: offset)
        } ?? 0
      }
      if count == -Int64(EINTR) { continue }
      if count < 0 { throw .failed(errno: Int32(-count)) }
      // A file that ends before its size is not to be judged, let alone cut.
      if count == 0 { throw .failed(errno: EIO) }
      for index in 0..<Int(count) {
        guard let found = scanner.take(block[index]) else { continue }
        switch found {
        case .entry(let entry):
          start.take(entry)
          damagedLines = scanner.damagedLines
          length = offset + Int64(index) + 1
        case .damaged:
          // Bytes further back than a torn line reaches were not left by a kill.
          if size - length > LedgerFile.lineCapacity { length = offset + Int64(index) + 1 }
        }
      }
      offset += count
    }
    if length == size || size - length > LedgerFile.lineCapacity {
      damagedLines = scanner.damagedLines
    }
    start.sequence = max(start.sequence, known)
    return offset
  }

  private static var lineCapacity: Int64 { 640 }

  /// Closes the file, which gives its lock up.
  public mutating func close() {
    if descriptor >= 0 { calls.close(descriptor) }
    descriptor = -1
    isTailDoubtful = false
  }

  private func check(_ result: Int32) throws(LedgerError) {
    if result < 0 { throw .failed(errno: -result) }
  }
}
