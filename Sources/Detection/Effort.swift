/// How much work to put into a picture.
public struct Effort: BitwiseCopyable, Sendable, Equatable {
  /// How many slightly different unwraps of a coin the classifier sees, 1 to 16.
  public var unwraps: Int
  /// Whether the detector also looks at enlarged parts where coins are small, and at the picture
  /// made smaller where they are large.
  public var looksCloser: Bool
  /// Whether the camera may look at a slant, so that scale changes across the picture.
  public var expectsTilt: Bool

  /// One look, for frames of a camera that looks straight down: the tracker adds frames up.
  public static let live = Effort(unwraps: 1, looksCloser: false, expectsTilt: false)
  /// Everything, for a photograph that is counted once.
  public static let thorough = Effort(unwraps: 5, looksCloser: true, expectsTilt: true)

  /// Makes an effort. Precondition: `unwraps` is 1 to 16.
  public init(unwraps: Int, looksCloser: Bool, expectsTilt: Bool) {
    precondition(unwraps >= 1 && unwraps <= 16)
    self.unwraps = unwraps
    self.looksCloser = looksCloser
    self.expectsTilt = expectsTilt
  }
}
