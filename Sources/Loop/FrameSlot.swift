import Frames

/// One frame's place in a ring.
public struct FrameSlot: BitwiseCopyable {
  /// What a slot holds.
  public enum Content: UInt8, BitwiseCopyable, Sendable {
    /// A picture.
    case picture
    /// A frame that could not be read; its number and time count all the same.
    case unreadable
    /// The end: there are no more frames.
    case end
  }

  /// Room for the pixels: red, green, blue, rows without gaps.
  public let pixels: UnsafeMutablePointer<UInt8>
  /// Width in pixels, when there is a picture.
  public var width = 1
  /// Height in pixels, when there is a picture.
  public var height = 1
  /// Number of the frame in its source, from 0.
  public var number = 0
  /// What the slot holds.
  public var content = Content.end

  /// The picture. Precondition: `content` is `picture`.
  public var image: ImageView {
    ImageView(base: pixels, width: width, height: height, stride: 3 * width)
  }
}
