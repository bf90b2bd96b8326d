import CSystem
import CVideo
import TestSupport

@testable import Camera

/// Cameras that answer V4L2's calls as drivers do, and hold the caller to V4L2's rules.
///
/// Every call is noted by its name; what breaks a rule is noted as a violation.
final class FakeCamera {
  /// What a node is and does.
  struct Node {
    var card = "Tray Camera"
    var bus = "usb-0000:01:00.0-1.3"
    var abilities = cvideo_can_capture | cvideo_can_stream
    /// Codes and the rates offered at 640 × 480; no rates for a size not offered.
    var formats: [(code: UInt32, rates: [UInt32])] = [(cvideo_code_yuyv, [30, 15])]
    /// Whether the driver lists rates at all.
    var listsRates = true
    var openError: Int32 = 0
    /// Requests that fail, and how.
    var errors: [UInt: Int32] = [:]
    /// Changes the format asked for into the one set.
    var adjust: (inout v4l2_format) -> Void = FakeCamera.shrink
    var controls: [UInt32: ClosedRange<Int32>] = [:]
    var bufferCount: UInt32 = 4
    var isMapRefused = false
    /// Whether timestamps are of the monotonic clock.
    var isMonotonic = true
  }

  /// A frame about to be filled in.
  struct Frame {
    var planes: [[UInt8]]
    var flags: UInt32 = 0
    var used: Int?
    var age: Int64 = 0
  }

  let kernel = FakeKernel()
  var nodes: [String: Node] = ["/dev/video0": Node()]
  private(set) var log: [String] = []
  private(set) var violations: [String] = []
  /// Errors the next dequeuing calls fail with.
  var dequeueErrors: [Int32] = []
  /// Events that come besides frames.
  var events: Int16 = 0
  /// What the loop's thread does while the camera's waits.
  var meanwhile: () -> Void = {}
  /// Whether a camera pulled out says nothing of it.
  var isMute = false

  private var sessions: [Int32: Session] = [:]
  private var nextDescriptor: Int32 = 10

  init() {
    kernel.milliseconds = 100_000
    kernel.open = { [unowned self] in self.open($0) }
    kernel.closed = { [unowned self] in self.close($0) }
    kernel.control = { [unowned self] in self.control($0, $1, $2) }
    kernel.poll = { [unowned self] in self.poll($0, $1) }
    kernel.map = { [unowned self] in self.map($0, $1, $2) }
    kernel.unmap = { [unowned self] in self.unmap($0, $1) }
  }

  /// The calls since the last time this was asked.
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// Whether something is open.
  var isOpen: Bool { !sessions.isEmpty }

  /// The open camera's streaming session.
  var session: Session? { sessions.values.first { $0.isStreaming } }

  /// Has the streaming camera fill its next buffer; returns whether it had one.
  @discardableResult
  func deliver(_ frame: Frame) -> Bool {
    guard let session, let index = session.queued.first else { return false }
    session.queued.removeFirst()
    for (plane, bytes) in frame.planes.enumerated() {
      session.memory[index][plane].copyMemory(
        from: bytes, byteCount: min(bytes.count, session.lengths[plane]))
    }
    session.filled.append((index, frame, kernel.milliseconds - frame.age))
    session.sequence += 1
    return true
  }

  /// Pulls the camera out.
  func unplug(_ path: String) {
    nodes[path] = nil
    for session in sessions.values where session.path == path { session.isGone = true }
  }

  /// What is kept for an open descriptor.
  final class Session {
    let path: String
    var format = v4l2_format()
    var lengths: [Int] = []
    var memory: [[UnsafeMutableRawPointer]] = []
    var mapped: Set<UnsafeMutableRawPointer> = []
    var queued: [Int] = []
    var filled: [(index: Int, frame: Frame, time: Int64)] = []
    var isStreaming = false
    var isGone = false
    var sequence: UInt32 = 0

    init(path: String) { self.path = path }

    deinit { memory.joined().forEach { $0.deallocate() } }
  }

  private func open(_ path: String) -> Int32 {
    guard let node = nodes[path] else { return -ENOENT }
    log.append("open \(path)")
    if node.openError != 0 { return -node.openError }
    nextDescriptor += 1
    sessions[nextDescriptor] = Session(path: path)
    return nextDescriptor
  }

