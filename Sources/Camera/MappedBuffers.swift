import CSystem
import CVideo
import Counting
import Devices

/// The driver's frame buffers, mapped into this process; whoever has them unmaps them.
struct MappedBuffers {
  /// Most buffers that are used; drivers give a few more than asked for, seldom this many.
  static let capacity = 8
  /// Buffers asked for: one being converted, one waiting for the loop, two being filled.
  static let wanted: UInt32 = 4

  /// How many there are, at least 2.
  private(set) var count = 0
  private var bases = InlineArray<24, UnsafeMutableRawPointer?>(repeating: nil)
  private var lengths = InlineArray<24, Int>(repeating: 0)

  /// Has the driver make buffers, and maps them.
  init(_ node: borrowing VideoNode, format: StreamFormat) throws(Degradation) {
    do throws(SystemError) {
      var request = v4l2_requestbuffers()
      request.count = MappedBuffers.wanted
      request.type = node.type
      request.memory = cvideo_memory_map
      try node.file.control(UInt(cvideo_reqbufs), &request)
      // With one buffer alone the driver could not fill while the loop reads.
      guard request.count >= 2 else { throw SystemError(code: ENOMEM) }
      for index in 0..<min(Int(request.count), MappedBuffers.capacity) {
        try map(index, node, format)
        count += 1
      }
    } catch {
      unmap()
      throw error.asCameraFault
    }
  }

  /// Gives the memory back.
  func unmap() {
    for place in 0..<24 {
      if let base = bases[place] { _ = csystem_device_unmap(base, lengths[place]) }
    }
  }

  private mutating func map(
    _ index: Int, _ node: borrowing VideoNode, _ format: StreamFormat
  ) throws(SystemError) {
    var buffer = v4l2_buffer()
    var planes = [3 of v4l2_plane](repeating: v4l2_plane())
    let answer = try planes.withPlanes { base throws(SystemError) in
      cvideo_prepare_buffer(&buffer, base, node.type, UInt32(index))
      try node.file.control(UInt(cvideo_querybuf), &buffer)
      return cvideo_read_buffer(&buffer)
    }
    for plane in 0..<format.mappedPlanes {
      let length = Int(StreamFormat.plane(plane, answer.length))
      let offset = Int64(StreamFormat.plane(plane, answer.offset))
      if length < format.bytes(plane: plane) { throw SystemError(code: EINVAL) }
      guard
        let base = csystem_device_map(length, PROT_READ, node.file.descriptor, offset),
        csystem_is_mapped(base)
      else { throw SystemError.last }
      bases[3 * index + plane] = base
      lengths[3 * index + plane] = length
    }
  }

  /// The mapped bytes of a plane of a buffer. Precondition: `index < count`.
  func bytes(_ index: Int, plane: Int) -> UnsafeRawBufferPointer {
    precondition(index < count)
    return UnsafeRawBufferPointer(
      start: bases[3 * index + plane], count: lengths[3 * index + plane])
  }
}

extension [3 of v4l2_plane] {
  /// Hands the planes to C.
  mutating func withPlanes<Result, Failure: Error>(
    _ body: (UnsafeMutablePointer<v4l2_plane>?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var span = mutableSpan
    return try span.withUnsafeMutableBufferPointer { buffer throws(Failure) in
      try body(buffer.baseAddress)
    }
  }
}
