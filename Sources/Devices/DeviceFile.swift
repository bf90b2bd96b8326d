import CSystem

/// An open device, closed with its owner.
public struct DeviceFile: ~Copyable {
  /// The descriptor, for calls that have no method here.
  public let descriptor: Int32

  /// Opens a device. The corresponding C function is `open`.
  /// - Parameters:
  ///   - path: its NUL-terminated path.
  ///   - flags: such as `O_RDWR | O_NONBLOCK`; it is never inherited and never becomes the
  ///     controlling terminal.
  public init(path: UnsafePointer<CChar>, flags: Int32) throws(SystemError) {
    let opened = csystem_device_open(path, flags)
    // Nothing is owned yet that a throw would close.
    if opened < 0 { throw SystemError.last }
    descriptor = opened
  }

  deinit {
    _ = csystem_device_close(descriptor)
  }

  /// Reads what is there. The corresponding C function is `read`.
  /// - Parameters:
  ///   - bytes: room for `count` bytes.
  ///   - count: most bytes to read, at least 1.
  /// - Returns: how many bytes were read; 0 at the end, such as after a hang-up.
  public func read(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) throws(SystemError) -> Int {
    let result = csystem_device_read(descriptor, bytes, count)
    if result < 0 { throw SystemError.last }
    return result
  }

  /// Writes bytes. The corresponding C function is `write`.
  /// - Returns: how many were taken, perhaps not all.
  public func write(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    let result = bytes.withUnsafeBufferPointer { buffer in
      csystem_device_write(descriptor, buffer.baseAddress, buffer.count)
    }
    if result < 0 { throw SystemError.last }
    return result
  }

  /// Makes a control call that takes or gives a value. The corresponding C function is `ioctl`.
  ///
  /// The value is of C: its structures with unions are no `BitwiseCopyable` to Swift.
  public func control<Value>(
    _ request: UInt, _ value: inout Value
  ) throws(SystemError) {
    let result = withUnsafeMutablePointer(to: &value) { pointer in
      csystem_device_ioctl(descriptor, request, pointer)
    }
    if result < 0 { throw SystemError.last }
  }
}
