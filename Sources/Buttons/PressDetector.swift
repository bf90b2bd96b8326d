/// Tells presses from edges that bounce.
///
/// A level counts once it has held for the debounce time. Time is the caller's, so that the same
/// edges always give the same presses.
public struct PressDetector: BitwiseCopyable, Sendable {
  private let debounce: Int64
  private let long: Int64
  /// The level as last reported, and since when.
  private var level = false
  private var since: Int64 = 0
  /// The level that counts.
  private var isDown = false
  private var downSince: Int64 = 0
  private var isTold = false

  /// Makes a detector for a button that is not pressed.
  public init(_ settings: ButtonSettings) {
    debounce = Int64(settings.debounceMilliseconds)
    long = Int64(settings.longMilliseconds)
  }

  /// Notes an edge: the level is `isActive` from `milliseconds` on. Returns the press that was
  /// complete before, if any.
  public mutating func take(isActive: Bool, at milliseconds: Int64) -> Press? {
    let press = take(now: milliseconds)
    if isActive != level {
      level = isActive
      since = milliseconds
    }
    return press
  }

  /// Tells the press that is complete at `milliseconds`, never less than before, if any.
  public mutating func take(now milliseconds: Int64) -> Press? {
    if level != isDown && milliseconds - since >= debounce {
      isDown = level
      if isDown {
        downSince = since
        isTold = false
      } else if !isTold {
        return .short
      }
    }
    if isDown && !isTold && milliseconds - downSince >= long {
      isTold = true
      return .long
    }
    return nil
  }
}
