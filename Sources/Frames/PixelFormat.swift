/// How the samples of a frame lie in memory: 8 bits each, no alpha, top row first.
///
/// The names are those of V4L2. Chroma that is shared by pixels belongs to the pixels from the even
/// column or row on; an odd last one has a sample of its own.
public enum PixelFormat: UInt8, BitwiseCopyable, Sendable {
  /// One plane of Y U Y V: one chroma pair for 2 × 1 pixels.
  case yuyv
  /// One plane of U Y V Y: one chroma pair for 2 × 1 pixels.
  case uyvy
  /// A plane of Y, then one of U V pairs for 2 × 2 pixels.
  case nv12
  /// A plane of Y, then one of V U pairs for 2 × 2 pixels.
  case nv21
  /// A plane of Y, one of U, one of V, these for 2 × 2 pixels; also called YUV420 or I420.
  case yu12
  /// A plane of Y, one of U, one of V, these for 2 × 1 pixels.
  case yuv422p
  /// A plane of Y, one of U, one of V, these for each pixel.
  case yuv444p
  /// One plane of Y.
  case grey
  /// One plane of red, green, blue.
  case rgb24
  /// One plane of blue, green, red.
  case bgr24

  /// How many planes there are, 1 to 3.
  public var planeCount: Int {
    switch self {
    case .yuyv, .uyvy, .grey, .rgb24, .bgr24: 1
    case .nv12, .nv21: 2
    case .yu12, .yuv422p, .yuv444p: 3
    }
  }

  /// Bytes of a row of a plane that hold samples, for pictures `width` pixels wide.
  ///
  /// Precondition: `plane` is one of this format's, and `width` is at least 1.
  public func rowBytes(plane: Int, width: Int) -> Int {
    precondition(plane >= 0 && plane < planeCount && width >= 1)
    let halved = (width + 1) / 2
    switch self {
    case .yuyv, .uyvy: return 4 * halved
    case .nv12, .nv21: return plane == 0 ? width : 2 * halved
    case .yu12, .yuv422p: return plane == 0 ? width : halved
    case .yuv444p, .grey: return width
    case .rgb24, .bgr24: return 3 * width
    }
  }

  /// Rows of a plane for pictures `height` pixels high.
  ///
  /// Precondition: `plane` is one of this format's, and `height` is at least 1.
  public func rows(plane: Int, height: Int) -> Int {
    precondition(plane >= 0 && plane < planeCount && height >= 1)
    switch self {
    case .nv12, .nv21, .yu12: return plane == 0 ? height : (height + 1) / 2
    case .yuyv, .uyvy, .yuv422p, .yuv444p, .grey, .rgb24, .bgr24: return height
    }
  }

  /// Distance in bytes between the rows of a plane when only that of the first is told and the
  /// planes lie one after the other, as in V4L2's single-planar formats.
  public func bytesPerLine(plane: Int, first: Int) -> Int {
    switch self {
    case .yu12, .yuv422p: plane == 0 ? first : (first + 1) / 2
    case .nv12, .nv21: plane == 0 ? first : (first + 1) / 2 * 2
    case .yuyv, .uyvy, .yuv444p, .grey, .rgb24, .bgr24: first
    }
  }
}
