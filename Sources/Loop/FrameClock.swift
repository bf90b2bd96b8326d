import CSystem

/// When frames are due, and what time they are said to be of.
///
/// The time of a recorded frame follows from its number and the rate alone, so that the same
/// recording always gives the same events; that of a camera's frame is the time it is counted.
public struct FrameClock: BitwiseCopyable, Sendable {
  /// Frames a second as a fraction, both at least 1.
  private let numerator: Int
  private let denominator: Int
  /// Whether frames are held back until they are due.
  private let isPaced: Bool
  /// Whether frames come as they happen, from a camera.
  private let isLive: Bool
  private var start: Int64?

  /// Makes a clock for `numerator / denominator` frames a second, both at least 1.
  public init(numerator: Int, denominator: Int, isPaced: Bool) {
    precondition(numerator > 0 && denominator > 0)
    self.numerator = numerator
    self.denominator = denominator
    self.isPaced = isPaced
    isLive = false
  }

  /// Makes a clock for a camera's frames.
  public init() {
    numerator = 1
    denominator = 1
    isPaced = false
    isLive = true
  }

  /// Time of a frame in milliseconds since the first.
  public func milliseconds(of frame: Int) -> Int {
    if isLive { return start.map { Int(csystem_monotonic_milliseconds() - $0) } ?? 0 }
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
    return max(0, milliseconds(of: frame) - Int(csystem_monotonic_milliseconds() - (start ?? 0)))
  }
}
