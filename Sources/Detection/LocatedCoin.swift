/// A coin of the picture at hand, and how far it has been looked into.
struct LocatedCoin: BitwiseCopyable {
  enum State: UInt8 {
    /// Found by the detector alone.
    case located
    /// Its outline is known.
    case refined
    /// Its faces' probabilities are known.
    case identified
    /// Not a coin, or one that is listed already.
    case dropped
  }

  var outline: Outline
  /// As the detector found it.
  var circle: Outline
  /// The detector's logit.
  var heat: Float
  /// What heat and coinness must add up to.
  var leastSum: Float
  /// The refiner's logit.
  var coinness: Float
  var state: State
  /// Whether it was dropped by its outline alone, and may be a coin that was taught all the same.
  var isDoubtful = false
  /// Whether what is known of it comes from earlier pictures.
  var isRecalled = false
  /// Whether the look just taken held it to be none.
  var isRefused = false
  /// What has been made of the refiner's outline, and whether the look just taken has changed it.
  var trials = OutlineTrials()
  var isRestated = false
  /// Its number among the coins whose sizes are weighed together.
  var scalePlace = 0

  static let none = LocatedCoin(
    outline: Outline(x: 0, y: 0, radius: 0), circle: Outline(x: 0, y: 0, radius: 0), heat: 0,
    leastSum: 0, coinness: 0, state: .dropped)

  /// Whether this one is to be kept where both are the same coin.
  func precedes(_ other: LocatedCoin) -> Bool {
    let isKnown = state != .located
    let isOtherKnown = other.state != .located
    if isKnown != isOtherKnown { return isKnown }
    if coinness != other.coinness { return coinness > other.coinness }
    return heat > other.heat
  }
}
