import Announcing
import CSystem
import Counting
import Synchronization
import Threads

/// The process that speaks, in which nothing else happens.
///
/// espeak-ng and ALSA can hang or crash; then this process ends, by the alarm that is set around
/// everything it does, and its keeper starts another.
struct VoiceWorker: ~Copyable {
  /// Exit status: the end was asked for.
  static let done: Int32 = 0
  /// Exit status: there is no voice to speak with, which has been told.
  static let failed: Int32 = 1

  /// Seconds within which espeak-ng must hand over samples and the device must take them. The
  /// device holds a tenth of a second, so that this is far beyond all that is ordinary.
  private static let patience: UInt32 = 5
  /// Seconds within which espeak-ng must have read its data, from a slow card too.
  private static let startPatience: UInt32 = 20
  /// How often a phrase is begun before it is given up.
  private static let maximumAttempts = 3
  /// Milliseconds between looks for a device that is missing, and for whether one is still there.
  private static let deviceInterval: Int32 = 1000

  private let shared: UnsafeMutablePointer<VoiceShared>
  private let stream: Int32
  private let descriptor: Int32
  private var front: UInt32
  private var speaker: Speaker?
  private var file: WaveFile?
  private var hasSounded = false
  /// How often in a row the output has been lost in the course of a phrase.
  private var losses = 0

  private init(
    _ shared: UnsafeMutablePointer<VoiceShared>, stream: Int32, descriptor: Int32
  ) {
    self.shared = shared
    self.stream = stream
    self.descriptor = descriptor
    front = shared.pointee.front.load(ordering: .acquiring)
  }

  /// The process's whole life; returns its exit status.
  static func run(
    _ shared: UnsafeMutablePointer<VoiceShared>, _ settings: VoiceSettings, stream: Int32
  ) -> Int32 {
    alarm(startPatience)
    var worker = VoiceWorker(shared, stream: stream, descriptor: settings.descriptor)
    do throws(Degradation) {
      var synthesizer = try Synthesizer(settings)
      worker.open(rate: synthesizer.rate)
      csystem_send_byte(stream, VoiceNews.ready)
      return withUnsafeMutablePointer(to: &worker) { speakUntilEnd($0, &synthesizer) }
    } catch {
      shared.pointee.tell(error, on: stream)
      return failed
    }
  }

  private static func speakUntilEnd(
    _ worker: UnsafeMutablePointer<VoiceWorker>, _ synthesizer: inout Synthesizer
  ) -> Int32 {
    let shared = worker.pointee.shared
    while !shared.pointee.isCut.load(ordering: .acquiring) {
      alarm(patience)
      // Asked before the mailbox is, so that a phrase posted before the end is still said.
      let isEnding = shared.pointee.isEnding.load(ordering: .acquiring)
      worker.pointee.takeMessage()
      worker.pointee.leaveLostSpeaker()
      worker.pointee.open(rate: synthesizer.rate)
      if worker.pointee.beginsPhrase() {
        say(worker, &synthesizer)
        // What could not be heard is tried again at once: a device may have been replaced since.
        if worker.pointee.losses < 2 { continue }
      }
      if isEnding { return done }
      alarm(0)
      if !worker.pointee.waitForLoop() { return done }
    }
    return done
  }

  /// Says the phrase taken, unless the output is lost in the course of it.
  private static func say(
    _ worker: UnsafeMutablePointer<VoiceWorker>, _ synthesizer: inout Synthesizer
  ) {
    let shared = worker.pointee.shared
    do throws(Degradation) {
      try synthesizer.apply(shared.pointee.saying.pointee.settings)
      synthesizer.speak(shared.pointee.saying.pointee.phrase, into: worker)
      worker.pointee.finishPhrase()
      if worker.pointee.isSilent {
        // Attempts are for what breaks the voice; a device is tried as long as it takes.
        shared.pointee.attempts.store(0, ordering: .releasing)
        worker.pointee.losses += 1
        return
      }
      worker.pointee.losses = 0
      shared.pointee.tellRecovery(on: worker.pointee.stream)
    } catch {
      shared.pointee.tell(error, on: worker.pointee.stream)
    }
    shared.pointee.isUnsaid.store(false, ordering: .releasing)
  }

  private var isSilent: Bool { speaker == nil && file == nil }

