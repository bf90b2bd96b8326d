import CVideo
import Frames

/// How a camera hands over its frames.
public enum FrameEncoding: BitwiseCopyable, Sendable, Equatable {
  /// Samples in planes.
  case samples(PixelFormat)
  /// A JPEG picture for each.
  case motionJPEG
  /// Something that libv4l turns into samples.
  case foreign

  /// What a V4L2 code stands for.
  public init(code: UInt32) {
    switch code {
    case cvideo_code_yuyv: self = .samples(.yuyv)
    case cvideo_code_uyvy: self = .samples(.uyvy)
    case cvideo_code_nv12, cvideo_code_nv12_apart: self = .samples(.nv12)
    case cvideo_code_nv21, cvideo_code_nv21_apart: self = .samples(.nv21)
    case cvideo_code_yu12, cvideo_code_yu12_apart: self = .samples(.yu12)
    case cvideo_code_422p, cvideo_code_422p_apart: self = .samples(.yuv422p)
    case cvideo_code_444p_apart: self = .samples(.yuv444p)
    case cvideo_code_grey: self = .samples(.grey)
    case cvideo_code_rgb24: self = .samples(.rgb24)
    case cvideo_code_bgr24: self = .samples(.bgr24)
    case cvideo_code_mjpg, cvideo_code_jpeg: self = .motionJPEG
    default: self = .foreign
    }
  }
}

/// The highest rate a camera offers.
public enum OfferedRate: BitwiseCopyable, Sendable, Equatable {
  /// The size is not offered at all.
  case none
  /// The driver does not say.
  case unknown
  /// So many thousandths of a frame a second.
  case upTo(thousandths: UInt32)

  /// The faster of two.
  func faster(_ other: OfferedRate) -> OfferedRate {
    guard case .upTo(let mine) = self, case .upTo(let others) = other else {
      return self == .none ? other : self
    }
    return mine >= others ? self : other
  }
}

/// A format a camera offers, and how much it is wanted.
public struct FormatOffer: BitwiseCopyable, Sendable {
  /// V4L2's code of it.
  public var code: UInt32 = 0
  /// The highest rate at 640 × 480.
  public var rate = OfferedRate.none

  /// Whether this offer is to be preferred to another, for `rate` frames a second.
  ///
  /// Colour counts before speed, because coins are told apart by it; then whole samples at the full
  /// rate before JPEG at the full rate, that before slower ones, and what libv4l must convert after
  /// all of these. Sizes other than 640 × 480 come last of their kind.
  func isBetter(than other: FormatOffer, rate: UInt32) -> Bool {
    let mine = standing(rate: rate)
    let others = other.standing(rate: rate)
    if mine.class != others.class { return mine.class < others.class }
    if mine.slowness != others.slowness { return mine.slowness < others.slowness }
    return mine.order < others.order
  }

  private func standing(rate wanted: UInt32) -> (class: Int, slowness: Int, order: Int) {
    var slowness = 0
    if case .upTo(let thousandths) = rate {
      slowness = max(0, Int(wanted) * 1000 - Int(thousandths))
    }
    let isLesser = slowness > 0 || rate == .none
    if rate == .none { slowness = Int.max }
    switch FrameEncoding(code: code) {
    case .samples(.grey): return (class: 5, slowness: slowness, order: 0)
    case .samples(let format):
      return (class: isLesser ? 2 : 0, slowness: slowness, order: Int(format.rawValue))
    case .motionJPEG: return (class: isLesser ? 3 : 1, slowness: slowness, order: 0)
    case .foreign: return (class: 4, slowness: slowness, order: 0)
    }
  }
}
