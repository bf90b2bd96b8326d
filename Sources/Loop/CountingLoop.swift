import Announcing
import CSystem
import Counting
import Detection
import Frames

/// Why the loop has ended.
public enum LoopEnd: BitwiseCopyable, Sendable, Equatable {
  /// There are no more frames, or as many as were asked for have been counted.
  case finished
  /// SIGINT or SIGTERM came.
  case signalled
  /// Standard output cannot be written, with this `errno`.
  case outputFailed(errno: Int32)
}

/// Counts the frames of a ring.
public struct CountingLoop: ~Copyable {
  private var finder: CoinFinder
  private var announcer: Announcer
  private var tracker = Tracker()
  private var tally: Tally
  private var motion = MotionMeter()
  private var detections = DetectionList(filler: .none)
  private var events = EventList()
  private var clock: FrameClock

  /// How many frames could not be read.
  public private(set) var unreadableFrames = 0

  /// Joins the stages.
  public init(
    finder: consuming CoinFinder, announcer: consuming Announcer, tally: Tally.Settings,
    clock: FrameClock
  ) {
    self.finder = finder
    self.announcer = announcer
    self.tally = Tally(tally)
    self.clock = clock
  }

  /// Counts frames until there are no more, a signal comes, or output fails. Allocates nothing.
  /// - Parameters:
  ///   - ring: where frames come from; it is closed at the end.
  ///   - limit: most frames to take.
  public mutating func run(_ ring: borrowing FrameRing, limit: Int) -> LoopEnd {
    var turn = 0
    var last = -1
    announce(.ready, frame: 0)
    clock.begin()
    var end = LoopEnd.finished
    while turn < limit {
      if csystem_take_stop_signal() {
        end = .signalled
        break
      }
      if announcer.failure != 0 {
        if csystem_take_stop_signal() { end = .signalled }
        break
      }
      guard let slot = ring.waitForFull(turn: turn, milliseconds: 100) else { continue }
      if slot.pointee.content == .end { break }
      last = slot.pointee.number
      if !waitUntilDue(last) {
        end = .signalled
        break
      }
      take(slot.pointee)
      ring.empty()
      turn += 1
    }
    ring.close()
    // Who asked to stop does not wait for a reader that has stopped before.
    if end == .signalled { announcer.patience = 1000 }
    tellFaults(frame: last + 1)
    announce(.stopped, frame: last + 1)
    announcer.finish(cutsOff: end != .finished)
    return announcer.failure == 0 ? end : .outputFailed(errno: announcer.failure)
  }

  /// Waits until a frame is due; returns `false` if a stop signal comes first.
  private func waitUntilDue(_ frame: Int) -> Bool {
    while true {
      let wait = clock.wait(for: frame)
      if wait == 0 { return true }
      csystem_sleep(Int64(min(wait, 50)))
      if csystem_take_stop_signal() { return false }
    }
  }

  /// Counts one frame.
  private mutating func take(_ slot: FrameSlot) {
    tellFaults(frame: slot.number)
    if slot.content == .unreadable {
      if unreadableFrames == 0 { announce(.degraded(.framesUnreadable), frame: slot.number) }
      unreadableFrames += 1
      return
    }
    let isMoving = motion.isMoving(in: slot.image)
    let report = finder.find(in: slot.image, effort: .live, into: &detections)
    tracker.update(detections.span, isMoving: isMoving)
    tally.update(
      tracker.tracks, isMoving: isMoving, isCrowded: report.isTruncated || tracker.isCrowded,
      frame: slot.number, milliseconds: clock.milliseconds(of: slot.number), into: &events)
    for index in 0..<events.count { announcer.announce(events[index]) }
    events.removeAll()
    if !tally.isHolding { announcer.endHold() }
  }

  private mutating func tellFaults(frame: Int) {
    if let fault = announcer.takeFault() { announce(.degraded(fault), frame: frame) }
  }

  private mutating func announce(_ kind: Event.Kind, frame: Int) {
    announcer.announce(
      Event(kind, frame: frame, milliseconds: clock.milliseconds(of: frame)))
  }
}
