import CSystem
import CVideo
import Counting
import Devices
import Frames

/// A camera with mapped buffers, streaming once started; stopped, unmapped and closed with its
/// owner.
struct CameraStream: ~Copyable {
  /// The node.
  let node: VideoNode
  /// What the driver has set.
  let format: StreamFormat
  /// Turns frames into samples where neither this program nor the camera can.
  let converter: ForeignConverter?
  /// Whether every control asked for with a value could be set.
  let hasControls: Bool
  private let buffers: MappedBuffers

  /// Negotiates a format, sets rate and controls, and maps buffers.
  init(_ node: consuming VideoNode, _ settings: CameraSettings) throws(Degradation) {
    var converter: ForeignConverter?
    var format = try Negotiation.run(node, settings, converter: &converter)
    let rate = node.setRate(settings.rate)
    format.rateNumerator = rate.numerator
    format.rateDenominator = rate.denominator
    let hasControls = node.apply(settings)
    node.watchSource()
    let buffers = try MappedBuffers(node, format: format)
    self.buffers = buffers
    self.hasControls = hasControls
    self.format = format
    self.converter = converter
    self.node = node
  }

  deinit {
    // What fails here does not matter: a camera that is gone fails everything.
    var type = Int32(bitPattern: node.type)
    try? node.file.control(UInt(cvideo_streamoff), &type)
    buffers.unmap()
    var request = v4l2_requestbuffers()
    request.type = node.type
    request.memory = cvideo_memory_map
    try? node.file.control(UInt(cvideo_reqbufs), &request)
  }

  /// How many buffers go round.
  var bufferCount: Int { buffers.count }

  /// Hands all buffers to the driver and starts the camera.
  func start() throws(Degradation) {
    do throws(SystemError) {
      for index in 0..<bufferCount { try enqueue(index) }
      var type = Int32(bitPattern: node.type)
      try node.file.control(UInt(cvideo_streamon), &type)
    } catch {
      throw error.asCameraFault
    }
  }

  /// Hands a buffer to the driver. Precondition: `index < bufferCount`, and it was taken out.
  func enqueue(_ index: Int) throws(SystemError) {
    precondition(index < bufferCount)
    var buffer = v4l2_buffer()
    var planes = [3 of v4l2_plane](repeating: v4l2_plane())
    try planes.withPlanes { base throws(SystemError) in
      cvideo_prepare_buffer(&buffer, base, node.type, UInt32(index))
      try node.file.control(UInt(cvideo_qbuf), &buffer)
    }
  }

  /// Takes a filled buffer out; `mustWait` of the error says that there is none.
  func dequeue() throws(SystemError) -> cvideo_buffer {
    var buffer = v4l2_buffer()
    var planes = [3 of v4l2_plane](repeating: v4l2_plane())
    return try planes.withPlanes { base throws(SystemError) in
      cvideo_prepare_buffer(&buffer, base, node.type, 0)
      try node.file.control(UInt(cvideo_dqbuf), &buffer)
      return cvideo_read_buffer(&buffer)
    }
  }

  /// Waits at most `milliseconds` for frames or events; the events of poll(2), 0 for none.
  func wait(milliseconds: Int32) -> Int32 {
    csystem_device_poll(
      node.file.descriptor, Int16(POLLIN) | Int16(POLLPRI), milliseconds)
  }

  /// The frame in a buffer just taken out; `nil` where the driver filled in less than a whole one.
  func frame(_ buffer: cvideo_buffer) -> CameraFrame? {
    let index = Int(buffer.index)
    var frame = CameraFrame(format)
    for plane in 0..<format.mappedPlanes {
      let used = Int(StreamFormat.plane(plane, buffer.used))
      let start = Int(StreamFormat.plane(plane, buffer.start))
      let mapped = buffers.bytes(index, plane: plane)
      guard used >= format.bytes(plane: plane), start <= mapped.count - used,
        let base = mapped.baseAddress
      else { return nil }
      frame.planes[plane] = base + start
      frame.bytes = used
    }
    if format.encoding == .motionJPEG && !frame.beginsAsJPEG { return nil }
    frame.capturedAt = buffer.milliseconds
    return frame
  }
}

extension CameraStream {
  /// Has libv4l convert a frame into one of its two pictures; `nil` when the frame is damaged.
  func convert(_ bytes: UnsafeRawPointer, count: Int, into picture: Int) -> UnsafeRawPointer? {
    converter?.convert(bytes, count: count, into: picture) ?? nil
  }
}
