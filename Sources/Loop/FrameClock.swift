import CSystem

/// When frames are due, and what time they are said to be of.
///
/// The time of a frame follows from its number and the rate alone, so that the same recording
/// always gives the same events.
public struct FrameClock: BitwiseCopyable, Sendable {
  /// Frames a second as a fraction, both at least 1.
  private let numerator: Int
  private let denominator: Int
  /// Whether frames are held back until they are due.
  private let isPaced: Bool
  private var start: Int64 = 0

  /// Makes a clock for `numerator / denominator` frames a second, both at least 1.
  public init(numerator: Int, denominator: Int, isPaced: Bool) {
    precondition(numerator > 0 && denominator > 0)
    self.numerator = numerator
    self.denominator = denominator
    self.isPaced = isPaced
  }

  /// Time of a frame in milliseconds since the first.
  public func milliseconds(of frame: Int) -> Int {
    let (product, overflow) = frame.multipliedReportingOverflow(by: 1000 * denominator)
    return overflow ? .max : product / numerator
  }

  /// Makes now the time of frame 0.
  public mutating func begin() {
    start = csystem_monotonic_milliseconds()
  }

  /// Milliseconds until `frame` is due; 0 when it is, or when frames are not held back.
  public func wait(for frame: Int) -> Int {
    if !isPaced { return 0 }
    return max(0, milliseconds(of: frame) - Int(csystem_monotonic_milliseconds() - start))
  }
}
