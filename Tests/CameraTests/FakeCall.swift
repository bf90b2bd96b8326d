import CSystem
import CVideo

@testable import Camera

/// One ioctl on a fake camera.
struct FakeCall {
  let node: FakeCamera.Node
  let session: FakeCamera.Session
  let argument: UnsafeMutableRawPointer
  private final class Notes { var violations: [String] = [] }
  private let notes = Notes()

  init(node: FakeCamera.Node, session: FakeCamera.Session, argument: UnsafeMutableRawPointer) {
    self.node = node
    self.session = session
    self.argument = argument
  }

  var violations: [String] { notes.violations }

  /// The log with this call added, and its result.
  func answer(_ request: UInt, _ name: String, _ log: [String]) -> ([String], Int32) {
    var detail = ""
    let result: Int32 =
      switch request {
      case UInt(cvideo_querycap): capability()
      case UInt(cvideo_enum_fmt): format(&detail)
      case UInt(cvideo_enum_frameintervals): interval(&detail)
      case UInt(cvideo_enum_framesizes): size()
      case UInt(cvideo_s_fmt): setFormat(&detail)
      case UInt(cvideo_g_parm), UInt(cvideo_s_parm): rate(request == UInt(cvideo_s_parm), &detail)
      case UInt(cvideo_queryctrl): queryControl(&detail)
      case UInt(cvideo_s_ctrl): setControl(&detail)
      case UInt(cvideo_reqbufs): requestBuffers(&detail)
      case UInt(cvideo_querybuf): queryBuffer(&detail)
      case UInt(cvideo_qbuf): queue(&detail)
      case UInt(cvideo_dqbuf): dequeue(&detail)
      case UInt(cvideo_streamon): stream(true)
      case UInt(cvideo_streamoff): stream(false)
      case UInt(cvideo_subscribe_event): -EINVAL
      case UInt(cvideo_dqevent): 0
      default: -ENOTTY
      }
    return (log + [detail.isEmpty ? name : "\(name) \(detail)"], result)
  }

  private var isMulti: Bool { node.abilities & cvideo_can_capture_multi != 0 }
  private var type: UInt32 { isMulti ? cvideo_capture_multi : cvideo_capture }

  private func value<Value>(_ type: Value.Type) -> UnsafeMutablePointer<Value> {
    argument.assumingMemoryBound(to: type)
  }

  private func capability() -> Int32 {
    let answer = value(v4l2_capability.self)
    answer.pointee.capabilities = node.abilities | cvideo_has_node_capabilities
    answer.pointee.device_caps = node.abilities
    withUnsafeMutableBytes(of: &answer.pointee.driver) { $0.copyBytes(from: "uvcvideo".utf8) }
    withUnsafeMutableBytes(of: &answer.pointee.card) { $0.copyBytes(from: node.card.utf8) }
    withUnsafeMutableBytes(of: &answer.pointee.bus_info) { $0.copyBytes(from: node.bus.utf8) }
    return 0
  }

  private func format(_ detail: inout String) -> Int32 {
    let answer = value(v4l2_fmtdesc.self)
    detail = "\(answer.pointee.index)"
    let index = Int(answer.pointee.index)
    guard answer.pointee.type == type, index < node.formats.count else { return -EINVAL }
    answer.pointee.pixelformat = node.formats[index].code
    return 0
  }

  private func interval(_ detail: inout String) -> Int32 {
    let answer = value(v4l2_frmivalenum.self)
    let code = answer.pointee.pixel_format
    detail = "\(FakeCamera.letters(code)) \(answer.pointee.index)"
    if !node.listsRates { return -ENOTTY }
    let rates = node.formats.first { $0.code == code }?.rates ?? []
    guard answer.pointee.index < rates.count else { return -EINVAL }
    answer.pointee.type = 1
    answer.pointee.discrete = v4l2_fract(
      numerator: 1, denominator: rates[Int(answer.pointee.index)])
    return 0
  }

  private func size() -> Int32 {
    let answer = value(v4l2_frmsizeenum.self)
    if answer.pointee.index > 0 { return -EINVAL }
    answer.pointee.type = 1
    answer.pointee.discrete = v4l2_frmsize_discrete(width: 640, height: 480)
    return 0
  }

  private func setFormat(_ detail: inout String) -> Int32 {
    let answer = value(v4l2_format.self)
    var copy = answer.pointee
    let asked = cvideo_read_format(&copy)
    detail = "\(FakeCamera.letters(asked.code)) \(asked.width)x\(asked.height)"
    if asked.field != cvideo_field_none { notes.violations.append("asked for fields") }
    if answer.pointee.type != type { return -EINVAL }
    if !isMulti {
      let perPixel: [UInt32: UInt32] = [
        cvideo_code_yuyv: 2, cvideo_code_uyvy: 2, cvideo_code_rgb24: 3, cvideo_code_bgr24: 3,
        cvideo_code_mjpg: 0,
      ]
      answer.pointee.fmt.pix.bytesperline = asked.width * (perPixel[asked.code] ?? 1)
      let isHalved = [cvideo_code_nv12, cvideo_code_nv21, cvideo_code_yu12].contains(asked.code)
      let line = max(answer.pointee.fmt.pix.bytesperline, 1)
      answer.pointee.fmt.pix.sizeimage = line * asked.height * (isHalved ? 3 : 2) / 2
      answer.pointee.fmt.pix.colorspace = 8
      answer.pointee.fmt.pix.priv = 0xfeed_cafe
    }
    node.adjust(&answer.pointee)
    session.format = answer.pointee
    var set = answer.pointee
    let format = cvideo_read_format(&set)
    session.lengths = (0..<Int(format.plane_count)).map {
      Int(StreamFormat.plane($0, format.size))
    }
    return 0
  }

