import Counting
import Detection
import Frames

/// Finds the coins of each frame and looks at those that are worth it.
///
/// The detector sees every frame. What is refined and named, at most `looksPerFrame` coins in a
/// frame, are coins that are new, doubtful, disturbed, or not looked at for long; the others are
/// recalled from what looking at them has told before. Nothing is looked at while it moves or a
/// hand may half cover it.
struct CoinLooker: ~Copyable {
  /// Most coins looked at in one frame. With fewer a handful poured out would take long; with more
  /// the frame would.
  static let looksPerFrame = 10
  /// How many looks a round of insets takes as long as: it runs the classifier nine times, 366
  /// million multiplications, and a look takes 53. So no frame has more than one.
  static let roundLooks = 7
  /// How far a coin's circle may be off, in its diameter, for the coin not to have moved.
  static let restingShare: Float = 0.12
  /// Looks that make sure that something is no coin.
  static let rejectingLooks = 3
  /// Millimetres of the widest coin, and some room: a wider disc is a cup, a lid or a roll of tape.
  static let widest: Float = 34
  /// Share of the picture's width above which a disc that is not named is none, where no coin has
  /// told the scale: a tray is some 200 mm wide, and so that is a disc of 60 mm.
  static let widestShare: Float = 0.3
  /// Millimetres below which a disc that is not named is none: coins of small change have 15 or
  /// more.
  static let narrowest: Float = 12
  /// Millimetres of the smallest coin of each of `Detection.values`.
  static let smallest: InlineArray<5, Float> = [20, 22, 25, 24, 24]
  /// Least probability of a centre, by the detector, where the model asks for more: it is run once
  /// a frame here, without closer looks, and what is no coin is only looked at in vain.
  static let leastCentre: Float = 0.15
  /// Least probability of being one coin-like disc, by the refiner, of a coin that is named and of
  /// one that is not, where the model asks for more: here the classifier has to know a coin in look
  /// after look, and one left out would make the total wrong without a word.
  static let leastCoinness: Float = 0.03
  static let leastUnnamedCoinness: Float = 0.4
  /// The probability of being no coin that it takes to drop a disc, where the model asks for less,
  /// for the same reason.
  static let leastNoCoin: Float = 0.5
  /// The least asked for of what is not named and is too small to be read well, or unlikely for the
  /// detector: spots of a ground are near 0.8, coins near 1.
  static let leastDoubtfulCoinness: Float = 0.9
  /// The same of what has come since the scene was last at rest: it is no spot of the ground. A
  /// thousand rupiah that nearly had the colour of its ground had 0.24 to 0.44.
  static let leastArrivedCoinness: Float = 0.15
  /// Pixels below which a coin can hardly be read.
  static let readableDiameter: Float = 30
  /// Frames after which nothing waits any more for what has not been looked at: on a busy pattern
  /// there is always more, while coins, which the detector is surer of, have had their turn.
  static let mostPendingFrames = 8
  /// Coins from which on a detector that found more than it can list may have left out some.
  static let crowd = 32
  /// How urgent a look is: at what has been taken for a coin and not looked at often enough, at
  /// what is new and large enough to be read, at a coin that has moved, at one that was disturbed
  /// or is not named, at what is new and small, and again at a sure one. Were all new things first,
  /// a spotted ground, which always has more of them, would keep the looks from the coins.
  static let doubtfulNeed: Int8 = 6
  static let newNeed: Int8 = 5
  static let movedNeed: Int8 = 4
  static let disturbedNeed: Int8 = 3
  static let smallNeed: Int8 = 2
  static let routineNeed: Int8 = 1
  /// Frames after which something that is no longer found is forgotten.
  static let forgettingFrames = 60
  /// Frames after which what was found to be no coin is looked at again.
  static let rejectionFrames = 12

  /// Something that is no coin, where the detector keeps finding one.
  private struct Rejection: BitwiseCopyable {
    var x: Float
    var y: Float
    var radius: Float
    var frames = 0
    var looks = 1
    var unseenFrames = 0
  }

  var finder: CoinFinder
  private var rejections = FixedList<128, Rejection>(filler: Rejection(x: 0, y: 0, radius: 0))
  private var needs = InlineArray<64, Int8>(repeating: 0)
  private var tracks = InlineArray<64, Int8>(repeating: -1)
  private var wasLooked = InlineArray<64, Bool>(repeating: false)
  private var isListed = InlineArray<64, Bool>(repeating: false)

