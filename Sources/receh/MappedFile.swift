import CSystem

/// A whole file, mapped to be read for as long as its owner lives.
///
/// Meant for files that are installed and replaced whole, such as a model: one that another program
/// shortens in place would end this one.
struct MappedFile: ~Copyable {
  /// The bytes of the file.
  let bytes: UnsafeRawBufferPointer

  /// Maps the file at `path`.
  ///
  /// - Parameters:
  ///   - path: a regular file that is not empty.
  ///   - command: who tells of a fault.
  ///   - writeName: writes how the file was named, such as `--model FILE`, for the error line.
  /// - Throws: `ExitStatus.usage` after telling of the fault.
  init(
    path: Argument, command: StaticString, _ writeName: (inout Output) -> Void
  ) throws(ExitStatus) {
    let descriptor = csystem_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    defer { if descriptor >= 0 { close(descriptor) } }
    var status = stat()
    var base: UnsafeRawPointer?
    let isFile =
      descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_mode & 0o170000 == 0o100000
    if isFile && status.st_size > 0 { base = csystem_map(descriptor, Int(status.st_size)) }
    guard let base else {
      let code = csystem_errno()
      complain(command) { line in
        writeName(&line)
        if descriptor < 0 || isFile && status.st_size > 0 {
          line.write(": cannot be read (")
          line.write(error: code)
          line.write("); check the name and who may read it")
        } else {
          line.write(isFile ? ": is empty" : ": is not a file")
          line.write("; name the file itself")
        }
      }
      throw .usage
    }
    bytes = UnsafeRawBufferPointer(start: base, count: Int(status.st_size))
  }

  deinit {
    csystem_unmap(bytes.baseAddress, bytes.count)
  }
}
