import Detection
import Frames

/// What has been seen of one coin's value, gathered over frames.
///
/// Each frame's posterior is taken as a logarithm, kept above a floor so that one bad frame
/// cannot rule a value out, and averaged over the last `window` frames. The average is then
/// weighed as a number of *independent* looks that grows with the frames but is capped, because
/// frames of a coin lying still repeat the same mistake: ten alike frames are surer than one, yet
/// not ten times as sure.
struct Evidence: BitwiseCopyable, Sendable {
  /// Lowest logarithm a single frame may contribute: a probability of 1 in 100.
  static let floor: Float = -4.605_170_2
  /// Frames after which older ones begin to be forgotten.
  static let window: Int32 = 24
  /// Correlation of two frames' errors; the looks never count as more than its inverse.
  static let correlation: Float = 0.5

  /// Probability of a value, and looks, from which on it is named though most single looks were not
  /// sure enough to: what all looks say together then exceeds what one must say to name a coin.
  /// Some must have named it all the same, because only they tell withdrawn coins from others.
  static let sureTogether: Float = 0.985
  static let looksTogether: Int32 = 8
  /// The same for a value to be kept.
  static let keptTogether: Float = 0.97

  /// Looks in a row that must name another value before what was seen until then is forgotten:
  /// then another coin lies there.
  static let contradictingLooks: Int32 = 2

  /// How many frames have been added, up to `window`.
  private(set) var looks: Int32 = 0
  /// Mean logarithm of each denomination's probability, then of "not known".
  private var logarithms = InlineArray<6, Float>(repeating: 0)
  /// Share of the frames that named each denomination, then of those that named none.
  private var votes = InlineArray<6, Float>(repeating: 0)
  /// Share of the frames that named each denomination as a withdrawn coin.
  private var withdrawnVotes = InlineArray<6, Float>(repeating: 0)
  /// Looks in a row that named another value than is held.
  private(set) var contradictions: Int32 = 0
  /// Probability of each denomination, then of "not known", given all frames; sums to 1.
  private(set) var posterior = InlineArray<6, Float>(repeating: 1 / 6)

  /// The taught kind that most frames have shown of late, 0 for none, its name, and their share.
  private var kind = 0
  private var kindName = CoinName()
  private var kindShare: Float = 0

  init() {}

  /// Adds one frame's evidence.
  /// - Parameter named: the value held so far, 0 for none.
  mutating func add(_ detection: Detection, holding named: Int32) {
    let contradicts = named != 0 && detection.value != 0 && detection.value != named
    contradictions = contradicts ? contradictions + 1 : 0
    if contradictions >= Evidence.contradictingLooks { self = Evidence() }
    looks = min(looks + 1, Evidence.window)
    let weight = 1 / Float(looks)
    for index in 0..<6 {
      let probability = detection.posterior[index]
      let logarithm =
        probability > 0.01
        ? Float(ElementaryFunctions.logarithm(Double(min(probability, 1)))) : Evidence.floor
      let isNamed = Evidence.index(of: detection.value) == index
      logarithms[index] += weight * (logarithm - logarithms[index])
      votes[index] += weight * ((isNamed ? 1 : 0) - votes[index])
      withdrawnVotes[index] +=
        weight * ((isNamed && detection.isWithdrawn ? 1 : 0) - withdrawnVotes[index])
    }
    if detection.kind == kind {
      kindShare += weight * (1 - kindShare)
    } else {
      kindShare -= weight * kindShare
      if kindShare < 0.5 {
        kind = detection.kind
        kindName = detection.name
        kindShare = 1 - kindShare
      }
    }
    updatePosterior()
  }

  /// The name of the taught kind it is held to be of; empty for none.
  /// - Parameter held: the name held so far.
  func name(holding held: CoinName) -> CoinName {
    if kind == 0 || kindName.count == 0 { return CoinName() }
    return kindShare >= (kindName == held ? 0.5 : 0.6) ? kindName : CoinName()
  }

  /// What the coin is held to be.
  ///
  /// A value once named is kept until the evidence is clearly against it, so that a coin at the
  /// threshold does not flicker.
  /// - Parameter named: the value held so far, 0 for none.
  func verdict(holding named: Int32) -> Verdict {
    var best = 0
    for index in 1..<6 where posterior[index] > posterior[best] { best = index }
    let confidence = min(posterior[best], 0.999)
    if best == 5 { return Verdict(value: 0, isWithdrawn: false, confidence: confidence) }
    let value = Detection.values[best]
    let isHeld = value == named
    let isVoted =
      posterior[best] >= (isHeld ? 0.85 : 0.95) && votes[best] >= (isHeld ? 0.4 : 0.6)
    let together = isHeld ? Evidence.keptTogether : Evidence.sureTogether
    let isSure =
      isVoted
      || (posterior[best] >= together && looks >= Evidence.looksTogether
        && votes[best] >= (isHeld ? 0.2 : 0.25))
    let withdrawnShare = votes[best] > 0 ? withdrawnVotes[best] / votes[best] : 0
    // A coin of doubtful series may not be money at all, so its value is not claimed either.
    if !isSure || (withdrawnShare > 0.25 && withdrawnShare < 0.75) {
      return Verdict(value: 0, isWithdrawn: false, confidence: confidence)
    }
    return Verdict(value: value, isWithdrawn: withdrawnShare >= 0.75, confidence: confidence)
  }

  /// Place of `value` in `Detection.values`; 5 for anything else.
  static func index(of value: Int32) -> Int {
    for index in 0..<5 where Detection.values[index] == value { return index }
    return 5
  }

  private mutating func updatePosterior() {
    let count = Float(looks)
    let independent = count / (1 + Evidence.correlation * (count - 1))
    var highest = logarithms[0]
    for index in 1..<6 { highest = max(highest, logarithms[index]) }
    var sum: Float = 0
    for index in 0..<6 {
      let exponent = Double((logarithms[index] - highest) * independent)
      posterior[index] = Float(ElementaryFunctions.exponential(exponent))
      sum += posterior[index]
    }
    for index in 0..<6 { posterior[index] /= sum }
  }
}
