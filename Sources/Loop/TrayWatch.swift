import Counting
import Detection
import Frames

/// Watches the tray: what moves, what is in the way, and which coins lie there.
struct TrayWatch: ~Copyable {
  private var looker: CoinLooker
  private var tracker = Tracker()
  private var motion = MotionMeter()
  private var obstacle = ObstacleMeter()
  private var detections = DetectionList(filler: .none)

  init(_ finder: consuming CoinFinder) { looker = CoinLooker(finder) }

  /// The coins followed, confirmed or not.
  var tracks: Span<Track> {
    @_lifetime(borrow self)
    borrowing get { tracker.tracks }
  }

  /// Whether the last frame showed something that has not been looked at for want of time.
  var isPending: Bool { looker.isPending }

  /// What the last frame showed.
  var coins: Span<Detection> {
    @_lifetime(borrow self)
    borrowing get { detections.span }
  }

  /// Whether coins can be taught.
  var canBeTaught: Bool { looker.finder.canBeTaught }

  /// Pixels in a millimetre, where the tray has been calibrated.
  var scale: KnownScale? {
    get { looker.finder.knownScale }
    set { looker.finder.knownScale = newValue }
  }

  /// How a coin of the last frame that was studied looks.
  func embedding(of coin: Detection) -> Embedding { looker.finder.embedding(of: coin) }

  /// Ends the lesson being given, whose coin is one of those taught from here on.
  mutating func endLesson(in classroom: inout Classroom) -> Lesson? {
    classroom.finish(&looker.finder.taught)
  }

  /// Finds the coins of a frame by itself, for lessons and calibrations; nothing is followed.
  /// Returns whether the scene has moved since the frame before.
  mutating func study(_ image: ImageView, effort: Effort) -> Bool {
    looker.finder.knownScale = nil
    looker.finder.describesCoins = true
    looker.finder.find(in: image, effort: effort, into: &detections)
    looker.finder.describesCoins = false
    return motion.isMoving(in: image)
  }

  /// Begins anew, as with a tray not seen before.
  mutating func forget() {
    tracker = Tracker()
    motion = MotionMeter()
    obstacle = ObstacleMeter()
  }

  /// Takes in the next frame; returns why the scene cannot be judged, if it cannot.
  mutating func take(_ image: ImageView, milliseconds: Int) -> HoldReason? {
    let isMoving = motion.isMoving(in: image)
    if isMoving {
      tracker.disturb { x, y, radius in motion.hasMoved(x: x, y: y, radius: radius) }
    }
    obstacle.begin(image, motion)
    let report = looker.look(
      at: image, tracker: tracker, isHeld: isMoving || obstacle.isObstructed,
      hasArrived: { disc in
        obstacle.hasArrived(x: disc.x, y: disc.y, radius: disc.radius, motion)
      }, into: &detections)
    explainEdges()
    obstacle.judge(
      motion, isMoving: isMoving, tracks: tracker.tracks, milliseconds: milliseconds)
    tracker.update(detections.span, isHeld: isMoving || obstacle.isObstructed)
    tracker.remember { place in looker.memory(of: place) }
    if report.isTruncated || tracker.isCrowded { return .crowded }
    if isMoving { return .motion }
    return obstacle.isObstructed ? .obstacle : nil
  }

  /// Tells the obstacle meter of every coin that is there or was.
  private mutating func explainEdges() {
    for index in 0..<looker.locatedCount {
      if let circle = looker.circle(index) {
        obstacle.explain(x: circle.x, y: circle.y, radius: circle.radius)
      }
    }
    for index in 0..<tracker.tracks.count {
      let track = tracker.tracks[index]
      obstacle.explain(x: track.x, y: track.y, radius: 0.5 * track.diameter)
    }
  }
}
