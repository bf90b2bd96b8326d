import CSystem

/// A file of a few thousand bytes that is read and replaced as a whole.
///
/// It is written beside its place, synced and renamed, so that a power cut leaves the file before
/// or the file after.
enum SmallFile {
  /// Longest path in bytes, with its NUL and the ending of the file beside it.
  static let pathCapacity = 512

  /// Reads a file to its end, or to the memory's; how many bytes there are, or a negative `errno`.
  static func read(
    _ path: UnsafePointer<CChar>, into bytes: inout MutableSpan<UInt8>
  ) -> Int {
    let descriptor = csystem_file_open_reading(path)
    if descriptor < 0 { return Int(descriptor) }
    defer { csystem_file_close(descriptor) }
    var count = 0
    while count < bytes.count {
      let room = bytes.count - count
      let received = bytes.withUnsafeMutableBytes { buffer in
        csystem_file_read(descriptor, buffer.baseAddress.map { $0 + count }, room, Int64(count))
      }
      if received == -Int64(EINTR) { continue }
      if received < 0 { return Int(received) }
      if received == 0 { break }
      count += Int(received)
    }
    return count
  }

  /// Puts a file of `bytes` in the place of the one before; 0, or a negative `errno`.
  static func replace(_ path: UnsafePointer<CChar>, with bytes: Span<UInt8>) -> Int32 {
    let ending: StaticString = ".new"
    let length = strlen(path)
    if length + ending.utf8CodeUnitCount >= pathCapacity { return -ENAMETOOLONG }
    var beside = InlineArray<512, CChar>(repeating: 0)
    for index in 0..<length { beside[index] = path[index] }
    for index in 0..<ending.utf8CodeUnitCount {
      beside[length + index] = CChar(bitPattern: ending.utf8Start[index])
    }
    return beside.span.withUnsafeBufferPointer { name in
      guard let base = name.baseAddress else { return -EINVAL }
      let result = write(base, bytes)
      if result < 0 { return result }
      let renamed = csystem_file_rename(base, path)
      return renamed < 0 ? renamed : csystem_file_sync_folder(path)
    }
  }

  private static func write(_ path: UnsafePointer<CChar>, _ bytes: Span<UInt8>) -> Int32 {
    let descriptor = csystem_file_open(path)
    if descriptor < 0 { return descriptor }
    defer { csystem_file_close(descriptor) }
    let cut = csystem_file_truncate(descriptor, 0)
    if cut < 0 { return cut }
    var position = 0
    while position < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        csystem_file_write(
          descriptor, buffer.baseAddress.map { $0 + position }, bytes.count - position,
          Int64(position))
      }
      if written == -Int64(EINTR) { continue }
      if written <= 0 { return written < 0 ? Int32(written) : -EIO }
      position += Int(written)
    }
    return csystem_file_sync(descriptor)
  }
}

/// Numbers of a small file, little-endian.
extension Span where Element == UInt8 {
  /// The four bytes at `offset` as a number.
  func number(at offset: Int) -> UInt32 {
    var number: UInt32 = 0
    for index in 0..<4 { number |= UInt32(self[offset + index]) << UInt32(8 * index) }
    return number
  }
}

extension MutableSpan where Element == UInt8 {
  /// Puts a number into the four bytes at `offset`.
  mutating func put(_ number: UInt32, at offset: Int) {
    for index in 0..<4 { self[offset + index] = UInt8(number >> UInt32(8 * index) & 255) }
  }
}
