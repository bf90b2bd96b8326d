import CMotionJPEG
import Frames

/// A frame in memory that stays until it is given back.
struct CameraFrame: BitwiseCopyable {
  /// How it lies there.
  var format: StreamFormat
  /// The planes that are mapped by themselves.
  var planes = InlineArray<3, UnsafeRawPointer?>(repeating: nil)
  /// Bytes of the last plane that hold something.
  var bytes = 0
  /// Number of the frame since the start, from 0.
  var number = 0
  /// When it was taken, in milliseconds of the monotonic clock.
  var capturedAt: Int64 = 0

  init(_ format: StreamFormat) {
    self.format = format
  }

  /// Whether the first two bytes are those of a JPEG picture.
  var beginsAsJPEG: Bool {
    guard let base = planes[0], bytes >= 2 else { return false }
    return base.load(as: UInt8.self) == 0xff
      && base.load(fromByteOffset: 1, as: UInt8.self) == 0xd8
  }

  /// Converts the frame to red, green, blue without gaps between rows.
  /// - Parameters:
  ///   - pixels: room for `3 * format.width * format.height` bytes.
  ///   - decoder: for frames that are JPEG pictures.
  /// - Returns: whether the frame is whole.
  func convert(
    into pixels: UnsafeMutablePointer<UInt8>, decoder: borrowing MotionJPEGDecoder
  ) -> Bool {
    guard let first = planes[0] else { return false }
    switch format.encoding {
    case .foreign: return false
    case .motionJPEG:
      return decoder.decode(
        first.assumingMemoryBound(to: UInt8.self), count: bytes, width: format.width,
        height: format.height, into: pixels)
    case .samples(let samples):
      view(samples, first: first).convert(into: pixels, stride: 3 * format.width)
      return true
    }
  }

  private func view(_ samples: PixelFormat, first: UnsafeRawPointer) -> FrameView {
    let base = first.assumingMemoryBound(to: UInt8.self)
    if format.mappedPlanes == 1 {
      return FrameView(
        format: samples, width: format.width, height: format.height, colour: format.colour,
        base: base, bytesPerLine: format.bytesPerLine[0])
    }
    var views = InlineArray<3, FrameView.Plane>(
      repeating: FrameView.Plane(base: base, bytesPerLine: 0))
    for plane in 0..<format.mappedPlanes {
      let start = planes[plane] ?? first
      views[plane] = FrameView.Plane(
        base: start.assumingMemoryBound(to: UInt8.self), bytesPerLine: format.bytesPerLine[plane])
    }
    return FrameView(
      format: samples, width: format.width, height: format.height, colour: format.colour,
      planes: views)
  }
}
