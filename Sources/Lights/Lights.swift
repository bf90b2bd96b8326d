// The lights: in goes what is to be shown, out come levels on GPIO lines and bytes for strips of
// lights. A process of its own does it, so that neither a slow strip holds the loop up nor a crash
// of the loop leaves lights on that mean nothing: that process sees the other's end, makes all dark
// and ends too. Depends on Announcing for what strips show, Counting for the faults it reports, and
// on libgpiod, which is looked for when a line is first needed.

import CSystem
import Counting
import Threads

/// Shows states on the lights.
///
/// What is missing is no error: the rest is shown, `takeNews` tells of it, and it is looked for
/// again every second.
public struct Lights: ~Copyable {
  /// Milliseconds between attempts to start the process anew after it has ended by itself.
  private static let restartInterval: Int64 = 5000
  /// Milliseconds for making all dark: a strip on GPIO lines takes a tenth of it.
  private static let endPatience: Int32 = 800

  /// Which lights there are and where.
  public let settings: LightsSettings
  /// Null when there was no memory for it.
  private let shared: UnsafeMutablePointer<LightsShared>?
  private let memory: UnsafeMutableRawPointer?
  private var back = Mailbox<LightsState>.firstBack
  private var shown = LightsState()
  private var stream: Int32 = -1
  private var process: pid_t = 0
  private var lastStart: Int64 = 0
  private var hasEnded = false

  /// Starts the process. To be called before any device is opened, so that it holds none of them.
  public init(_ settings: LightsSettings) {
    self.settings = settings
    memory = csystem_map_shared(LightsShared.memorySize)
    shared = memory.map { LightsShared.make(in: $0) }
    start()
  }

  deinit {
    if stream >= 0 { close(stream) }
    if process > 0 { _ = csystem_wait_child(process) }
    if let memory { csystem_unmap(memory, LightsShared.memorySize) }
  }

  /// Has a state shown as soon as possible. Never waits and never allocates.
  public mutating func show(_ state: LightsState) {
    if state == shown { return }
    shown = state
    post()
  }

  /// What the lights have to tell since the last call, oldest first, one at a time. Never waits.
  public mutating func takeNews() -> LightsNews? {
    while stream >= 0 {
      let byte = csystem_take_byte(stream)
      if byte == -1 { return nil }
      if byte >= 0 {
        if let news = LightsNews(byte: UInt8(byte)) { return news }
        continue
      }
      stop()
    }
    if csystem_monotonic_milliseconds() - lastStart >= Lights.restartInterval { start() }
    if hasEnded == (process == 0) { return nil }
    hasEnded = process == 0
    return hasEnded ? .fault(.lightsEnded) : .recovered(.lightsEnded)
  }

  /// Makes all lights dark and ends the process.
  public mutating func finish() {
    if stream < 0 { return }
    // Half closed, so that the end of the process can still be seen.
    csystem_close_writing(stream)
    _ = csystem_wait_closed_unless_stopped(stream, Lights.endPatience)
    csystem_end_process(process)
    stop()
  }

  private mutating func post() {
    shared?.pointee.mailbox.post(shown, back: &back)
    csystem_send_byte(stream, 0)
  }

  private mutating func start() {
    lastStart = csystem_monotonic_milliseconds()
    guard let shared else { return }
    var other: Int32 = -1
    stream = csystem_pair(&other)
    if stream < 0 { return }
    let child = csystem_fork_apart(other, -1)
    if child == 0 {
      LightsWorker.run(shared, settings, stream: other)
      _exit(0)
    }
    close(other)
    if child > 0 {
      process = child
      post()
    } else {
      close(stream)
      stream = -1
    }
  }

  private mutating func stop() {
    if stream >= 0 { close(stream) }
    stream = -1
    if process > 0 { _ = csystem_wait_child(process) }
    process = 0
  }
}
