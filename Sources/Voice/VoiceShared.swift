import Announcing
import CSystem
import Counting
import Synchronization
import Threads

/// A phrase on its way to the voice's process.
struct VoiceMessage: BitwiseCopyable {
  /// What is to be said.
  var phrase = Phrase()
  /// How it is to sound.
  var settings = VoiceSettings()
  /// When it was asked for, in microseconds of the monotonic clock.
  var asked: Int64 = 0
}

/// What the loop's process and the voice's share, in memory that both map.
struct VoiceShared: ~Copyable {
  /// The phrase to be said next.
  let mailbox: Mailbox<VoiceMessage>
  /// The phrase being said, kept for a worker that takes the place of one that had to be ended.
  let saying: UnsafeMutablePointer<VoiceMessage>
  /// Whether `saying` has not come to its end.
  let isUnsaid = Atomic<Bool>(false)
  /// How often `saying` has been begun.
  let attempts = Atomic<Int>(0)
  /// The worker's slot number in the mailbox.
  let front = Atomic<UInt32>(Mailbox<VoiceMessage>.firstFront)
  /// Process of the worker; 0 while there is none.
  let worker = Atomic<Int32>(0)
  /// Set when the voice is to end once nothing waits to be said.
  let isEnding = Atomic<Bool>(false)
  /// Set when the voice is to end at once.
  let isCut = Atomic<Bool>(false)
  /// The fault last told of that is not over, as its raw value plus 1; 0 for none.
  let fault = Atomic<UInt8>(0)
  /// Phrases begun so far.
  let begun = Atomic<Int>(0)
  /// The `errno` with which writing the WAV file failed, or 0.
  let fileFailure = Atomic<Int32>(0)
  /// Microseconds from asking for the last phrase to its first sample; 0 before the first.
  let delay = Atomic<Int>(0)
  /// The longest `delay` so far.
  let longestDelay = Atomic<Int>(0)

  /// Bytes of memory it takes with the mailbox's slots.
  static let memorySize = 4096

  /// Lays it out in memory of that size, which outlives the processes.
  static func make(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<VoiceShared> {
    precondition(4 * MemoryLayout<VoiceMessage>.stride <= 2048)
    precondition(MemoryLayout<VoiceShared>.stride <= VoiceShared.memorySize - 2048)
    let slots = memory.bindMemory(to: VoiceMessage.self, capacity: 4)
    let shared = (memory + 2048).bindMemory(to: VoiceShared.self, capacity: 1)
    shared.initialize(to: VoiceShared(slots: slots))
    return shared
  }

  private init(slots: UnsafeMutablePointer<VoiceMessage>) {
    mailbox = Mailbox(slots: slots, filler: VoiceMessage())
    saying = slots + 3
    saying.initialize(to: VoiceMessage())
  }

  /// Leaves a fault for the loop to find, unless it is the one last told of.
  func tell(_ degradation: Degradation, on stream: Int32) {
    let before = fault.exchange(degradation.rawValue + 1, ordering: .acquiringAndReleasing)
    if before != degradation.rawValue + 1 { VoiceNews.fault(degradation).send(to: stream) }
  }

  /// Tells that the last fault is over, if there was one.
  func tellRecovery(on stream: Int32) {
    let before = fault.exchange(0, ordering: .acquiringAndReleasing)
    if before > 0, let degradation = Degradation(rawValue: before - 1) {
      VoiceNews.recovered(degradation).send(to: stream)
    }
  }
}
