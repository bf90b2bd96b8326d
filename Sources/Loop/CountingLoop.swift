import Announcing
import CSystem
import Commands
import Counting
import Detection
import Frames
import Life
import Learning

/// Why the loop has ended.
public enum LoopEnd: BitwiseCopyable, Sendable, Equatable {
  /// There are no more frames, or as many as were asked for have been counted.
  case finished
  /// SIGINT or SIGTERM came.
  case signalled
  /// Standard output cannot be written, with this `errno`.
  case outputFailed(errno: Int32)
}

/// Counts the frames of a source.
public struct CountingLoop: ~Copyable {
  var watch: TrayWatch
  var announcer: Announcer
  private var tally: Tally
  private var tallySettings: Tally.Settings
  /// What is asked for and not done yet.
  var commands = CommandQueue()
  private var events = EventList()
  private var clock: FrameClock
  private var supervisor: Supervisor
  var till: Till
  var classroom: Classroom
  var tray: TrayKeeper
  /// Whether the tray is to be calibrated in the place of counting.
  private var isForCalibration = false
  /// The lesson to be given in the place of counting, if any.
  private var firstLesson: Teacher?

  /// Number of the frame to come, as far as it is known.
  private var nextFrame = 0

  /// How many frames could not be read.
  public private(set) var unreadableFrames = 0

  /// Joins the stages.
  public init(
    finder: consuming CoinFinder, announcer: consuming Announcer, tally: Tally.Settings,
    clock: FrameClock, supervisor: consuming Supervisor, till: consuming Till,
    classroom: consuming Classroom, tray: consuming TrayKeeper
  ) {
    watch = TrayWatch(finder)
    self.announcer = announcer
    self.tally = Tally(tally)
    tallySettings = tally
    self.clock = clock
    self.supervisor = supervisor
    self.till = till
    self.classroom = classroom
    self.tray = tray
  }

  /// Has `run` give a lesson and end with it, instead of counting.
  public mutating func prepare(_ teacher: Teacher) {
    firstLesson = teacher
  }

  /// Has `run` calibrate the tray and end with it, instead of counting.
  public mutating func prepareCalibration() { isForCalibration = true }

  /// Whether the tray has been calibrated and that is on the disk now.
  public var hasCalibrated: Bool { tray.hasCalibrated }

  /// Whether the lesson has taught a coin that is on the disk now.
  public var hasLearned: Bool { classroom.hasLearned }

  /// The fault that keeps the voice silent at the end, and the `errno` with which writing its WAV
  /// file failed, or 0.
  public func voiceFault() -> (Degradation?, fileFailure: Int32) {
    (announcer.voiceFault, announcer.voiceFileFailure())
  }

  /// Counts frames until there are no more, SIGINT or SIGTERM comes, or output fails. SIGUSR1 has
  /// the total said again. Allocates nothing but what `reload` does.
  /// - Parameters:
  ///   - source: where frames come from; it is closed at the end.
  ///   - limit: most frames to take.
  ///   - reload: called on SIGHUP; changes the announcer and returns how totals are made from here
  ///     on, or `nil`, changing nothing, after telling why it cannot.
  public mutating func run<Source: FrameSource & ~Copyable>(
    _ source: borrowing Source, limit: Int, reload: (inout Announcer) -> Tally.Settings?
  ) -> LoopEnd {
    begin()
    var turn = 0
    var end: LoopEnd?
    while end == nil && turn < limit {
      end = interruption()
      if end != nil { break }
      heedRequests(frame: nextFrame, reload)
      guard let slot = source.waitForFull(milliseconds: 100) else { continue }
      end = consider(slot.pointee, reload)
      if !slot.pointee.content.isNews { turn += 1 }
      source.empty()
    }
    source.close()
    return finish(end ?? .finished)
  }

  /// Tells that counting can begin, or has a lesson or a calibration begin.
  private mutating func begin() {
    nextFrame = 0
    // Opens the console, which is to hear of it.
    obeyCommands(frame: 0)
    announce(.ready, frame: 0)
    if let firstLesson { announce(.lesson(classroom.begin(firstLesson)), frame: 0) }
    if isForCalibration { announce(.calibration(tray.begin()), frame: 0) }
    if till.mode != .tray { announce(till.modeEvent, frame: 0) }
    supervisor.tellReady()
    clock.begin()
  }

