/// What a YUV4MPEG2 stream says of its frames.
public struct VideoFormat: BitwiseCopyable, Sendable, Equatable {
  /// How colour is sampled: 8 bits a sample, planes one after the other.
  public enum Sampling: UInt8, BitwiseCopyable, Sendable {
    /// Brightness alone.
    case mono
    /// One colour for 2 × 2 pixels.
    case halved
    /// One colour for 2 × 1 pixels.
    case halvedAcross
    /// One colour a pixel.
    case full
  }

  /// Width in pixels, 1 to 16384.
  public var width = 0
  /// Height in pixels, 1 to 16384.
  public var height = 0
  /// Frames a second as a fraction; 0 over 0 when the stream does not say.
  public var rateNumerator = 0
  /// Frames a second as a fraction; 0 over 0 when the stream does not say.
  public var rateDenominator = 0
  /// How colour is sampled.
  public var sampling = Sampling.halved
  /// Whether samples use all of 0 to 255, or 16 to 235 and 240.
  public var isFullRange = false

  /// Most pixels of a frame.
  public static let pixelLimit = 1 << 24

  /// Width of a colour plane in samples.
  var chromaWidth: Int {
    switch sampling {
    case .mono: 0
    case .halved, .halvedAcross: (width + 1) / 2
    case .full: width
    }
  }

  /// Height of a colour plane in samples.
  var chromaHeight: Int {
    switch sampling {
    case .mono: 0
    case .halved: (height + 1) / 2
    case .halvedAcross, .full: height
    }
  }

  /// Bytes of one frame's samples.
  public var frameBytes: Int { width * height + 2 * chromaWidth * chromaHeight }
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
