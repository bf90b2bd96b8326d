import CSystem

/// Answers device calls in place of the kernel, and notes them in order.
package final class FakeKernel {
  /// A call as it was made.
  package enum Call: Equatable {
    case open(String, Int32)
    case close(Int32)
    case read(Int32)
    case write(Int32, [UInt8])
    case control(Int32, UInt)
    case poll(Int32)
  }

  /// Every call made, except reads that found nothing.
  package var calls: [Call] = []
  /// Gives the descriptor for a path, or an `errno` made negative.
  package var open: (String) -> Int32 = { _ in -ENOENT }
  /// Gives the bytes that are read, or throws an `errno`; empty for the end.
  package var read: (Int32) throws(FakeError) -> [UInt8] = { _ throws(FakeError) in
    throw FakeError(code: EAGAIN)
  }
  /// Gives how many of the bytes are taken, or an `errno` made negative.
  package var write: (Int32, [UInt8]) -> Int = { $1.count }
  /// Answers a control call by 0 or an `errno` made negative; may change the argument.
  package var control: (Int32, UInt, UnsafeMutableRawPointer?) -> Int32 = { _, _, _ in 0 }
  /// Answers a wait for a descriptor, -1 for none, of so many milliseconds by the events that came.
  package var poll: (Int32, Int32) -> Int16 = { _, _ in 0 }
  /// Gives the memory at an offset of a descriptor, or `nil` for ENOMEM.
  package var map: (Int32, Int, Int64) -> UnsafeMutableRawPointer? = { _, _, _ in nil }
  /// Learns of memory given back.
  package var unmap: (UnsafeMutableRawPointer?, Int) -> Void = { _, _ in }
  /// Learns of a descriptor closed.
  package var closed: (Int32) -> Void = { _ in }
  /// The monotonic clock.
  package var milliseconds: Int64 = 0

  package init() {}

  /// An `errno` a call fails with.
  package struct FakeError: Error {
    package var code: Int32
    package init(code: Int32) { self.code = code }
  }

  /// Answers the calls that `body` makes on this thread.
  package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    var table = csystem_stand_in()
    table.context = Unmanaged.passUnretained(self).toOpaque()
    table.open = { FakeKernel.of($0).answer(open: $1, $2) }
    table.close = { FakeKernel.of($0).answer(close: $1) }
    table.read = { FakeKernel.of($0).answer(read: $1, $2, $3) }
    table.write = { FakeKernel.of($0).answer(write: $1, $2, $3) }
    table.ioctl = { FakeKernel.of($0).answer(control: $1, $2, $3) }
    table.poll = { FakeKernel.of($0).answer(poll: $1, $2) }
    table.map = { context, count, _, descriptor, offset in
      FakeKernel.of(context).answer(map: descriptor, count, offset)
    }
    table.unmap = { context, base, count in
      FakeKernel.of(context).unmap(base, count)
      return 0
    }
    table.milliseconds = { FakeKernel.of($0).milliseconds }
    return try withUnsafePointer(to: &table) { pointer in
      csystem_stand_in_for_kernel(pointer)
      defer { csystem_stand_in_for_kernel(nil) }
      return try body()
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> FakeKernel {
    guard let context else { preconditionFailure("no fake kernel") }
    return Unmanaged<FakeKernel>.fromOpaque(context).takeUnretainedValue()
  }

  private func answer(open path: UnsafePointer<CChar>?, _ flags: Int32) -> Int32 {
    let name = path.map { String(cString: $0) } ?? ""
    calls.append(.open(name, flags))
    return failing(open(name))
  }

  private func answer(close descriptor: Int32) -> Int32 {
    calls.append(.close(descriptor))
    closed(descriptor)
    return 0
  }

  private func answer(poll waiting: UnsafeMutablePointer<pollfd>?, _ milliseconds: Int32) -> Int32 {
    let events = poll(waiting?.pointee.fd ?? -1, milliseconds)
    waiting?.pointee.revents = events
    return events == 0 ? 0 : 1
  }

  private func answer(map descriptor: Int32, _ count: Int, _ offset: Int64)
    -> UnsafeMutableRawPointer?
  {
    if let base = map(descriptor, count, offset) { return base }
    csystem_set_errno(ENOMEM)
    return UnsafeMutableRawPointer(bitPattern: -1)
  }

  private func answer(
    read descriptor: Int32, _ destination: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int {
    do throws(FakeError) {
      let bytes = try read(descriptor)
      calls.append(.read(descriptor))
      let taken = min(bytes.count, count)
      bytes.withUnsafeBytes { source in
        if let base = source.baseAddress { destination?.copyMemory(from: base, byteCount: taken) }
      }
      return taken
    } catch {
      csystem_set_errno(error.code)
      return -1
    }
  }

  private func answer(
    write descriptor: Int32, _ source: UnsafeRawPointer?, _ count: Int
  ) -> Int {
    let bytes = Array(UnsafeRawBufferPointer(start: source, count: count))
    let result = write(descriptor, bytes)
    calls.append(.write(descriptor, result > 0 ? Array(bytes.prefix(result)) : bytes))
    if result >= 0 { return result }
    csystem_set_errno(Int32(-result))
    return -1
  }

  private func answer(
    control descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    calls.append(.control(descriptor, request))
    return failing(control(descriptor, request, argument))
  }

  private func failing(_ result: Int32) -> Int32 {
    if result >= 0 { return result }
    csystem_set_errno(-result)
    return -1
  }
}
