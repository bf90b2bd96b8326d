import Counting

/// What is answered to a command.
public enum Answer: BitwiseCopyable, Sendable {
  /// The total told last.
  case total(Total)
  /// The total is said again, or would be if there were a voice that is not muted.
  case repeated(Total, isSpoken: Bool)
  /// The tray is counted anew.
  case reset
  /// It is done, and told as an event.
  case accepted
  /// It lacks something: a price, or a model that can be taught.
  case refused
  /// How things stand.
  case status(Status)
  /// Nothing is spoken from now on.
  case muted
  /// It is spoken again, if there is a voice.
  case unmuted(hasVoice: Bool)
  /// The commands there are.
  case help
  /// There is no such command.
  case unknown
  /// The line is too long for a command.
  case tooLong
}

/// How things stand.
public struct Status: BitwiseCopyable, Sendable {
  /// The total told last.
  public var total = Total()
  /// Frames counted so far.
  public var frames = 0
  /// Milliseconds since the first.
  public var milliseconds = 0
  /// Whether the scene cannot be judged at present.
  public var isHolding = false
  /// Whether a part does not work.
  public var hasFault = false
  /// Whether there is a voice.
  public var hasVoice = false
  /// Whether it is muted.
  public var isMuted = false

  /// Makes a status of an empty tray.
  public init() {}
}
