import CSystem
import CVideo
import Counting
import Devices
import Synchronization
import Threads

/// The camera's thread: looks for the camera, takes its frames, and watches over it.
struct CameraWorker: ~Copyable {
  /// Milliseconds between looking for a camera, in the first seconds and later.
  static let searchInterval: Int64 = 250
  static let laterSearchInterval: Int64 = 1000
  static let eagerSearch: Int64 = 5000
  /// Milliseconds a camera may take for its first frame: some adjust themselves first.
  static let firstFrameTimeout: Int64 = 5000
  /// Errors in a row after which the camera is opened anew; one alone is a disturbance.
  static let errorLimit = 5
  /// Damaged frames in a row that are no accident any more: a second's worth.
  static let damageLimit = 30
  /// A frame this many milliseconds old has waited while this process was stopped.
  static let staleAge: Int64 = 500
  /// Frames over which the rate is measured.
  static let rateWindow = 90

  var settings: CameraSettings
  var finder: CameraFinder
  var stream: CameraStream?
  /// Frames taken from the driver since the start.
  var frameCount = 0
  /// Places published and neither taken back nor given back, a bit each.
  var outside: UInt32 = 0
  /// Errors, short frames and old frames in a row.
  var errorRun = 0
  var shortRun = 0
  var staleRun = 0
  var hasFrame = false
  var lastGood: Int64 = 0
  var meter = RateMeter()

  /// Whole pictures the loop had got when the camera was opened.
  private var wholeBefore = 0
  private var front = Mailbox<CameraSettings>.firstFront
  private var isLost = false
  private var told: Degradation?
  private var lostAt: Int64?
  private var nextSearch: Int64 = 0

  init(_ settings: CameraSettings) {
    self.settings = settings
    finder = CameraFinder(settings)
  }

  /// One turn: takes what has come, or looks for the camera.
  mutating func step(_ feed: borrowing CameraFeed) {
    if !feed.news.hasRoom {
      // The loop is held up; it must learn everything in order.
      pause(20)
    } else if let wish = feed.wishes.take(front: &front), wish != settings {
      withdraw(feed)
      stream = nil
      settings = wish
      finder.use(wish)
      nextSearch = 0
    } else if stream == nil {
      search(feed)
    } else {
      pump(feed)
    }
  }

  /// Closes the camera.
  mutating func finish(_ feed: borrowing CameraFeed) {
    withdraw(feed)
    stream = nil
  }

  /// Waits without a device.
  func pause(_ milliseconds: Int64) {
    _ = csystem_device_poll(-1, 0, Int32(clamping: milliseconds))
  }

  private mutating func search(_ feed: borrowing CameraFeed) {
    let now = csystem_device_milliseconds()
    let since = lostAt ?? now
    lostAt = since
    if now < nextSearch {
      pause(min(nextSearch - now, 50))
      return
    }
    do throws(Degradation) {
      stream = try finder.open(absence: now - since)
      begin(feed)
    } catch {
      let isEager = now - since < CameraWorker.eagerSearch
      nextSearch =
        csystem_device_milliseconds()
        + (isEager ? CameraWorker.searchInterval : CameraWorker.laterSearchInterval)
      tellLost(error, feed)
    }
  }

  /// Notes that a camera has just been started.
  private mutating func begin(_ feed: borrowing CameraFeed) {
    errorRun = 0
    shortRun = 0
    staleRun = 0
    hasFrame = false
    meter = RateMeter()
    feed.damagedRun.store(0, ordering: .relaxed)
    wholeBefore = feed.whole.load(ordering: .relaxed)
    lastGood = csystem_device_milliseconds()
    if let identity = stream?.node.identity { finder.remember(identity) }
    if stream?.hasControls == false { tell(.degraded(.cameraControlMissing), feed) }
  }

  /// Gives the camera up and looks for it anew.
  mutating func lose(_ why: Degradation, _ feed: borrowing CameraFeed) {
    withdraw(feed)
    stream = nil
    let now = csystem_device_milliseconds()
    lostAt = now
    nextSearch = now + CameraWorker.searchInterval
    tellLost(why, feed)
  }

  /// Notes a usable frame.
  mutating func noteGood(_ now: Int64) {
    lastGood = now
    hasFrame = true
    errorRun = 0
    shortRun = 0
  }

  /// Notes when the loop has got a whole picture again: only then is the camera back.
  mutating func noteReturn(_ feed: borrowing CameraFeed) {
    if feed.whole.load(ordering: .relaxed) == wholeBefore { return }
    isLost = false
    told = nil
    lostAt = nil
  }

  /// Tells once that the camera is lost, and again only where the reason is another and says more.
  private mutating func tellLost(_ why: Degradation, _ feed: borrowing CameraFeed) {
    let saysMore = !isLost || why != told && why != .cameraMissing && why != .cameraUnplugged
    isLost = true
    if !saysMore { return }
    told = why
    tell(.lost(why), feed)
  }

  func tell(_ news: CameraNews, _ feed: borrowing CameraFeed) {
    feed.news.add(news)
    feed.signal()
  }

  /// Takes back what is published and waits for what the loop is converting.
  private mutating func withdraw(_ feed: borrowing CameraFeed) {
    if let place = feed.take() { outside &= ~(1 << UInt32(place)) }
    while true {
      outside &= ~feed.returned.exchange(0, ordering: .acquiringAndReleasing)
      if outside == 0 { return }
      pause(1)
    }
  }
}

/// Measures how many frames a camera really delivers.
struct RateMeter: BitwiseCopyable {
  private var count = 0
  private var firstSequence: UInt32 = 0
  private var firstTime: Int64 = 0
  /// Frames a second in thousandths, once a window is full.
  private(set) var rate: UInt64?

  /// Takes in a frame's number and time in milliseconds.
  mutating func add(sequence: UInt32, milliseconds: Int64) {
    if count == 0 {
      firstSequence = sequence
      firstTime = milliseconds
    }
    count += 1
    if count <= CameraWorker.rateWindow { return }
    // Frames that were not taken count too, where the driver numbers them.
    let frames = max(UInt64(count - 1), UInt64(sequence &- firstSequence) & 0xffff)
    let elapsed = milliseconds - firstTime
    rate = elapsed > 0 ? frames * 1_000_000 / UInt64(elapsed) : nil
    count = 0
  }
}