  /// Why the loop has to end between frames; `nil` if it has not.
  private func interruption() -> LoopEnd? {
    if csystem_take_stop_signal() { return .signalled }
    if announcer.failure == 0 { return nil }
    return csystem_take_stop_signal() ? .signalled : .finished
  }

  /// Counts a frame when it is due, or tells of news; returns why the loop ends with it, if it does.
  @inline(never)
  private mutating func consider(
    _ slot: FrameSlot, _ reload: (inout Announcer) -> Tally.Settings?
  ) -> LoopEnd? {
    if slot.content == .end { return .finished }
    if slot.content.isNews {
      tell(slot, frame: nextFrame)
      return nil
    }
    nextFrame = slot.number + 1
    if !waitUntilDue(slot.number, reload) { return .signalled }
    take(slot)
    let hasLearned = firstLesson != nil && !classroom.isTeaching
    return hasLearned || isForCalibration && !tray.isCalibrating ? .finished : nil
  }

  /// Tells and keeps what is left to be; returns how the loop has ended.
  private mutating func finish(_ end: LoopEnd) -> LoopEnd {
    endLesson(frame: nextFrame)
    endCalibration(frame: nextFrame)
    supervisor.tellStopping()
    // Who asked to stop does not wait for a reader that has stopped before.
    if end == .signalled { announcer.patience = CountingLoop.stopPatience }
    till.finish(milliseconds: end == .finished ? 5000 : CountingLoop.stopPatience)
    tendTill(frame: nextFrame)
    announcer.finish(cutsOff: end != .finished)
    tellFaults(frame: nextFrame)
    announce(.stopped, frame: nextFrame)
    announcer.finishOutputs()
    return announcer.failure == 0 ? end : .outputFailed(errno: announcer.failure)
  }

  /// Milliseconds for the last lines after SIGINT or SIGTERM; with the voice's, less than a second.
  private static let stopPatience: Int64 = 300

  /// Does what SIGHUP and SIGUSR1 ask for and gives the service manager its sign of life.
  @inline(never)
  private mutating func heedRequests(
    frame: Int, _ reload: (inout Announcer) -> Tally.Settings?
  ) {
    supervisor.giveSign()
    obeyCommands(frame: frame)
    tendTill(frame: frame)
    if csystem_take_signal(SIGUSR1) { announcer.repeatTotal() }
    if !csystem_take_signal(SIGHUP) { return }
    supervisor.tellReloading()
    if let settings = reload(&announcer) {
      tally.apply(settings)
      tallySettings = settings
      till.apply(countsWithdrawn: settings.countsWithdrawn)
      announce(.recovered(.configurationRefused), frame: frame)
      announce(.reloaded, frame: frame)
    } else {
      announce(.degraded(.configurationRefused), frame: frame)
    }
    supervisor.tellReady()
  }

  /// Waits until a frame is due; returns `false` if a stop signal comes first.
  private mutating func waitUntilDue(
    _ frame: Int, _ reload: (inout Announcer) -> Tally.Settings?
  ) -> Bool {
    while true {
      heedRequests(frame: frame, reload)
      let wait = clock.wait(for: frame)
      if wait == 0 { return true }
      csystem_sleep(Int64(min(wait, 50)))
      if csystem_take_stop_signal() { return false }
    }
  }

  /// Tells what has become of the source.
  private mutating func tell(_ slot: FrameSlot, frame: Int) {
    switch slot.content {
    case .cameraLost: announce(.cameraLost(slot.why), frame: frame)
    case .cameraBack: announce(.cameraBack, frame: frame)
    case .degraded: announce(.degraded(slot.why), frame: frame)
    case .picture, .unreadable, .end: break
    }
  }

