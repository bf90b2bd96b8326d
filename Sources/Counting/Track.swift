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
  /// What has been seen of its value.
  var evidence = Evidence()

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
    diameter += 0.3 * (detection.diameter - diameter)
    hits = min(hits + 1, 1_000_000)
    misses = 0
    evidence.add(detection)
    let verdict = evidence.verdict(holding: value)
    value = verdict.value
    isWithdrawn = verdict.isWithdrawn
    confidence = verdict.confidence
  }
}
