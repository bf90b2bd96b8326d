// The voice: in go phrases from the loop, out comes speech to the sound device or to a WAV file,
// made by espeak-ng on a thread of its own. The loop never waits for it and it never holds the
// loop up. Depends on Announcing for phrases, Counting for the faults it reports, and on espeak-ng
// and ALSA.

import Announcing
import CSystem
import Counting
import Synchronization
import Threads

/// How the voice sounds and where its sound goes.
public struct VoiceSettings: BitwiseCopyable, Sendable {
  /// The language of the phrases.
  public var language: Language
  /// Loudness, 0 to 200; 100 is the voice's own.
  public var volume: Int
  /// Words a minute, 80 to 450.
  public var rate: Int
  /// Pitch, 0 to 100; 50 is the voice's own.
  public var pitch: Int
  /// Descriptor of a file open for writing that becomes a WAV file and is closed by the voice, or
  /// -1 for the sound device.
  public var descriptor: Int32

  /// Makes settings.
  public init(
    language: Language = .indonesian, volume: Int = 100, rate: Int = 160, pitch: Int = 50,
    descriptor: Int32 = -1
  ) {
    self.language = language
    self.volume = volume
    self.rate = rate
    self.pitch = pitch
    self.descriptor = descriptor
  }
}

/// Says phrases aloud.
///
/// A phrase replaces one that has not been begun; on the sound device it also cuts off the one
/// being said. There can be one voice in a process at a time, because espeak-ng's state is global.
public struct Voice: ~Copyable {
  /// Bytes of memory the voice shares with its thread.
  public static let memorySize = 2048

  private let shared: UnsafeMutablePointer<VoiceShared>
  private let thread: pthread_t?
  private var back = Mailbox<Phrase>.firstBack

  /// Starts the voice and waits until it is ready or has failed.
  ///
  /// A failure is no error: the voice stays silent and `takeFault` tells why.
  /// - Parameters:
  ///   - settings: how it sounds and where to.
  ///   - memory: `memorySize` bytes aligned to 64, which must stay until the process ends: a
  ///     thread that hangs is left behind, never killed.
  public init(_ settings: VoiceSettings, memory: UnsafeMutableRawPointer) {
    let slots = memory.bindMemory(to: Phrase.self, capacity: 3)
    let semaphores = (memory + 1024).bindMemory(to: sem_t.self, capacity: 2)
    shared = (memory + 1280).bindMemory(to: VoiceShared.self, capacity: 1)
    precondition(3 * MemoryLayout<Phrase>.stride <= 1024)
    precondition(2 * MemoryLayout<sem_t>.stride <= 256)
    precondition(MemoryLayout<VoiceShared>.stride <= Voice.memorySize - 1280)
    shared.initialize(
      to: VoiceShared(
        slots: slots, wake: semaphores, started: semaphores + 1, settings: settings))
    var started = pthread_t()
    let status = pthread_create(&started, nil, runVoice, shared)
    thread = status == 0 ? started : nil
    let patience: Int64 = 5000
    if thread == nil || !csystem_semaphore_wait(shared.pointee.started, patience) {
      shared.pointee.fault.store(Degradation.voiceSilent.rawValue + 1, ordering: .releasing)
    }
  }

  /// Has `phrase` said as soon as possible. Never waits and never allocates.
  public mutating func say(_ phrase: Phrase) {
    shared.pointee.mailbox.post(phrase, back: &back)
    sem_post(shared.pointee.wake)
  }

  /// The fault that has appeared since the last call, if any. Never waits.
  public func takeFault() -> Degradation? {
    let raw = shared.pointee.fault.exchange(0, ordering: .acquiringAndReleasing)
    return raw == 0 ? nil : Degradation(rawValue: raw - 1)
  }

  /// Phrases begun so far.
  public var begunPhrases: Int { shared.pointee.begun.load(ordering: .acquiring) }

  /// Ends the voice and waits for its thread, at most 10 seconds.
  /// - Parameter cutsOff: whether to stop at once instead of saying the last phrase first.
  /// - Returns: whether the thread has ended.
  @discardableResult
  public mutating func finish(cutsOff: Bool) -> Bool {
    if cutsOff { shared.pointee.isCut.store(true, ordering: .releasing) }
    shared.pointee.isEnding.store(true, ordering: .releasing)
    sem_post(shared.pointee.wake)
    guard let thread else { return true }
    return csystem_join(thread, cutsOff ? 500 : 10_000)
  }
}

/// The body of the voice's thread.
private func runVoice(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let context { VoiceWorker.run(context.assumingMemoryBound(to: VoiceShared.self)) }
  return nil
}
