import CSystem

/// A whole file in memory owned here.
///
/// The file is read, not mapped: another program that shortens a mapped file ends this one.
struct FileContents: ~Copyable {
  private let base: UnsafeMutablePointer<UInt8>
  private let count: Int

  /// Reads the file at `path`, which is never waited for.
  ///
  /// - Throws: the cases of `PictureError` about opening, reading and the size of files.
  init(path: UnsafePointer<CChar>, limit: Int) throws(PictureError) {
    let file = try Descriptor(opening: path)
    let size = try file.regularSize()
    if size == 0 { throw .isEmpty }
    if size > limit { throw .fileTooLarge(bytes: size) }
    guard let memory = malloc(size) else { throw .outOfMemory(bytes: size) }
    let base = memory.assumingMemoryBound(to: UInt8.self)
    let count: Int
    do {
      count = try file.read(into: base, capacity: size)
    } catch {
      free(base)
      throw error
    }
    self.base = base
    self.count = count
  }

  deinit {
    free(base)
  }

  /// The bytes of the file.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      let span = unsafe Span(_unsafeStart: UnsafePointer(base), count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}

/// An open file descriptor, closed with its owner.
private struct Descriptor: ~Copyable {
  let number: Int32

  /// Opens for reading; a pipe or device is opened without waiting.
  init(opening path: UnsafePointer<CChar>) throws(PictureError) {
    number = csystem_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    if number < 0 { throw .cannotOpen(errno: csystem_errno()) }
  }

  deinit {
    close(number)
  }

  /// The size in bytes of a regular file.
  borrowing func regularSize() throws(PictureError) -> Int {
    var status = stat()
    if fstat(number, &status) != 0 { throw .cannotRead(errno: csystem_errno()) }
    switch status.st_mode & 0o170000 {
    case 0o100000: return Int(status.st_size)
    case 0o040000: throw .isDirectory
    default: throw .isNotFile
    }
  }

  /// Reads until `capacity` bytes or the file's end; returns how many bytes there were.
  borrowing func read(
    into destination: UnsafeMutablePointer<UInt8>, capacity: Int
  ) throws(PictureError) -> Int {
    var total = 0
    while total < capacity {
      let received = CSystem.read(number, destination + total, capacity - total)
      if received == 0 { break }
      if received < 0 {
        let code = csystem_errno()
        if code == EINTR { continue }
        throw .cannotRead(errno: code)
      }
      total += received
    }
    return total
  }
}
