import CSystem

/// The system calls the ledger makes: the one point where faults can be injected.
///
/// Results below 0 are negative `errno`s.
public protocol FileCalls {
  /// Makes the calls of a process that has made none yet.
  init()
  /// Opens a file to be read and written, made if it is missing.
  mutating func open(_ path: UnsafePointer<CChar>) -> Int32
  /// Keeps other processes out; -EWOULDBLOCK where one is in.
  mutating func lock(_ descriptor: Int32) -> Int32
  /// The file's size in bytes.
  mutating func size(_ descriptor: Int32) -> Int64
  /// How many names the file has; 0 once it has been deleted.
  mutating func names(_ descriptor: Int32) -> Int32
  /// Reads at `offset`; how many bytes, 0 at the end.
  mutating func read(
    _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64
  ) -> Int64
  /// Writes at `offset`; how many bytes, perhaps fewer than asked for.
  mutating func write(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64
  ) -> Int64
  /// Cuts the file to `size` bytes.
  mutating func truncate(_ descriptor: Int32, to size: Int64) -> Int32
  /// Waits until the file is on the disk.
  mutating func sync(_ descriptor: Int32) -> Int32
  /// Waits until the names in the folder of `path` are on the disk.
  mutating func syncFolder(of path: UnsafePointer<CChar>) -> Int32
  /// Closes the file, which gives its lock up.
  mutating func close(_ descriptor: Int32)
}

/// The calls as the system makes them.
public struct SystemFileCalls: FileCalls {
  /// Makes the system's calls.
  public init() {}

  /// The corresponding C function is `open`.
  public mutating func open(_ path: UnsafePointer<CChar>) -> Int32 { csystem_file_open(path) }

  /// The corresponding C function is `flock`.
  public mutating func lock(_ descriptor: Int32) -> Int32 { csystem_file_lock(descriptor) }

  /// The corresponding C function is `fstat`.
  public mutating func size(_ descriptor: Int32) -> Int64 { csystem_file_size(descriptor) }

  /// The corresponding C function is `fstat`.
  public mutating func names(_ descriptor: Int32) -> Int32 { csystem_file_names(descriptor) }

  /// The corresponding C function is `pread`.
  public mutating func read(
    _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64
  ) -> Int64 {
    csystem_file_read(descriptor, bytes, count, offset)
  }

  /// The corresponding C function is `pwrite`.
  public mutating func write(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64
  ) -> Int64 {
    csystem_file_write(descriptor, bytes, count, offset)
  }

  /// The corresponding C function is `ftruncate`.
  public mutating func truncate(_ descriptor: Int32, to size: Int64) -> Int32 {
    csystem_file_truncate(descriptor, size)
  }

  /// The corresponding C function is `fsync`.
  public mutating func sync(_ descriptor: Int32) -> Int32 { csystem_file_sync(descriptor) }

  /// The corresponding C function is `fsync`.
  public mutating func syncFolder(of path: UnsafePointer<CChar>) -> Int32 {
    csystem_file_sync_folder(path)
  }

  /// The corresponding C function is `close`.
  public mutating func close(_ descriptor: Int32) { csystem_file_close(descriptor) }
}
