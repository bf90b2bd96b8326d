import CVideo
import Counting
import Frames

/// What a driver has really set: how frames lie in its buffers.
public struct StreamFormat: BitwiseCopyable, Sendable {
  /// How frames are handed over.
  public let encoding: FrameEncoding
  /// V4L2's code of the format.
  public let code: UInt32
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// What samples of luma and chroma mean.
  public let colour: Colorimetry
  /// Frames a second as a fraction; 0 over 0 where the driver does not say.
  public var rateNumerator: UInt32 = 0
  /// Frames a second as a fraction; 0 over 0 where the driver does not say.
  public var rateDenominator: UInt32 = 0
  /// Distance in bytes between the rows of each plane that is mapped by itself.
  let bytesPerLine: InlineArray<3, Int>
  /// How many planes are mapped by themselves: 1, or all that the format has.
  let mappedPlanes: Int

  /// Reads back a format.
  /// - Throws: `cameraFieldsApart` where fields do not come as one picture, and
  ///   `cameraFormatUnusable` where size or row distance make no sense.
  init(_ format: cvideo_format) throws(Degradation) {
    switch format.field {
    case cvideo_field_any, cvideo_field_none, cvideo_field_interlaced,
      cvideo_field_interlaced_top, cvideo_field_interlaced_bottom:
      break
    default: throw .cameraFieldsApart
    }
    code = format.code
    encoding = FrameEncoding(code: format.code)
    width = Int(format.width)
    height = Int(format.height)
    guard width >= 16, height >= 16, width <= 4096,
      width * height <= CameraSettings.pixelLimit
    else { throw .cameraFormatUnusable }
    colour = Colorimetry(format)
    var pitches = InlineArray<3, Int>(repeating: 0)
    var planes = 1
    if case .samples(let samples) = encoding {
      planes = Int(format.plane_count)
      guard planes == 1 || planes == samples.planeCount else { throw .cameraFormatUnusable }
      for plane in 0..<planes {
        let least = samples.rowBytes(plane: plane, width: width)
        let told = Int(StreamFormat.plane(plane, format.bytes_per_line))
        // Some drivers leave it to the reader.
        pitches[plane] = told == 0 ? least : told
        if pitches[plane] < least { throw .cameraFormatUnusable }
      }
    } else if format.plane_count != 1 {
      throw .cameraFormatUnusable
    }
    bytesPerLine = pitches
    mappedPlanes = planes
  }

  /// The format of samples without gaps, as libv4l writes them.
  init(converted format: StreamFormat) {
    encoding = .samples(.rgb24)
    code = cvideo_code_rgb24
    width = format.width
    height = format.height
    colour = format.colour
    rateNumerator = format.rateNumerator
    rateDenominator = format.rateDenominator
    bytesPerLine = [3 * format.width, 0, 0]
    mappedPlanes = 1
  }

  /// Least bytes of a mapped plane that hold a whole frame.
  func bytes(plane: Int) -> Int {
    guard case .samples(let samples) = encoding else { return 2 }
    if mappedPlanes == 1 {
      return FrameView.bytes(
        format: samples, width: width, height: height, bytesPerLine: bytesPerLine[0])
    }
    return bytesPerLine[plane] * (samples.rows(plane: plane, height: height) - 1)
      + samples.rowBytes(plane: plane, width: width)
  }

  /// Frames a second in thousandths, 0 where not known.
  var rate: UInt64 {
    rateDenominator == 0 ? 0 : UInt64(rateNumerator) * 1000 / UInt64(rateDenominator)
  }

  /// The value for a plane out of C's array of three.
  static func plane(_ plane: Int, _ values: (UInt32, UInt32, UInt32)) -> UInt32 {
    plane == 0 ? values.0 : plane == 1 ? values.1 : values.2
  }
}

extension Colorimetry {
  /// What a driver says of its samples, with V4L2's rules for what it leaves open.
  init(_ format: cvideo_format) {
    let isHighDefinition =
      format.encoding == cvideo_encoding_709 || format.encoding == cvideo_encoding_xv709
      || format.encoding == cvideo_encoding_default
        && (format.colorspace == cvideo_colorspace_709
          || format.colorspace == cvideo_colorspace_dci)
    let isFull =
      format.quantization == cvideo_quantization_full
      || format.quantization == cvideo_quantization_default
        && format.colorspace == cvideo_colorspace_jpeg
    self.init(matrix: isHighDefinition ? .bt709 : .bt601, range: isFull ? .full : .limited)
  }
}
