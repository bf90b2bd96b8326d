/// A borrowed frame as a camera or a film delivers it: samples in planes, rows as far apart as the
/// device says.
///
/// The memory belongs to whoever made the view and must outlive it, such as a mapped buffer of a
/// camera until it is queued again.
public struct FrameView {
  /// One plane of samples.
  public struct Plane: BitwiseCopyable {
    /// First byte of the top row.
    public var base: UnsafePointer<UInt8>
    /// Distance in bytes from a row to the next; at least what a row of samples takes.
    public var bytesPerLine: Int

    /// Describes a plane in memory owned by the caller.
    public init(base: UnsafePointer<UInt8>, bytesPerLine: Int) {
      self.base = base
      self.bytesPerLine = bytesPerLine
    }
  }

  /// How samples lie in the planes.
  public let format: PixelFormat
  /// Width in pixels, at least 1.
  public let width: Int
  /// Height in pixels, at least 1.
  public let height: Int
  /// What samples of luma and chroma mean.
  public let colour: Colorimetry
  /// The planes; of these the first `format.planeCount` are used.
  public let planes: InlineArray<3, Plane>

  /// Describes a frame whose planes lie anywhere, as in V4L2's multi-planar formats.
  ///
  /// Precondition: each plane has `format.rows` rows and a `bytesPerLine` of at least
  /// `format.rowBytes`; width and height are at least 1.
  public init(
    format: PixelFormat, width: Int, height: Int, colour: Colorimetry,
    planes: InlineArray<3, Plane>
  ) {
    precondition(width >= 1 && height >= 1)
    for plane in 0..<format.planeCount {
      precondition(planes[plane].bytesPerLine >= format.rowBytes(plane: plane, width: width))
    }
    self.format = format
    self.width = width
    self.height = height
    self.colour = colour
    self.planes = planes
  }

  /// Describes a frame whose planes lie one after the other, as in V4L2's single-planar formats and
  /// in YUV4MPEG2 films.
  ///
  /// - Parameters:
  ///   - base: first byte of the first plane; at least `bytes(format:width:height:bytesPerLine:)`
  ///     bytes are there.
  ///   - bytesPerLine: of the first plane, at least `format.rowBytes(plane: 0, width: width)`.
  public init(
    format: PixelFormat, width: Int, height: Int, colour: Colorimetry,
    base: UnsafePointer<UInt8>, bytesPerLine: Int
  ) {
    var planes = InlineArray<3, Plane>(
      repeating: Plane(base: base, bytesPerLine: bytesPerLine))
    for plane in stride(from: 1, to: format.planeCount, by: 1) {
      let before = planes[plane - 1]
      planes[plane] = Plane(
        base: before.base + before.bytesPerLine * format.rows(plane: plane - 1, height: height),
        bytesPerLine: format.bytesPerLine(plane: plane, first: bytesPerLine))
    }
    self.init(format: format, width: width, height: height, colour: colour, planes: planes)
  }

  /// Bytes from the first sample to the last of a frame whose planes lie one after the other; the
  /// last row need not be filled up to `bytesPerLine`.
  ///
  /// Precondition: `bytesPerLine` is at least `format.rowBytes(plane: 0, width: width)`.
  public static func bytes(
    format: PixelFormat, width: Int, height: Int, bytesPerLine: Int
  ) -> Int {
    precondition(bytesPerLine >= format.rowBytes(plane: 0, width: width))
    var bytes = 0
    for plane in 0..<format.planeCount {
      let rows = format.rows(plane: plane, height: height)
      let pitch = format.bytesPerLine(plane: plane, first: bytesPerLine)
      let isLast = plane == format.planeCount - 1
      bytes += pitch * (isLast ? rows - 1 : rows)
      if isLast { bytes += format.rowBytes(plane: plane, width: width) }
    }
    return bytes
  }
}