  private func rate(_ isSetting: Bool, _ detail: inout String) -> Int32 {
    let answer = value(v4l2_streamparm.self)
    if isSetting {
      let asked = answer.pointee.parm.capture.timeperframe
      detail = "\(asked.numerator)/\(asked.denominator)"
    } else {
      answer.pointee.parm.capture.capability = cvideo_can_set_interval
    }
    return 0
  }

  private func queryControl(_ detail: inout String) -> Int32 {
    let answer = value(v4l2_queryctrl.self)
    detail = FakeCall.controlName(answer.pointee.id)
    guard let range = node.controls[answer.pointee.id] else { return -EINVAL }
    answer.pointee.minimum = range.lowerBound
    answer.pointee.maximum = range.upperBound
    return 0
  }

  private func setControl(_ detail: inout String) -> Int32 {
    let asked = value(v4l2_control.self).pointee
    detail = "\(FakeCall.controlName(asked.id)) \(asked.value)"
    guard let range = node.controls[asked.id] else { return -EINVAL }
    return range.contains(asked.value) ? 0 : -ERANGE
  }

  private func requestBuffers(_ detail: inout String) -> Int32 {
    let answer = value(v4l2_requestbuffers.self)
    detail = "\(answer.pointee.count)"
    if !session.mapped.isEmpty { return -EBUSY }
    session.memory.joined().forEach { $0.deallocate() }
    session.memory = []
    session.queued = []
    if answer.pointee.count == 0 { return 0 }
    answer.pointee.count = node.bufferCount
    session.memory = (0..<Int(node.bufferCount)).map { _ in
      session.lengths.map { .allocate(byteCount: $0, alignment: 64) }
    }
    return 0
  }

  private func queryBuffer(_ detail: inout String) -> Int32 {
    let answer = value(v4l2_buffer.self)
    detail = "\(answer.pointee.index)"
    let index = answer.pointee.index
    guard index < session.memory.count else { return -EINVAL }
    if isMulti {
      for plane in 0..<session.lengths.count {
        answer.pointee.m.planes[plane].length = UInt32(session.lengths[plane])
        answer.pointee.m.planes[plane].m.mem_offset = index * 0x10000 + UInt32(plane) * 0x1000
      }
      answer.pointee.length = UInt32(session.lengths.count)
    } else {
      answer.pointee.length = UInt32(session.lengths[0])
      answer.pointee.m.offset = index * 0x10000
    }
    return 0
  }

  private func queue(_ detail: inout String) -> Int32 {
    let index = Int(value(v4l2_buffer.self).pointee.index)
    detail = "\(index)"
    guard index < session.memory.count else { return -EINVAL }
    if session.queued.contains(index) || session.filled.contains(where: { $0.index == index }) {
      notes.violations.append("queued a buffer that is queued")
    }
    session.queued.append(index)
    return 0
  }

  private func dequeue(_ detail: inout String) -> Int32 {
    guard let next = session.filled.first else { return -EAGAIN }
    session.filled.removeFirst()
    detail = "\(next.index)"
    let answer = value(v4l2_buffer.self)
    answer.pointee.index = UInt32(next.index)
    answer.pointee.flags = next.frame.flags | (node.isMonotonic ? cvideo_buffer_monotonic : 0)
    answer.pointee.sequence = session.sequence
    answer.pointee.timestamp.tv_sec = Int(next.time / 1000)
    answer.pointee.timestamp.tv_usec = Int(next.time % 1000) * 1000
    if isMulti {
      for plane in 0..<session.lengths.count {
        answer.pointee.m.planes[plane].bytesused = UInt32(
          next.frame.used ?? next.frame.planes[plane].count)
      }
      answer.pointee.length = UInt32(session.lengths.count)
    } else {
      answer.pointee.bytesused = UInt32(next.frame.used ?? next.frame.planes[0].count)
    }
    return 0
  }

  private func stream(_ isOn: Bool) -> Int32 {
    session.isStreaming = isOn
    if !isOn {
      session.queued = []
      session.filled = []
    }
    return 0
  }

  private static func controlName(_ id: UInt32) -> String {
    let names = [
      cvideo_control_power_line: "mains", cvideo_control_exposure_mode: "exposure-mode",
      cvideo_control_exposure_priority: "exposure-priority", cvideo_control_exposure: "exposure",
      cvideo_control_white_balance_auto: "white-balance-auto",
      cvideo_control_white_balance: "white-balance", cvideo_control_focus_auto: "focus-auto",
      cvideo_control_focus: "focus",
    ]
    return names[id] ?? "\(id)"
  }
}
