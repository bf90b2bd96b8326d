import CPNG
import CSystem

extension Picture {
  /// Writes the picture as a PNG file, replacing what was there; a file that cannot be finished is
  /// removed.
  ///
  /// - Parameter path: where to write.
  /// - Throws: `PictureError.cannotCreate`, `cannotWrite` or `outOfMemory`.
  public borrowing func write(png path: UnsafePointer<CChar>) throws(PictureError) {
    let descriptor = csystem_create(path)
    if descriptor < 0 { throw .cannotCreate(errno: csystem_errno()) }
    do {
      try write(png: descriptor)
    } catch {
      close(descriptor)
      var status = stat()
      if stat(path, &status) == 0 && status.st_mode & 0o170000 == 0o100000 { unlink(path) }
      throw error
    }
    // Some file systems tell of a full disk only now.
    if close(descriptor) != 0 { throw .cannotWrite(errno: csystem_errno()) }
  }

  private borrowing func write(png descriptor: Int32) throws(PictureError) {
    guard let writer = cpng_writer_make(descriptor, UInt32(width), UInt32(height)) else {
      throw .outOfMemory(bytes: 1 << 20)
    }
    defer { cpng_writer_free(writer) }
    var isDone = cpng_writer_start(writer)
    var y = 0
    while isDone && y < height {
      isDone = cpng_writer_write_row(writer, base + offset(0, y))
      y += 1
    }
    if isDone && cpng_writer_finish(writer) { return }
    let code = cpng_writer_errno(writer)
    if code == 0 { throw .outOfMemory(bytes: 4 * width) }
    throw .cannotWrite(errno: code)
  }
}
