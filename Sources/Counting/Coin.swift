import Detection

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
  /// The name the user has given to its kind; empty for none and for rupiah.
  public var name: CoinName
  /// Centre, in pixels of the frame.
  public var x: Float
  /// Centre, in pixels of the frame, growing downwards.
  public var y: Float
  /// Longer axis of the outline in pixels.
  public var diameter: Float

  /// Makes a coin from its parts.
  public init(
    id: Int32, value: Int32, isWithdrawn: Bool, confidence: Float, x: Float, y: Float,
    diameter: Float, name: CoinName = CoinName()
  ) {
    self.id = id
    self.value = value
    self.isWithdrawn = isWithdrawn
    self.confidence = confidence
    self.x = x
    self.y = y
    self.diameter = diameter
    self.name = name
  }

  /// The coin a track stands for.
  init(_ track: Track) {
    self.init(
      id: track.id, value: track.value, isWithdrawn: track.isWithdrawn,
      confidence: track.confidence, x: track.x, y: track.y, diameter: track.diameter,
      name: track.name)
  }
}
