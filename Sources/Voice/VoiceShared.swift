import Announcing
import CSystem
import Counting
import Synchronization
import Threads

/// What the loop's thread and the voice's share.
struct VoiceShared: ~Copyable {
  /// The phrase to be said next.
  let mailbox: Mailbox<Phrase>
  /// Posted when a phrase has been put in or the end has been asked for.
  let wake: UnsafeMutablePointer<sem_t>
  /// Posted once the voice is ready, or has failed to become so.
  let started: UnsafeMutablePointer<sem_t>
  /// How the voice sounds and where its sound goes.
  let settings: VoiceSettings
  /// Set when the thread is to end once nothing waits to be said.
  let isEnding = Atomic<Bool>(false)
  /// Set when the thread is to end at once.
  let isCut = Atomic<Bool>(false)
  /// The fault not yet taken, as its raw value plus 1; 0 for none.
  let fault = Atomic<UInt8>(0)
  /// Phrases begun so far.
  let begun = Atomic<Int>(0)

  /// Makes the shared part in memory that outlives both threads.
  init(
    slots: UnsafeMutablePointer<Phrase>, wake: UnsafeMutablePointer<sem_t>,
    started: UnsafeMutablePointer<sem_t>, settings: VoiceSettings
  ) {
    mailbox = Mailbox(slots: slots, filler: Phrase())
    self.wake = wake
    self.started = started
    self.settings = settings
    sem_init(wake, 0, 0)
    sem_init(started, 0, 0)
  }
}
