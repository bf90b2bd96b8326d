import Announcing

/// What is wanted of the camera.
public struct CameraSettings: BitwiseCopyable, Sendable, Equatable {
  /// How something is set that a camera may do by itself.
  public enum Control: BitwiseCopyable, Sendable, Equatable {
    /// Left as the camera has it.
    case untouched
    /// The camera does it by itself.
    case automatic
    /// A value that stays.
    case fixed(Int32)
  }

  /// Path of the node with its NUL, such as `/dev/video0`; empty for the first camera there is.
  public var device = Text<128>()
  /// V4L2's code of the only format to use; 0 to choose the best.
  public var format: UInt32 = 0
  /// Frames a second to ask for, 1 to 120.
  public var rate: UInt32 = 30
  /// Exposure time in units of 0.1 ms.
  public var exposure = Control.automatic
  /// Colour temperature of the light in kelvins.
  public var whiteBalance = Control.automatic
  /// Focus in the camera's own units.
  public var focus = Control.automatic
  /// Frequency of the mains, whose lamps must not flicker in the frames: 50 or 60 Hz; 0 leaves it
  /// to the camera.
  public var mains: Int32 = 50
  /// Milliseconds without a usable frame after which the camera is opened anew, at least 500.
  public var timeout: Int64 = 3000

  /// Makes the usual settings.
  public init() {}

  /// Width in pixels asked for.
  static let width: UInt32 = 640
  /// Height in pixels asked for.
  static let height: UInt32 = 480
  /// Most pixels of a frame, where a camera has no smaller ones: those of 1920 × 1080.
  public static let pixelLimit = 1920 * 1080
}
