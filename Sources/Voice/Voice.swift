// The voice: in go phrases from the loop, out comes speech to the sound device or to a WAV file,
// made by espeak-ng. It speaks in a process of its own behind a queue in shared memory: the loop
// never waits for it, and a hang or a crash in espeak-ng or ALSA, which no thread could be freed
// of, ends that process alone and another takes its place. Depends on Announcing for phrases,
// Counting for the faults it reports, and on espeak-ng and ALSA.

import Announcing
import CSystem
import Counting
import Synchronization
import Threads

/// Says phrases aloud.
///
/// A phrase replaces one that has not been begun; on the sound device it also cuts off the one
/// being said. A phrase that finds no device is said when there is one again, unless a newer one
/// has come.
public struct Voice: ~Copyable {
  /// Milliseconds to wait for a voice that is starting.
  private static let startPatience: Int32 = 5000
  /// Milliseconds between attempts to start a voice whose processes have all ended.
  private static let restartInterval: Int64 = 5000
  /// Milliseconds in which a voice must end that is cut off.
  private static let cutPatience: Int32 = 300
  /// Milliseconds for the last phrase: the longest, at the lowest rate, takes a third of it.
  private static let endPatience: Int32 = 60_000

  private var settings: VoiceSettings
  /// Null when there was no memory for it.
  private let shared: UnsafeMutablePointer<VoiceShared>?
  private let memory: UnsafeMutableRawPointer?
  private var back = Mailbox<VoiceMessage>.firstBack
  /// This process's end of the stream to the voice; -1 for none.
  private var stream: Int32 = -1
  /// The keeper's process; 0 for none.
  private var keeper: pid_t = 0
  private var lastStart: Int64 = 0
  private var firstNews: VoiceNews?
  private var isFinished = false

  /// Starts the voice and waits until it is ready or has failed.
  ///
  /// A failure is no error: the voice stays silent and `takeNews` tells why. To be called before
  /// any device is opened, so that the voice's process holds none of them.
  /// - Parameter settings: how it sounds and where to.
  public init(_ settings: VoiceSettings) {
    self.settings = settings
    memory = csystem_map_shared(VoiceShared.memorySize)
    shared = memory.map { VoiceShared.make(in: $0) }
    guard shared != nil else {
      firstNews = .fault(.voiceUnstartable)
      return
    }
    // Twice, because a process forked from one with threads can be stuck from the beginning.
    if !startAndWait() && !startAndWait() && firstNews == nil {
      firstNews = .fault(.voiceSilent)
      shared?.pointee.fault.store(Degradation.voiceSilent.rawValue + 1, ordering: .releasing)
    }
  }

  deinit {
    if !isFinished {
      csystem_end_process(shared?.pointee.worker.load(ordering: .acquiring) ?? 0)
      csystem_end_process(keeper)
      if keeper > 0 { _ = csystem_wait_child(keeper) }
      if settings.descriptor >= 0 { close(settings.descriptor) }
    }
    if stream >= 0 { close(stream) }
    if let memory { csystem_unmap(memory, VoiceShared.memorySize) }
  }

  /// Has `phrase` said as soon as possible. Never waits and never allocates.
  public mutating func say(_ phrase: Phrase) {
    let message = VoiceMessage(
      phrase: phrase, settings: settings, asked: csystem_monotonic_microseconds())
    shared?.pointee.mailbox.post(message, back: &back)
    csystem_send_byte(stream, 0)
  }

  /// Makes the phrases from here on sound as `settings` say; where they go to stays as it was.
  public mutating func apply(_ settings: VoiceSettings) {
    let descriptor = self.settings.descriptor
    self.settings = settings
    self.settings.descriptor = descriptor
  }

  /// What the voice has to tell since the last call, oldest first, one at a time. Never waits.
  public mutating func takeNews() -> VoiceNews? {
    if let news = firstNews {
      firstNews = nil
      return news
    }
    if shared == nil { return nil }
    while true {
      let byte = csystem_take_byte(stream)
      if byte >= 0 {
        if let news = VoiceNews(byte: UInt8(byte)) { return news }
      } else {
        return byte == -1 || isFinished ? nil : restart()
      }
    }
  }