  private func close(_ descriptor: Int32) {
    log.append("close")
    if let session = sessions[descriptor], !session.mapped.isEmpty {
      violations.append("closed with buffers mapped")
    }
    sessions[descriptor] = nil
  }

  private func poll(_ descriptor: Int32, _ milliseconds: Int32) -> Int16 {
    guard let session = sessions[descriptor] else {
      kernel.milliseconds += Int64(milliseconds)
      return 0
    }
    meanwhile()
    if session.isGone && !isMute { return Int16(POLLERR | POLLHUP) }
    var result = events
    events = 0
    if !session.filled.isEmpty || !dequeueErrors.isEmpty { result |= Int16(POLLIN) }
    if result == 0 { kernel.milliseconds += Int64(milliseconds) }
    return result
  }

  private func map(
    _ descriptor: Int32, _ count: Int, _ offset: Int64
  ) -> UnsafeMutableRawPointer? {
    guard let session = sessions[descriptor], let node = nodes[session.path],
      !node.isMapRefused
    else { return nil }
    let (index, plane) = (Int(offset) / 0x10000, Int(offset) / 0x1000 % 16)
    log.append(plane == 0 ? "mmap \(index)" : "mmap \(index).\(plane)")
    if count != session.lengths[plane] { violations.append("mapped another length") }
    let base = session.memory[index][plane]
    session.mapped.insert(base)
    return base
  }

  private func unmap(_ base: UnsafeMutableRawPointer?, _ count: Int) {
    log.append("munmap")
    guard let base else { return }
    if !sessions.values.contains(where: { $0.mapped.remove(base) != nil }) {
      violations.append("unmapped what was not mapped")
    }
  }

  private func control(
    _ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let session = sessions[descriptor], let argument else { return -EBADF }
    let name = FakeCamera.name(request)
    guard !session.isGone, let node = nodes[session.path] else {
      log.append(name)
      if request == UInt(cvideo_dqbuf) && isMute { return -EAGAIN }
      return -ENODEV
    }
    if let error = node.errors[request] {
      log.append(name)
      return -error
    }
    let call = FakeCall(node: node, session: session, argument: argument)
    let result: Int32
    if request == UInt(cvideo_dqbuf), !dequeueErrors.isEmpty {
      log.append(name)
      return -dequeueErrors.removeFirst()
    }
    (log, result) = call.answer(request, name, log)
    violations += call.violations
    return result
  }

  /// A driver that has only small pictures, so that tests are quick: 64 × 48 in YUYV.
  static func shrink(_ format: inout v4l2_format) {
    format.fmt.pix.width = 64
    format.fmt.pix.height = 48
    format.fmt.pix.bytesperline = 128
    format.fmt.pix.sizeimage = 128 * 48
  }

  static func name(_ request: UInt) -> String {
    let names: [UInt: String] = [
      UInt(cvideo_querycap): "QUERYCAP", UInt(cvideo_enum_fmt): "ENUM_FMT",
      UInt(cvideo_enum_frameintervals): "ENUM_FRAMEINTERVALS", UInt(cvideo_s_fmt): "S_FMT",
      UInt(cvideo_g_parm): "G_PARM", UInt(cvideo_s_parm): "S_PARM",
      UInt(cvideo_queryctrl): "QUERYCTRL", UInt(cvideo_s_ctrl): "S_CTRL",
      UInt(cvideo_reqbufs): "REQBUFS", UInt(cvideo_querybuf): "QUERYBUF",
      UInt(cvideo_qbuf): "QBUF", UInt(cvideo_dqbuf): "DQBUF",
      UInt(cvideo_streamon): "STREAMON", UInt(cvideo_streamoff): "STREAMOFF",
      UInt(cvideo_subscribe_event): "SUBSCRIBE_EVENT", UInt(cvideo_dqevent): "DQEVENT",
      UInt(cvideo_enum_framesizes): "ENUM_FRAMESIZES",
    ]
    return names[request] ?? "other"
  }

  /// The four letters of a code.
  static func letters(_ code: UInt32) -> String {
    String(
      decoding: (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) }, as: UTF8.self)
  }
}
