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
    /// The scene cannot be judged at present; the last total stands.
    case hold(HoldReason)
    /// A part has stopped working and the rest goes on without it.
    case degraded(Degradation)
    /// The loop has ended.
    case stopped
  }

  /// Makes an event.
  public init(_ kind: Kind, frame: Int, milliseconds: Int) {
    self.kind = kind
    self.frame = frame
    self.milliseconds = milliseconds
  }
}

/// One coin as announced.
public struct Coin: BitwiseCopyable, Sendable, Equatable {
  /// Identity of the track, from 1.
  public var id: Int32
  /// Face value in rupiah, or 0 for a coin that is not named.
  public var value: Int32
  /// Whether the coin has been withdrawn from circulation.
  public var isWithdrawn: Bool
  /// Probability, 0 to 1, of what `value` says.
  public var confidence: Float
  /// Centre, in pixels of the frame.
  public var x: Float
  /// Centre, in pixels of the frame, growing downwards.
  public var y: Float
  /// Longer axis of the outline in pixels.
  public var diameter: Float

  /// Makes a coin from its parts.
  public init(
    id: Int32, value: Int32, isWithdrawn: Bool, confidence: Float, x: Float, y: Float,
    diameter: Float
  ) {
    self.id = id
    self.value = value
    self.isWithdrawn = isWithdrawn
    self.confidence = confidence
    self.x = x
    self.y = y
    self.diameter = diameter
  }

  /// The coin a track stands for.
  init(_ track: Track) {
    self.init(
      id: track.id, value: track.value, isWithdrawn: track.isWithdrawn,
      confidence: track.confidence, x: track.x, y: track.y, diameter: track.diameter)
  }
}

/// What lies on the tray.
public struct Total: BitwiseCopyable, Sendable, Equatable {
  /// Sum in rupiah of the coins that are named and count.
  public var total: Int32
  /// How many coins lie there, named or not.
  public var coins: Int32
  /// How many of them are not named; while there are any, the money may be more than `total`.
  public var unsure: Int32
  /// How many of them are named but withdrawn from circulation.
  public var withdrawn: Int32

  /// Makes a total from its parts.
  public init(total: Int32 = 0, coins: Int32 = 0, unsure: Int32 = 0, withdrawn: Int32 = 0) {
    self.total = total
    self.coins = coins
    self.unsure = unsure
    self.withdrawn = withdrawn
  }
}

/// Why the scene cannot be judged.
public enum HoldReason: UInt8, BitwiseCopyable, Sendable {
  /// A hand, or anything else, is moving.
  case motion
  /// There are more coins than can be followed.
  case crowded
}

/// What has stopped working.
public enum Degradation: UInt8, Error, BitwiseCopyable {
  /// espeak-ng's data folder is missing or unreadable.
  case voiceDataMissing
  /// espeak-ng has no voice of the chosen language.
  case voiceLanguageMissing
  /// There is no sound device, or it refuses to be opened.
  case soundDeviceMissing
  /// The sound device has stopped taking samples.
  case soundDeviceLost
  /// The WAV file cannot be created or written.
  case soundFileUnwritable
  /// The voice did not come up in time.
  case voiceSilent
  /// Frames of the source were unreadable and have been left out.
  case framesUnreadable
}

/// The events of one frame: every coin may go and come at once, and a few more.
public typealias EventList = FixedList<136, Event>

extension FixedList where Element == Event {
  /// Makes an empty event list.
  public init() {
    self.init(filler: Event(.stopped, frame: 0, milliseconds: 0))
  }
}
