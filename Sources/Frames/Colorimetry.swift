/// What the samples of a frame of luma and chroma mean.
///
/// Has no bearing on frames that are red, green and blue already.
public struct Colorimetry: BitwiseCopyable, Sendable, Equatable {
  /// Which weights red, green and blue have in luma.
  public enum Matrix: UInt8, BitwiseCopyable, Sendable {
    /// ITU-R BT.601, what almost all cameras send.
    case bt601
    /// ITU-R BT.709, as some send for high definition.
    case bt709
  }

  /// Which sample values are used.
  public enum Range: UInt8, BitwiseCopyable, Sendable {
    /// Luma 16 to 235, chroma 16 to 240.
    case limited
    /// 0 to 255, as in JPEG.
    case full
  }

  /// Which weights red, green and blue have in luma.
  public var matrix: Matrix
  /// Which sample values are used.
  public var range: Range

  /// Makes a description; BT.601 in limited range is what V4L2 means where nothing is said.
  public init(matrix: Matrix = .bt601, range: Range = .limited) {
    self.matrix = matrix
    self.range = range
  }

  /// The whole numbers by which samples become red, green and blue.
  public var coefficients: ColourCoefficients {
    switch (matrix, range) {
    case (.bt601, .limited):
      ColourCoefficients(
        lumaOffset: 16, luma: 298, redFromV: 409, greenFromU: -100, greenFromV: -208,
        blueFromU: 516)
    case (.bt601, .full):
      ColourCoefficients(
        lumaOffset: 0, luma: 256, redFromV: 359, greenFromU: -88, greenFromV: -183, blueFromU: 454)
    case (.bt709, .limited):
      ColourCoefficients(
        lumaOffset: 16, luma: 298, redFromV: 459, greenFromU: -55, greenFromV: -136,
        blueFromU: 541)
    case (.bt709, .full):
      ColourCoefficients(
        lumaOffset: 0, luma: 256, redFromV: 403, greenFromU: -48, greenFromV: -120, blueFromU: 475)
    }
  }
}

/// The whole numbers of a conversion from luma and chroma, in units of 1/256.
///
/// With `y = Y - lumaOffset`, `u = U - 128`, `v = V - 128` in 32-bit integers, a pixel is
///
///     red   = clamp((luma * y                  + redFromV * v   + 128) >> 8)
///     green = clamp((luma * y + greenFromU * u + greenFromV * v + 128) >> 8)
///     blue  = clamp((luma * y + blueFromU * u                   + 128) >> 8)
///
/// where `>>` rounds towards minus infinity and `clamp` holds the result within 0 to 255. Nothing
/// overflows: every factor fits 16 bits signed and every sum 32. These formulas are the contract:
/// any faster implementation must give the same bits.
public struct ColourCoefficients: BitwiseCopyable, Sendable, Equatable {
  /// The luma sample of black.
  public var lumaOffset: Int32
  /// Factor of luma in all three.
  public var luma: Int32
  /// Factor of V in red.
  public var redFromV: Int32
  /// Factor of U in green.
  public var greenFromU: Int32
  /// Factor of V in green.
  public var greenFromV: Int32
  /// Factor of U in blue.
  public var blueFromU: Int32
}
