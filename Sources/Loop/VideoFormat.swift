import Frames

/// What a YUV4MPEG2 stream says of its frames.
public struct VideoFormat: BitwiseCopyable, Sendable, Equatable {
  /// Width in pixels, 1 to 16384.
  public var width = 0
  /// Height in pixels, 1 to 16384.
  public var height = 0
  /// Frames a second as a fraction; 0 over 0 when the stream does not say.
  public var rateNumerator = 0
  /// Frames a second as a fraction; 0 over 0 when the stream does not say.
  public var rateDenominator = 0
  /// How samples lie in a frame: `yu12`, `yuv422p`, `yuv444p` or `grey`, planes one after the
  /// other.
  public var pixelFormat = PixelFormat.yu12
  /// What samples mean: BT.601, in limited range where the stream does not say.
  public var colour = Colorimetry()

  /// Most pixels of a frame.
  public static let pixelLimit = 1 << 24

  /// Bytes of one frame's samples.
  public var frameBytes: Int {
    FrameView.bytes(format: pixelFormat, width: width, height: height, bytesPerLine: width)
  }

  /// The frame whose samples are at `samples`, `frameBytes` bytes.
  public func frame(_ samples: UnsafePointer<UInt8>) -> FrameView {
    FrameView(
      format: pixelFormat, width: width, height: height, colour: colour, base: samples,
      bytesPerLine: width)
  }
}

/// Why a video cannot be read, or not further.
public enum VideoError: Error, BitwiseCopyable, Sendable, Equatable {
  /// read(2) failed with this `errno`.
  case unreadable(errno: Int32)
  /// The file does not begin with `YUV4MPEG2`.
  case notVideo
  /// The header is longer than 1024 bytes, or does not end.
  case headerEndless
  /// Width or height is missing, not a number, or out of range.
  case sizeUnusable
  /// The frame rate is not a fraction of whole numbers.
  case rateUnusable
  /// Colour is sampled in a way that is not read.
  case samplingUnknown
  /// Frames are interlaced.
  case isInterlaced
  /// A frame does not begin with `FRAME`.
  case frameMarkMissing
  /// The file ends within a frame.
  case isTruncated

  /// What is wrong and the way out, in English.
  public var reason: StaticString {
    switch self {
    case .unreadable: "cannot be read"
    case .notVideo: "is not a YUV4MPEG2 video; convert it with 'ffmpeg -i IN OUT.y4m'"
    case .headerEndless: "has a YUV4MPEG2 header without end; make the file again"
    case .sizeUnusable:
      "has no usable frame size; at most 16384 x 16384 and 16777216 pixels can be read"
    case .rateUnusable: "has a frame rate that is not a fraction such as F30:1"
    case .samplingUnknown:
      "has colours that are not read; convert it with 'ffmpeg -pix_fmt yuv420p'"
    case .isInterlaced: "is interlaced; convert it with 'ffmpeg -vf yadif'"
    case .frameMarkMissing: "is damaged: a frame does not begin with FRAME; make the file again"
    case .isTruncated: "ends within a frame, which was left out; make the file again"
    }
  }
}
