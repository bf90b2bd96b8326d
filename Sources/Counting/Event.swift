import Frames

/// Something that happened, with the frame it happened at.
public struct Event: BitwiseCopyable, Sendable {
  /// What happened.
  public var kind: Kind
  /// Number of the frame, from 0.
  public var frame: Int
  /// Time of the frame in milliseconds since the first.
  public var milliseconds: Int

  /// What can happen.
  public enum Kind: BitwiseCopyable, Sendable {
    /// The loop is about to take its first frame.
    case ready
    /// A coin has been put down.
    case coinAdded(Coin)
    /// A coin has been taken away, or is no longer held to be what was said.
    case coinRemoved(Coin)
    /// The tray has settled on a new total.
    case total(Total)
    /// Coins are to be kept: a batch that was cleared away, a sale, or what was asked for.
    case batch(Batch)
    /// Coins have been kept.
    case saved(Saved)
    /// How far a price is reached.
    case target(Target)
    /// A step of teaching a coin.
    case lesson(Lesson)
    /// A step of calibrating the tray.
    case calibration(CalibrationStep)
    /// What counting is for, from here on.
    case mode(ModeState)
    /// The scene cannot be judged at present; the last total stands.
    case hold(HoldReason)
    /// A part has stopped working and the rest goes on without it.
    case degraded(Degradation)
    /// What has been told of once has come so often, at least twice.
    case repeated(Degradation, times: Int)
    /// A part works again.
    case recovered(Degradation)
    /// There is no camera, for this reason; it is looked for, and the last total stands.
    case cameraLost(Degradation)
    /// The camera delivers again.
    case cameraBack
    /// The configuration has been read anew and is in force.
    case reloaded
    /// The loop has ended.
    case stopped
  }

  /// Makes an event of the same frame as another.
  public init(_ kind: Kind, like event: Event) {
    self.init(kind, frame: event.frame, milliseconds: event.milliseconds)
  }

  /// Makes an event.
  public init(_ kind: Kind, frame: Int, milliseconds: Int) {
    self.kind = kind
    self.frame = frame
    self.milliseconds = milliseconds
  }
}

/// Why the scene cannot be judged.
public enum HoldReason: UInt8, BitwiseCopyable, Sendable {
  /// A hand, or anything else, is moving.
  case motion
  /// A hand, or anything else, lies over the tray or reaches into view.
  case obstacle
  /// There are more coins than can be followed.
  case crowded
}

/// The events of one frame: every coin may go and come at once, and a few more.
public typealias EventList = FixedList<136, Event>

extension FixedList where Element == Event {
  /// Makes an empty event list.
  public init() {
    self.init(filler: Event(.stopped, frame: 0, milliseconds: 0))
  }
}