  /// Most pixels that a millimetre can have, by the coins named last; 0 before there was one.
  private var scale: Float = 0

  /// Whether the last frame showed something that has not been looked at for want of time.
  private(set) var isPending = false

  private var pendingFrames = 0
  /// The probability of a centre that the model itself asks for; what is less is not waited for.
  private let likelyCentre: Float

  /// How many coins were looked at in the last frame.
  private(set) var looks = 0

  init(_ finder: consuming CoinFinder) {
    likelyCentre = finder.parameters.detectorThreshold
    self.finder = finder
    self.finder.parameters.detectorThreshold = min(
      self.finder.parameters.detectorThreshold, CoinLooker.leastCentre)
    self.finder.parameters.refinerThreshold = min(
      self.finder.parameters.refinerThreshold, CoinLooker.leastCoinness)
    self.finder.parameters.reject = max(self.finder.parameters.reject, CoinLooker.leastNoCoin)
  }

  /// Finds the coins of a frame.
  /// - Parameters:
  ///   - image: the frame.
  ///   - tracker: what has been followed until now.
  ///   - isHeld: whether the scene moves or is covered, so that nothing is looked at.
  ///   - hasArrived: whether what lies within a circle has come since the scene was last at rest.
  ///   - detections: emptied, then filled.
  mutating func look(
    at image: ImageView, tracker: borrowing Tracker, isHeld: Bool,
    hasArrived: (Outline) -> Bool, into detections: inout DetectionList
  ) -> FindReport {
    finder.locate(in: image, effort: .live)
    isPending = false
    looks = 0
    if !isHeld {
      for index in 0..<rejections.count { rejections[index].unseenFrames += 1 }
    }
    for index in 0..<finder.locatedCount { assess(index, tracker, isHeld: isHeld) }
    if !isHeld { lookAtNeediest(image, tracker) }
    for index in 0..<finder.locatedCount where needs[index] > 0 && isNew(index, tracker) {
      // No time for it: a known coin is listed as seen, an unknown one later. While nothing can be
      // looked at, what is likely a coin is followed.
      if isHeld && isWaitedFor(index) { continue }
      finder.drop(index)
      if isWaitedFor(index) { isPending = true }
    }
    var report = finder.conclude(effort: .live, into: &detections)
    dropMisfits(&detections, width: image.width)
    noteArrivals(&detections, tracker, hasArrived)
    dropUnlikely(&detections)
    report.isTruncated = report.isTruncated && detections.count >= CoinLooker.crowd
    if !isHeld { noteRejections(detections.span) }
    pendingFrames = isPending ? pendingFrames + 1 : 0
    if pendingFrames > CoinLooker.mostPendingFrames { isPending = false }
    return report
  }

  /// What is known of the coin at a place of the last frame's detections.
  func memory(of place: Int) -> CoinMemory { finder.memory(of: place) }

  /// How many circles the detector found in the last frame.
  var locatedCount: Int { finder.locatedCount }

  /// A circle of the last frame, coin or not, unless it is too wide for a coin.
  ///
  /// Precondition: `0 <= index < locatedCount`.
  func circle(_ index: Int) -> Outline? {
    let circle = finder.circle(index)
    return scale > 0 && 2 * circle.radius > CoinLooker.widest * scale ? nil : circle
  }

  /// Learns how large coins are, and drops discs that are too wide or too narrow to be any.
  private mutating func dropMisfits(_ detections: inout DetectionList, width: Int) {
    var largest: Float = 0
    for index in 0..<detections.count {
      for value in 0..<5 where Detection.values[value] == detections[index].value {
        largest = max(largest, detections[index].diameter / CoinLooker.smallest[value])
      }
    }
    if largest > 0 { scale = largest }
    var index = detections.count - 1
    while index >= 0 {
      if CoinLooker.isMisfit(detections[index], scale: scale, width: width) {
        detections.swapRemove(at: index)
      }
      index -= 1
    }
  }