  /// Phrases begun so far.
  public var begunPhrases: Int { shared?.pointee.begun.load(ordering: .acquiring) ?? 0 }

  /// The `errno` with which writing the WAV file failed, or 0.
  public func fileFailure() -> Int32 {
    shared?.pointee.fileFailure.load(ordering: .acquiring) ?? 0
  }

  /// Microseconds from the last `say` that was heard to its first sample, as the device or the file
  /// took it; 0 before the first.
  public var delay: Int { shared?.pointee.delay.load(ordering: .acquiring) ?? 0 }

  /// The longest `delay` so far.
  public var longestDelay: Int { shared?.pointee.longestDelay.load(ordering: .acquiring) ?? 0 }

  /// Ends the voice and its processes.
  ///
  /// SIGINT and SIGTERM that are held end the wait for the last phrase.
  /// - Parameter cutsOff: whether to stop at once instead of saying the last phrase first.
  /// - Returns: whether it has ended by itself, having said all it was to say.
  @discardableResult
  public mutating func finish(cutsOff: Bool) -> Bool {
    guard let shared, !isFinished else { return true }
    isFinished = true
    if cutsOff { shared.pointee.isCut.store(true, ordering: .releasing) }
    shared.pointee.isEnding.store(true, ordering: .releasing)
    csystem_send_byte(stream, 0)
    let isWorking = shared.pointee.worker.load(ordering: .acquiring) != 0
    let patience = cutsOff ? Voice.cutPatience : isWorking ? Voice.endPatience : 0
    let hasEnded = keeper == 0 || csystem_wait_closed_unless_stopped(stream, patience)
    stop()
    if settings.descriptor >= 0 { close(settings.descriptor) }
    return hasEnded
  }

  /// Ends the processes, whatever they are at.
  private mutating func stop() {
    csystem_end_process(shared?.pointee.worker.load(ordering: .acquiring) ?? 0)
    csystem_end_process(keeper)
    if keeper > 0 { _ = csystem_wait_child(keeper) }
    shared?.pointee.worker.store(0, ordering: .releasing)
    keeper = 0
  }

  /// Starts the processes anew after all have ended, unless that has just been tried.
  private mutating func restart() -> VoiceNews? {
    if csystem_monotonic_milliseconds() - lastStart < Voice.restartInterval { return nil }
    stop()
    let fault: Degradation = start() ? .voiceCrashed : .voiceUnstartable
    let before = shared?.pointee.fault.exchange(
      fault.rawValue + 1, ordering: .acquiringAndReleasing)
    return before == fault.rawValue + 1 ? nil : .fault(fault)
  }

  /// Starts the processes and waits for a first word; returns whether there was one.
  private mutating func startAndWait() -> Bool {
    guard start() else {
      firstNews = .fault(.voiceUnstartable)
      shared?.pointee.fault.store(Degradation.voiceUnstartable.rawValue + 1, ordering: .releasing)
      return false
    }
    firstNews = nil
    csystem_wait_readable(stream, Voice.startPatience)
    let byte = csystem_take_byte(stream)
    if byte >= 0 { firstNews = VoiceNews(byte: UInt8(byte)) }
    if byte < 0 { stop() }
    return byte >= 0
  }

  /// Forks the keeper; returns whether it could.
  private mutating func start() -> Bool {
    guard let shared else { return false }
    lastStart = csystem_monotonic_milliseconds()
    if stream >= 0 { close(stream) }
    var other: Int32 = -1
    stream = csystem_pair(&other)
    if stream < 0 { return false }
    let process = csystem_fork_apart(other, settings.descriptor)
    if process == 0 { VoiceKeeper.run(shared, settings, stream: other) }
    close(other)
    if process > 0 { keeper = process }
    return process > 0
  }
}
