import CSystem
import CVideo
import Counting
import Devices

/// An open V4L2 node that captures video by streaming, closed with its owner.
public struct VideoNode: ~Copyable {
  /// The open node.
  let file: DeviceFile
  /// Where it is and what it is.
  public let identity: CameraIdentity
  /// What kind of buffers it has: `cvideo_capture` or `cvideo_capture_multi`.
  let type: UInt32

  /// Opens a node. Nothing is set yet, so that a camera in use is not disturbed.
  /// - Parameter path: NUL-terminated.
  public init(path: UnsafePointer<CChar>) throws(Degradation) {
    let file = try VideoNode.open(path)
    var capability = v4l2_capability()
    do throws(SystemError) {
      try file.control(UInt(cvideo_querycap), &capability)
    } catch {
      throw error.code == ENOTTY || error.code == EINVAL ? .cameraIsNone : error.asCameraFault
    }
    let abilities =
      capability.capabilities & cvideo_has_node_capabilities != 0
      ? capability.device_caps : capability.capabilities
    let isSingle = abilities & cvideo_can_capture != 0
    let captures = isSingle || abilities & cvideo_can_capture_multi != 0
    if !captures || abilities & cvideo_can_stream == 0 { throw .cameraIsNone }
    type = isSingle ? cvideo_capture : cvideo_capture_multi
    identity = CameraIdentity(capability)
    self.file = file
  }

  private static func open(_ path: UnsafePointer<CChar>) throws(Degradation) -> DeviceFile {
    do throws(SystemError) {
      // A call must never wait for the camera: poll does, for a limited time.
      return try DeviceFile(path: path, flags: O_RDWR | O_NONBLOCK)
    } catch {
      throw error.asOpening
    }
  }

  /// The code of the format at `index` of the node's list; `nil` behind the last.
  public func format(at index: UInt32) -> UInt32? {
    var description = v4l2_fmtdesc()
    description.index = index
    description.type = type
    do throws(SystemError) {
      try file.control(UInt(cvideo_enum_fmt), &description)
    } catch {
      return nil
    }
    return description.pixelformat
  }

  /// The highest rate at which the node offers a format in a size.
  public func rate(code: UInt32, width: UInt32, height: UInt32) -> OfferedRate {
    var best = OfferedRate.none
    // No camera has more rates for a size.
    for index: UInt32 in 0..<32 {
      var interval = v4l2_frmivalenum()
      interval.index = index
      interval.pixel_format = code
      interval.width = width
      interval.height = height
      do throws(SystemError) {
        try file.control(UInt(cvideo_enum_frameintervals), &interval)
      } catch {
        return index == 0 && error.code == ENOTTY ? .unknown : best
      }
      let rate = cvideo_read_interval(&interval)
      if rate.denominator > 0 {
        let thousandths = UInt64(rate.numerator) * 1000 / UInt64(rate.denominator)
        best = best.faster(.upTo(thousandths: UInt32(clamping: thousandths)))
      }
      if interval.type != 1 { return best }
    }
    return best
  }

  /// Has the driver set a format; it may set another, which is what is returned.
  func setFormat(code: UInt32, width: UInt32, height: UInt32) throws(SystemError) -> v4l2_format {
    var format = cvideo_make_format(type, code, width, height)
    try file.control(UInt(cvideo_s_fmt), &format)
    return format
  }

  /// Asks for `rate` frames a second; returns what the driver set, 0 over 0 where it has no say.
  func setRate(_ rate: UInt32) -> cvideo_rate {
    var parameters = v4l2_streamparm()
    parameters.type = type
    do throws(SystemError) {
      try file.control(UInt(cvideo_g_parm), &parameters)
      if parameters.parm.capture.capability & cvideo_can_set_interval != 0 {
        parameters.parm.capture.timeperframe = v4l2_fract(numerator: 1, denominator: rate)
        try file.control(UInt(cvideo_s_parm), &parameters)
      }
    } catch {
      return cvideo_rate(numerator: 0, denominator: 0)
    }
    let interval = parameters.parm.capture.timeperframe
    return cvideo_rate(numerator: interval.denominator, denominator: interval.numerator)
  }

  /// Asks to be told when the source changes its format; most cameras never do.
  func watchSource() {
    var subscription = v4l2_event_subscription()
    subscription.type = cvideo_event_source_change
    do throws(SystemError) {
      try file.control(UInt(cvideo_subscribe_event), &subscription)
    } catch {
      return
    }
  }

  /// Takes an event that `poll` told of; returns whether there was one.
  func takeEvent() -> Bool {
    var event = v4l2_event()
    do throws(SystemError) {
      try file.control(UInt(cvideo_dqevent), &event)
    } catch {
      return false
    }
    return true
  }
}

extension SystemError {
  /// What an error of opening a node means.
  var asOpening: Degradation {
    if isMissing { return .cameraMissing }
    if isForbidden { return .cameraForbidden }
    return code == EBUSY ? .cameraBusy : .cameraFailing
  }

  /// What an error of a call on an open node means.
  var asCameraFault: Degradation {
    if isMissing { return .cameraUnplugged }
    return code == EBUSY ? .cameraBusy : .cameraFailing
  }
}
