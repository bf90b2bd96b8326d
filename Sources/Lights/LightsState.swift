import Counting

/// What the lights are to show.
public struct LightsState: BitwiseCopyable, Sendable, Equatable {
  /// What lies on the tray, as told last.
  public var total = Total()
  /// Whether frames are being counted.
  public var isCounting = false
  /// Whether the tray cannot be judged yet: something moves, or a change has not settled.
  public var isUnsettled = false
  /// Whether the last total stands although the scene cannot be judged; dims the strip.
  public var isHolding = false
  /// Whether a part does not work.
  public var hasFault = false
  /// The total in rupiah at which the whole bar is lit, at least 1.
  public var target = 10_000

  /// Makes the state in which nothing is shown.
  public init() {}

  /// How many lights of a bar are lit: each stands for an equal share of the target, and the last
  /// is lit only when the target is reached.
  /// - Parameter count: lights of the bar, at least 0.
  func litLights(of count: Int) -> Int {
    min(count, max(0, Int(total.total)) * count / max(1, target))
  }
}