  /// Counts one frame.
  private mutating func take(_ slot: FrameSlot) {
    tellFaults(frame: slot.number)
    if slot.content == .unreadable {
      announce(.degraded(.framesUnreadable), frame: slot.number)
      unreadableFrames += 1
      return
    }
    announcer.greet()
    let milliseconds = clock.milliseconds(of: slot.number)
    if classroom.isTeaching || tray.isCalibrating {
      study(slot)
      return
    }
    watch.scale = tray.scale
    let hold = watch.take(slot.image, milliseconds: milliseconds)
    if hold == nil { tray.watch(watch.coins, slot.image) }
    tally.update(
      watch.tracks, hold: hold, isPending: watch.isPending, frame: slot.number,
      milliseconds: milliseconds, into: &events)
    till.update(&events)
    announcer.saysTotals = !isTotalReplaced
    for index in 0..<events.count { announce(events[index]) }
    events.removeAll()
    announcer.saysTotals = true
    if !tally.isHolding { announcer.endHold() }
    announcer.note(isUnsettled: tally.isSettling)
  }

  /// Forgets what lies on the tray, so that it is counted anew.
  mutating func reset() {
    watch.forget()
    tally = Tally(tallySettings)
    announcer.forgetTotal()
  }

  /// How things stand after so many frames.
  func status(frames: Int) -> Status {
    var status = Status()
    status.total = announcer.total
    status.frames = frames
    status.milliseconds = clock.milliseconds(of: frames)
    status.isHolding = announcer.isHolding
    status.hasFault = announcer.faults.hasFault
    status.hasVoice = announcer.hasVoice
    status.isMuted = announcer.isMuted
    return status
  }

  /// Takes a frame for the lesson being given or the calibration being made.
  private mutating func study(_ slot: FrameSlot) {
    let isMoving = watch.study(slot.image, effort: tray.isCalibrating ? .live : .thorough)
    if tray.isCalibrating {
      let step = tray.calibrate(watch.coins, slot.image, isMoving: isMoving)
      if let step { announce(.calibration(step), frame: slot.number) }
      if tray.isOver { endCalibration(frame: slot.number) }
      return
    }
    var look = Embedding()
    if watch.coins.count == 1 { look = watch.embedding(of: watch.coins[0]) }
    var pixels: Float = 0
    if let scale = tray.scale {
      pixels = scale.pixelsPerMillimetre * Float(slot.image.width) / Float(scale.width)
    }
    let lesson = classroom.take(
      watch.coins, look: look, isMoving: isMoving, pixelsPerMillimetre: pixels)
    if let lesson {
      announce(.lesson(lesson), frame: slot.number)
    }
    if classroom.isOver { endLesson(frame: slot.number) }
  }

  /// Ends the calibration being made, if there is one, and tells of its outcome.
  mutating func endCalibration(frame: Int) {
    if let step = tray.finish() { announce(.calibration(step), frame: frame) }
  }

  /// Ends the lesson being given, if there is one, and tells of its outcome.
  mutating func endLesson(frame: Int) {
    if let lesson = watch.endLesson(in: &classroom) { announce(.lesson(lesson), frame: frame) }
  }

  /// Whether something is said in the place of this frame's total.
  private var isTotalReplaced: Bool {
    for index in 0..<events.count {
      switch events[index].kind {
      case .batch, .target: return true
      default: break
      }
    }
    return false
  }

  /// Tells what has become of coins that were kept, and does what the button asks for.
  private mutating func tendTill(frame: Int) {
    while let news = till.takeNews() { announce(news, frame: frame) }
    while let news = tray.takeNews() { announce(news, frame: frame) }
  }

  mutating func tellFaults(frame: Int) {
    while let news = announcer.takeNews() {
      switch news {
      case .fault(let fault): announce(.degraded(fault), frame: frame)
      case .recovered(let fault): announce(.recovered(fault), frame: frame)
      }
    }
    while let news = announcer.takeOutputNews() {
      switch news {
      case .fault(let fault): announce(.degraded(fault), frame: frame)
      case .recovered(let fault): announce(.recovered(fault), frame: frame)
      }
    }
  }

  @inline(never)
  mutating func announce(_ kind: Event.Kind, frame: Int) {
    announce(Event(kind, frame: frame, milliseconds: clock.milliseconds(of: frame)))
  }

  private mutating func announce(_ event: Event) {
    announcer.announce(event)
    if case .batch(let batch) = event.kind {
      if let kept = till.keep(batch) { announcer.announce(Event(kept, like: event)) }
    }
    // The total is what `systemctl status` shows.
    guard case .total = event.kind else { return }
    var status = Supervisor.Status()
    status.append(console: event, in: .english)
    supervisor.tell(status)
  }
}