  /// Notes which of what was looked at has come just now, or was seen to. Where it is not known how
  /// large coins are, it may be a cup.
  private func noteArrivals(
    _ detections: inout DetectionList, _ tracker: borrowing Tracker,
    _ hasArrived: (Outline) -> Bool
  ) {
    for index in 0..<detections.count where detections[index].isLooked {
      let place = detections[index].place
      let track = Int(tracks[place])
      detections[index].hasArrived =
        track >= 0 && tracker.tracks[track].hasArrived
        || scale > 0 && isReadable(place) && hasArrived(finder.circle(place))
    }
  }

  /// Whether a disc is too wide for any coin, or too narrow for one that is not named, where so
  /// many pixels are a millimetre; 0 where that is not known, in a picture so many pixels wide.
  static func isMisfit(_ detection: Detection, scale: Float, width: Int) -> Bool {
    let isNamed = detection.value != 0
    if scale <= 0 {
      return !isNamed && detection.diameter > CoinLooker.widestShare * Float(width)
    }
    return detection.diameter > CoinLooker.widest * scale
      || !isNamed && detection.diameter < CoinLooker.narrowest * scale
  }

  /// Drops what was looked at and is neither named nor much like a coin.
  private func dropUnlikely(_ detections: inout DetectionList) {
    var index = detections.count - 1
    while index >= 0 {
      let detection = detections[index]
      let place = detection.place
      let isDoubtful =
        detection.diameter < CoinLooker.readableDiameter || finder.heat(at: place) < likelyCentre
      let least =
        detection.hasArrived
        ? CoinLooker.leastArrivedCoinness
        : isDoubtful ? CoinLooker.leastDoubtfulCoinness : CoinLooker.leastUnnamedCoinness
      if detection.isLooked && detection.value == 0 && detection.kind == 0
        && finder.coinness(at: place) < least
      {
        detections.swapRemove(at: index)
      }
      index -= 1
    }
  }

  /// Decides how much a located coin needs to be looked at, and recalls it if it doesn't.
  private mutating func assess(_ index: Int, _ tracker: borrowing Tracker, isHeld: Bool) {
    let outline = finder.outline(index)
    needs[index] = isReadable(index) ? CoinLooker.newNeed : CoinLooker.smallNeed
    tracks[index] = -1
    wasLooked[index] = false
    if let near = tracker.nearest(x: outline.x, y: outline.y, reach: 0.5 * outline.radius) {
      let track = tracker.tracks[near]
      tracks[index] = Int8(near)
      let right = track.x - outline.x
      let down = track.y - outline.y
      let most = CoinLooker.restingShare * track.diameter
      let ratio = 2 * outline.radius / track.diameter
      let rests =
        right * right + down * down < most * most && ratio > 0.8 && ratio < 1.25
        && track.looks > 0
      if rests {
        needs[index] = CoinLooker.need(of: track)
        finder.recall(index, as: track.memory)
      } else if track.looks > 0 {
        needs[index] = CoinLooker.movedNeed
      }
    } else if isRejected(outline) {
      needs[index] = 0
      finder.drop(index)
    }
  }

  /// How urgent it is to look at a coin that rests where it was.
  private static func need(of track: Track) -> Int8 {
    switch track.need {
    case 3: doubtfulNeed
    case 2: disturbedNeed
    case 1: routineNeed
    default: 0
    }
  }

  /// Whether something is large enough to be read, were it a coin.
  private func isReadable(_ index: Int) -> Bool {
    2 * finder.circle(index).radius >= CoinLooker.readableDiameter
  }

  /// Whether a total should wait for a look at something: for what the detector holds to be a coin,
  /// and for what is as large as one, because a coin in a glare may be unlikely.
  private func isWaitedFor(_ index: Int) -> Bool {
    isReadable(index) || finder.heat(at: index) >= likelyCentre
  }

  /// Whether something has never been looked at, or not since it was found to be no coin.
  private func isNew(_ index: Int, _ tracker: borrowing Tracker) -> Bool {
    let track = Int(tracks[index])
    return track < 0 || tracker.tracks[track].looks == 0
  }