  /// Takes the newest phrase over, if there is one, in place of one that could not be said.
  private mutating func takeMessage() {
    guard let message = shared.pointee.mailbox.take(front: &front) else { return }
    shared.pointee.front.store(front, ordering: .releasing)
    shared.pointee.saying.pointee = message
    shared.pointee.attempts.store(0, ordering: .releasing)
    shared.pointee.isUnsaid.store(true, ordering: .releasing)
  }

  /// Whether there is a phrase to be said now; counts the attempt.
  private mutating func beginsPhrase() -> Bool {
    if isSilent || !shared.pointee.isUnsaid.load(ordering: .acquiring) { return false }
    let attempts = shared.pointee.attempts.load(ordering: .acquiring)
    if attempts == VoiceWorker.maximumAttempts {
      shared.pointee.isUnsaid.store(false, ordering: .releasing)
      return false
    }
    shared.pointee.attempts.store(attempts + 1, ordering: .releasing)
    shared.pointee.begun.add(1, ordering: .releasing)
    hasSounded = attempts > 0
    return true
  }

  /// Waits for a phrase, or for a while where a device may come or go; returns `false` once the
  /// loop's process is gone.
  private func waitForLoop() -> Bool {
    csystem_wait_readable(stream, descriptor < 0 ? VoiceWorker.deviceInterval : -1)
    while true {
      let byte = csystem_take_byte(stream)
      if byte < 0 { return byte == -1 }
    }
  }

  /// Closes a device that has been taken away: as long as it is open the system keeps its number
  /// for it, and one that is put in its place is not the default.
  private mutating func leaveLostSpeaker() {
    if speaker?.isGone == true { lose(.soundDeviceLost) }
  }

  /// Opens the output if it is closed, or tells why it stays so.
  private mutating func open(rate: Int) {
    if !isSilent { return }
    do throws(Degradation) {
      if descriptor < 0 {
        speaker = try Speaker(rate: rate)
      } else if shared.pointee.fileFailure.load(ordering: .acquiring) == 0 {
        file = try WaveFile(descriptor: descriptor, rate: rate)
      } else {
        return
      }
      // A device that can be opened need not play, which the phrase that waits will show.
      if shared.pointee.isUnsaid.load(ordering: .acquiring) { return }
      shared.pointee.tellRecovery(on: stream)
    } catch {
      lose(error)
    }
  }

  /// Takes samples from espeak-ng; returns whether it is to go on.
  mutating func receive(_ samples: UnsafePointer<Int16>, count: Int) -> Bool {
    alarm(VoiceWorker.patience)
    if isSilent || shouldCut { return false }
    do throws(Degradation) {
      try speaker?.play(samples, count: count)
      try file?.append(samples, count: count)
      noteDelay()
      return true
    } catch {
      lose(error)
      return false
    }
  }

  /// Notes how long the first sample of a phrase has taken.
  private mutating func noteDelay() {
    if hasSounded { return }
    hasSounded = true
    let asked = shared.pointee.saying.pointee.asked
    let delay = Int(csystem_monotonic_microseconds() - asked)
    shared.pointee.delay.store(delay, ordering: .releasing)
    if delay > shared.pointee.longestDelay.load(ordering: .acquiring) {
      shared.pointee.longestDelay.store(delay, ordering: .releasing)
    }
  }

  /// Whether what is being said is to be cut short: at the end, and on a speaker by a newer phrase.
  private var shouldCut: Bool {
    shared.pointee.isCut.load(ordering: .acquiring)
      || (file == nil && shared.pointee.mailbox.hasMessage)
  }

  /// Ends a phrase: lets it be heard, or cuts it off.
  private mutating func finishPhrase() {
    alarm(VoiceWorker.patience)
    do throws(Degradation) {
      speaker?.finish { shouldCut }
      try file?.finishPhrase()
    } catch {
      lose(error)
    }
  }

  /// Closes the output and tells why.
  private mutating func lose(_ degradation: Degradation) {
    if degradation == .soundFileUnwritable {
      let code = csystem_errno()
      shared.pointee.fileFailure.store(code == 0 ? EIO : code, ordering: .releasing)
    }
    speaker = nil
    file = nil
    shared.pointee.tell(degradation, on: stream)
  }
}
