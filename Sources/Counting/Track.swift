import Detection

/// One coin followed from frame to frame.
public struct Track: BitwiseCopyable, Sendable {
  /// Identity, counted from 1 in the order coins are confirmed; 0 until then.
  public internal(set) var id: Int32 = 0
  /// Centre in pixels of the frame, smoothed over frames.
  public internal(set) var x: Float
  /// Centre in pixels of the frame, growing downwards, smoothed over frames.
  public internal(set) var y: Float
  /// Longer axis of the outline in pixels, smoothed over frames.
  public internal(set) var diameter: Float
  /// Face value in rupiah, or 0 while the coin is not named.
  public internal(set) var value: Int32 = 0
  /// Whether the coin is a withdrawn one.
  public internal(set) var isWithdrawn = false
  /// Probability, 0 to 1, of what `value` says.
  public internal(set) var confidence: Float = 0
  /// Frames in which the coin was seen.
  public internal(set) var hits: Int32 = 0
  /// Frames in a row in which it was looked for and not seen; 0 when seen in the last one.
  public internal(set) var misses: Int32 = 0
  /// The name the user has given to its kind, while it is held to be one of them.
  public private(set) var name = CoinName()
  /// Identity from the first sight on, whether or not the coin is ever confirmed.
  var serial: Int32 = 0
  /// What has been seen of its value.
  var evidence = Evidence()
  /// What looking at it has told, for frames in which it is not looked at.
  public internal(set) var memory = CoinMemory.none
  /// Frames since it was looked at.
  var framesUnlooked: Int32 = 0
  /// Looks that held it to be no coin.
  var refusals: Int32 = 0
  /// Whether it was seen to come.
  public private(set) var hasArrived = false
  /// Looks that are due because something moved on it.
  var dueLooks: Int32 = 0
  /// Its place in the list of the detections of the last frame in which it was looked at, or -1.
  public internal(set) var lookedPlace = -1

  /// Looks before a coin may be said, and before one that no look could name may.
  static let leastLooks: Int32 = 3
  static let leastUnnamedLooks: Int32 = 8
  /// Looks after which other outlines are tried for one that cannot be named.
  static let looksBeforeInsets: Int32 = 3
  /// Looks after which a coin that is named is sure, and one that is not has had its chance.
  static let sureLooks: Int32 = 6
  static let mostLooks = Evidence.window
  /// Looks more that must refuse a coin than have accepted it before it is given up.
  static let leastRefusals: Int32 = 3
  /// Frames after which a sure coin is looked at again, in case another lies in its place.
  static let unlookedFrames: Int32 = 30
  /// Frames after which one that cannot be named is.
  static let unnamedFrames: Int32 = 3

  /// Whether it has not been looked at often enough to be said.
  var isDoubtful: Bool {
    let looks = evidence.looks
    return looks < Track.leastLooks || dueLooks > 0 || evidence.contradictions > 0
      || (value == 0 && looks < Track.leastUnnamedLooks)
  }

  /// How much it needs to be looked at: 0 for not at all, up to 3.
  public var need: Int {
    let looks = evidence.looks
    if looks < Track.leastLooks || evidence.contradictions > 0 { return 3 }
    if dueLooks > 0 { return 2 }
    if value == 0 {
      return looks < Track.mostLooks ? 2 : framesUnlooked >= Track.unnamedFrames ? 1 : 0
    }
    return looks < Track.sureLooks || framesUnlooked >= Track.unlookedFrames ? 1 : 0
  }

  /// Whether it is worth trying other outlines, because looks through the refiner's do not name it.
  public var needsInsets: Bool {
    value == 0 && !isDisturbed && evidence.looks >= Track.looksBeforeInsets
  }

  /// Whether most looks have held it to be no coin.
  var isRefused: Bool { refusals >= Track.leastRefusals + evidence.looks / 2 }

  /// Whether another coin may lie in its place, so that a look stands for itself.
  public var isDisturbed: Bool { dueLooks > 0 || evidence.contradictions > 0 }

  /// How often it has been looked at, up to `Evidence.window`.
  public var looks: Int { Int(evidence.looks) }

  /// Notes that something moved on it, so that another coin may lie in its place.
  mutating func disturb() { dueLooks = 2 }

  /// Keeps what the last look told. Precondition: `lookedPlace` is not -1.
  mutating func remember(_ look: CoinMemory) { memory = look }

  /// Whether enough frames have shown it to count it.
  public var isConfirmed: Bool { id != 0 }

  /// Begins a track at `detection`.
  init(_ detection: Detection) {
    x = detection.x
    y = detection.y
    diameter = detection.diameter
    see(detection)
  }

  /// Takes `detection` as a further sight of this coin.
  mutating func see(_ detection: Detection) {
    let distance = (detection.x - x) * (detection.x - x) + (detection.y - y) * (detection.y - y)
    // A coin at rest jitters by a fraction of a pixel and is smoothed; one that moves is followed.
    let isResting = distance < 0.01 * diameter * diameter
    let weight: Float = isResting ? 0.3 : 1
    x += weight * (detection.x - x)
    y += weight * (detection.y - y)
    hits = min(hits + 1, 1_000_000)
    misses = 0
    lookedPlace = -1
    if detection.hasArrived { hasArrived = true }
    if detection.isRestated { evidence = Evidence() }
    if detection.isRefused { refusals = min(refusals + 1, 2 * Track.mostLooks) }
    if !detection.isLooked {
      framesUnlooked = min(framesUnlooked + 1, 1_000_000)
      return
    }
    diameter += (evidence.looks == 0 ? 1 : 0.3) * (detection.diameter - diameter)
    lookedPlace = detection.place
    framesUnlooked = 0
    dueLooks = max(0, dueLooks - 1)
    refusals = max(0, refusals - 1)
    evidence.add(detection, holding: value)
    let verdict = evidence.verdict(holding: value)
    value = verdict.value
    isWithdrawn = verdict.isWithdrawn
    confidence = verdict.confidence
    name = value == 0 ? evidence.name(holding: name) : CoinName()
  }
}