  private mutating func lookAtNeediest(_ image: ImageView, _ tracker: borrowing Tracker) {
    while looks < CoinLooker.looksPerFrame {
      var neediest = -1
      for index in 0..<finder.locatedCount where needs[index] > 0 {
        if neediest < 0 || needs[index] > needs[neediest] { neediest = index }
      }
      if neediest < 0 { return }
      let track = Int(tracks[neediest])
      let look = track < 0 ? earlierLooks(neediest) : tracker.tracks[track].looks
      finder.forget(neediest)
      let isKnown = track >= 0 && tracker.tracks[track].looks > 0
      var trials = OutlineTrials()
      if isKnown && !tracker.tracks[track].isDisturbed {
        trials = tracker.tracks[track].memory.trials
      }
      finder.identify(neediest, in: image, effort: .live, look: look, trials: trials)
      if isKnown {
        let needsInsets =
          tracker.tracks[track].needsInsets
          && looks + CoinLooker.roundLooks < CoinLooker.looksPerFrame
        if needsInsets && finder.tryInsets(neediest, in: image) { looks += CoinLooker.roundLooks }
        addUp(neediest, tracker.tracks[track])
      } else if !finder.isCoin(at: neediest) {
        // What is none has no say in how large the coins are.
        finder.drop(neediest)
      }
      needs[neediest] = 0
      wasLooked[neediest] = true
      looks += 1
    }
  }

  /// Makes of the look just taken at a known coin, and those before it, one.
  private mutating func addUp(_ index: Int, _ track: Track) {
    if !finder.isCoin(at: index) {
      // A spot of the ground that was once taken for a coin is not held to be one for that.
      if !track.isConfirmed { return }
      finder.recall(index, as: track.memory, isRefused: true)
    } else if !track.isDisturbed && !finder.isRestated(at: index) {
      finder.combine(index, with: track.memory, count: track.looks)
    }
  }

  /// How often something has been looked at and found to be no coin.
  private func earlierLooks(_ index: Int) -> Int {
    let circle = finder.circle(index)
    for index in 0..<rejections.count where isSame(rejections[index], circle) {
      return rejections[index].looks
    }
    return 0
  }

  /// Whether a circle is where something was found to be no coin, not long ago.
  private mutating func isRejected(_ outline: Outline) -> Bool {
    for index in 0..<rejections.count where isSame(rejections[index], outline) {
      rejections[index].unseenFrames = 0
      if rejections[index].looks < CoinLooker.rejectingLooks { return false }
      rejections[index].frames += 1
      if rejections[index].frames < CoinLooker.rejectionFrames { return true }
      rejections[index].frames = 0
      return false
    }
    return false
  }

  /// Keeps what was looked at and turned out to be no coin; forgets what has turned out to be one,
  /// and what has not been there for long.
  private mutating func noteRejections(_ detections: Span<Detection>) {
    for place in 0..<finder.locatedCount { isListed[place] = false }
    for index in 0..<detections.count { isListed[detections[index].place] = true }
    for place in 0..<finder.locatedCount where wasLooked[place] && tracks[place] < 0 {
      let circle = finder.circle(place)
      if isListed[place] {
        forgive(circle)
      } else {
        reject(circle, isWaitedFor: isWaitedFor(place))
      }
    }
    var index = rejections.count - 1
    while index >= 0 {
      if rejections[index].unseenFrames >= CoinLooker.forgettingFrames {
        rejections.swapRemove(at: index)
      }
      index -= 1
    }
  }

  private mutating func forgive(_ circle: Outline) {
    for index in 0..<rejections.count where isSame(rejections[index], circle) {
      rejections.swapRemove(at: index)
      return
    }
  }

  private mutating func reject(_ circle: Outline, isWaitedFor: Bool) {
    for index in 0..<rejections.count where isSame(rejections[index], circle) {
      rejections[index].looks += 1
      if isWaitedFor && rejections[index].looks < CoinLooker.rejectingLooks { isPending = true }
      return
    }
    // Where a pattern is taken for more than can be kept, it is not waited for.
    let isKept = rejections.append(Rejection(x: circle.x, y: circle.y, radius: circle.radius))
    if isKept && isWaitedFor { isPending = true }
  }

  private func isSame(_ rejection: Rejection, _ circle: Outline) -> Bool {
    let right = rejection.x - circle.x
    let down = rejection.y - circle.y
    let most = 2 * CoinLooker.restingShare * rejection.radius
    let ratio = circle.radius / rejection.radius
    return right * right + down * down < most * most && ratio > 0.9 && ratio < 1.1
  }
}
