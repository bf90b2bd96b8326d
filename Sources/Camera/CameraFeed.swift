import CSystem
import Counting
import Frames
import Loop
import Synchronization
import Threads

/// The camera as the loop sees it: always the newest frame, converted straight from the driver's
/// buffer, and news of what has become of the camera.
///
/// The camera's thread publishes each new frame in the place of one not yet taken, which goes back
/// to the driver and counts as late. The loop takes the newest, converts it and gives it back; it
/// holds no buffer longer than that. Before the camera's thread unmaps buffers it takes back what
/// is published and waits for what is being converted.
public struct CameraFeed: ~Copyable, FrameSource {
  /// Places for frames: the driver's buffers, and two pictures converted by libv4l.
  static let places = MappedBuffers.capacity + 2

  /// Place of the newest frame not yet taken, or -1.
  let newest = Atomic<Int>(-1)
  /// Places given back, a bit each.
  let returned = Atomic<UInt32>(0)
  /// Frames in a row that the loop found damaged.
  let damagedRun = Atomic<Int>(0)
  /// Frames the loop got whole.
  let whole = Atomic<Int>(0)
  /// Frames left out because a newer one was there, or because they were old.
  let late = Atomic<Int>(0)
  /// Frames left out because they were damaged.
  let damaged = Atomic<Int>(0)
  let news: NewsQueue
  /// How the camera is to be set from now on.
  let wishes: Mailbox<CameraSettings>
  let frames: UnsafeMutablePointer<CameraFrame>

  private let closed = Atomic<Bool>(false)
  private let ready: UnsafeMutablePointer<sem_t>
  private let slot: UnsafeMutablePointer<FrameSlot>
  /// What the loop's side has told.
  private let telling: UnsafeMutablePointer<Telling>
  private let decoder: MotionJPEGDecoder
  private let worker: UnsafeMutablePointer<CameraWorker>

  /// Makes a feed; nothing is opened before `runWorker`. `nil` when memory is short. A feed is made
  /// once and stays until the process ends.
  public init?(_ settings: CameraSettings) {
    let pixels = malloc(3 * CameraSettings.pixelLimit)?.assumingMemoryBound(to: UInt8.self)
    let size =
      CameraFeed.places * MemoryLayout<CameraFrame>.stride
      + Int(NewsQueue.capacity) * MemoryLayout<CameraNews>.stride
      + MemoryLayout<sem_t>.stride + MemoryLayout<FrameSlot>.stride
      + MemoryLayout<Telling>.stride + MemoryLayout<CameraWorker>.stride
      + 3 * MemoryLayout<CameraSettings>.stride + 7 * 64
    guard let pixels, let decoder = MotionJPEGDecoder(),
      let memory = aligned_alloc(64, (size + 63) / 64 * 64)
    else {
      free(pixels)
      return nil
    }
    var next = memory
    frames = CameraFeed.place(CameraFrame.self, CameraFeed.places, &next)
    news = NewsQueue(places: CameraFeed.place(CameraNews.self, Int(NewsQueue.capacity), &next))
    wishes = Mailbox(
      slots: CameraFeed.place(CameraSettings.self, 3, &next), filler: settings)
    ready = CameraFeed.place(sem_t.self, 1, &next)
    slot = CameraFeed.place(FrameSlot.self, 1, &next)
    telling = CameraFeed.place(Telling.self, 1, &next)
    telling.initialize(to: Telling())
    worker = CameraFeed.place(CameraWorker.self, 1, &next)
    sem_init(ready, 0, 0)
    slot.initialize(to: FrameSlot(pixels: pixels))
    worker.initialize(to: CameraWorker(settings))
    self.decoder = decoder
  }

  /// Makes a feed at a place of its own, where it stays until the process ends; `nil` when memory
  /// is short. For other modules, which cannot see how what a feed owns is given back.
  public static func make(_ settings: CameraSettings) -> UnsafeMutablePointer<CameraFeed>? {
    let size = (MemoryLayout<CameraFeed>.size + 63) / 64 * 64
    guard let memory = aligned_alloc(64, size) else { return nil }
    guard let feed = CameraFeed(settings) else {
      free(memory)
      return nil
    }
    let place = memory.bindMemory(to: CameraFeed.self, capacity: 1)
    place.initialize(to: feed)
    return place
  }

