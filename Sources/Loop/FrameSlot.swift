import Counting
import Frames

/// The place of a frame on its way to the loop.
public struct FrameSlot: BitwiseCopyable {
  /// What a slot holds.
  public enum Content: UInt8, BitwiseCopyable, Sendable {
    /// A picture.
    case picture
    /// A frame that could not be read; its number and time count all the same.
    case unreadable
    /// The end: there are no more frames.
    case end
    /// No picture but news: the camera is lost, for the reason `why`; it is looked for.
    case cameraLost
    /// No picture but news: the camera delivers again.
    case cameraBack
    /// No picture but news: the source works, but not as it should, for the reason `why`.
    case degraded

    /// Whether it is news rather than a frame.
    public var isNews: Bool { rawValue > Content.end.rawValue }
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
  /// Why the source does not work as it should, where the content is such news.
  public var why = Degradation.cameraMissing

  /// Makes an empty slot with room for pixels.
  public init(pixels: UnsafeMutablePointer<UInt8>) {
    self.pixels = pixels
  }

  /// The picture. Precondition: `content` is `picture`.
  public var image: ImageView {
    ImageView(base: pixels, width: width, height: height, stride: 3 * width)
  }
}
