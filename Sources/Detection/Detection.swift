// Finds the coins of one picture and names them: in go a borrowed picture and the three networks of
// a model, out comes a list of detections, each with a place, a size, a value or none, and how sure
// that is. Nothing is remembered from one picture to the next. Depends on Engine, which runs the
// networks, and on Frames, which cuts their inputs out of the picture.

import Frames

/// One coin found in one frame.
public struct Detection: BitwiseCopyable, Sendable {
  /// Centre, in pixels of the frame; the top left pixel's centre is (0.5, 0.5).
  public var x: Float
  /// Centre, in pixels of the frame, growing downwards.
  public var y: Float
  /// Longer axis of the coin's outline in pixels.
  public var diameter: Float
  /// Face value in rupiah (50, 100, 200, 500, 1000), or 0 for a coin that is not named.
  public var value: Int32
  /// Whether the coin has been withdrawn from circulation; such a coin has its value all the same.
  public var isWithdrawn: Bool
  /// Calibrated probability, 0 to 1, that `value` (or "a coin", where `value` is 0) is right.
  public var confidence: Float
  /// Posterior probability of each of `Detection.values`, then of "a coin not known", summing to 1.
  /// The tracker multiplies these over frames.
  public var posterior: InlineArray<6, Float>
  /// Its number among the coins `CoinFinder.locate` found.
  public var place = 0
  /// Whether this frame's picture of it was looked at; `false` where value and posterior were
  /// recalled from earlier frames, or there are none.
  public var isLooked = true
  /// Whether the last look held it to be no coin at all; it is listed for what earlier ones said.
  public var isRefused = false
  /// Whether its outline was found anew, so that what earlier looks have told is void.
  public var isRestated = false

  /// Whether it has come since the scene was last at rest.
  public var hasArrived = false

  /// Diameter in millimetres of the face it is held to show; 0 for a coin that is not named.
  public var millimetres: Float = 0
  /// Number of the taught kind it is of, from 1; 0 for none.
  public var kind = 0
  /// The name the user has given to that kind; empty for none and for rupiah.
  public var name = CoinName()

  /// The denominations `posterior` speaks of, in its order.
  public static let values: InlineArray<5, Int32> = [50, 100, 200, 500, 1000]

  /// Makes a detection from its parts.
  public init(
    x: Float, y: Float, diameter: Float, value: Int32, isWithdrawn: Bool, confidence: Float,
    posterior: InlineArray<6, Float>
  ) {
    self.x = x
    self.y = y
    self.diameter = diameter
    self.value = value
    self.isWithdrawn = isWithdrawn
    self.confidence = confidence
    self.posterior = posterior
  }
}

extension Detection {
  /// No coin: what the unused places of a list hold.
  public static let none = Detection(
    x: 0, y: 0, diameter: 0, value: 0, isWithdrawn: false, confidence: 0,
    posterior: InlineArray(repeating: 0))
}

/// The most coins looked for in one frame. A tray of 200 by 150 mm holds about 40 Rp1000 coins
/// side by side; the rest is room for a pile.
public let coinCapacity = 64

/// The coins of one frame.
public typealias DetectionList = FixedList<64, Detection>