  private static func place<Element: ~Copyable>(
    _ type: Element.Type, _ count: Int, _ next: inout UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Element> {
    let place = next.bindMemory(to: Element.self, capacity: count)
    next += (count * MemoryLayout<Element>.stride + 63) / 64 * 64
    return place
  }

  /// Frames left out so far because a newer one was there, or because they were old.
  public var lateFrames: Int { late.load(ordering: .relaxed) }
  /// Frames left out so far because they were damaged.
  public var damagedFrames: Int { damaged.load(ordering: .relaxed) }

  /// Has the camera set anew, for which it is opened anew. For the loop's thread.
  public func apply(_ settings: CameraSettings) {
    wishes.post(settings, back: &telling.pointee.back)
  }

  /// Opens and watches the camera until the feed is closed. The body of the camera's thread.
  public func runWorker() {
    while !isClosed { step() }
    worker.pointee.finish(self)
  }

  /// One turn of the camera's thread.
  func step() {
    worker.pointee.step(self)
  }

  /// Wakes the loop.
  func signal() {
    sem_post(ready)
  }

  /// Whether no more frames are wanted.
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  /// Tells the camera's thread that no more frames are wanted.
  public func close() {
    closed.store(true, ordering: .releasing)
  }

  /// Waits at most `milliseconds` for news or a frame newer than the last. For the loop.
  public func waitForFull(milliseconds: Int) -> UnsafeMutablePointer<FrameSlot>? {
    if telling.pointee.isPicturePending {
      telling.pointee.isPicturePending = false
      slot.pointee.content = .picture
      return slot
    }
    if !csystem_semaphore_wait(ready, Int64(milliseconds)) { return nil }
    if let item = news.take() {
      // There may be more behind it, or a frame.
      sem_post(ready)
      report(item)
      return slot
    }
    guard let place = take() else { return nil }
    let isWhole = convert(frames[place])
    giveBack(place)
    if !isWhole { return nil }
    if telling.pointee.isLost {
      // The picture itself follows.
      telling.pointee.isLost = false
      telling.pointee.isPicturePending = true
      slot.pointee.content = .cameraBack
    }
    return slot
  }

  /// Nothing is to be handed back: frames are converted at once.
  public func empty() {}

  /// Takes the newest frame's place.
  func take() -> Int? {
    let place = newest.exchange(-1, ordering: .acquiringAndReleasing)
    return place < 0 ? nil : place
  }

  /// Gives a place back that was taken.
  func giveBack(_ place: Int) {
    returned.bitwiseOr(1 << UInt32(place), ordering: .acquiringAndReleasing)
  }

  /// Counts a frame that could not be converted.
  func noteDamage() {
    damaged.add(1, ordering: .relaxed)
    damagedRun.add(1, ordering: .relaxed)
  }

  private func report(_ item: CameraNews) {
    switch item {
    case .lost(let why):
      slot.pointee.content = .cameraLost
      slot.pointee.why = why
      telling.pointee.isLost = true
    case .degraded(let why):
      slot.pointee.content = .degraded
      slot.pointee.why = why
    }
  }

  /// Converts a frame into the slot; returns whether it is whole.
  private func convert(_ frame: CameraFrame) -> Bool {
    if !frame.convert(into: slot.pointee.pixels, decoder: decoder) {
      noteDamage()
      return false
    }
    whole.add(1, ordering: .relaxed)
    damagedRun.store(0, ordering: .relaxed)
    slot.pointee.width = frame.format.width
    slot.pointee.height = frame.format.height
    slot.pointee.number = frame.number
    slot.pointee.content = .picture
    return true
  }
}

/// What the loop's side of a feed has told of the camera.
private struct Telling: BitwiseCopyable {
  /// Whether the camera was told to be lost, and not yet to be back.
  var isLost = false
  /// Whether the slot holds a picture that is still to be handed over.
  var isPicturePending = false
  /// The slot to put the next wish into.
  var back = Mailbox<CameraSettings>.firstBack
}
