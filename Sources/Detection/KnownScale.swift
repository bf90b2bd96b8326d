/// How many pixels a millimetre of the tray takes, as calibration has found.
public struct KnownScale: BitwiseCopyable, Sendable, Equatable {
  /// Pixels a millimetre in a picture `width` pixels wide.
  public var pixelsPerMillimetre: Float
  /// Width of the picture it was found in, in pixels.
  public var width: Int
  /// Standard deviation of its logarithm, 0.002 to 0.1.
  public var spread: Float

  /// Makes a scale from its parts.
  public init(pixelsPerMillimetre: Float, width: Int, spread: Float) {
    self.pixelsPerMillimetre = pixelsPerMillimetre
    self.width = width
    self.spread = spread
  }
}
