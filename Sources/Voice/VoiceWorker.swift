import Announcing
import CSystem
import Counting
import Synchronization
import Threads

/// The voice's own thread.
struct VoiceWorker: ~Copyable {
  private let shared: UnsafePointer<VoiceShared>
  private var front = Mailbox<Phrase>.firstFront
  private var speaker: Speaker?
  private var file: WaveFile?
  private var lastFault: Degradation?

  private init(_ shared: UnsafePointer<VoiceShared>) {
    self.shared = shared
  }

  /// The thread's whole life.
  static func run(_ shared: UnsafePointer<VoiceShared>) {
    var worker = VoiceWorker(shared)
    do throws(Degradation) {
      let synthesizer = try Synthesizer(shared.pointee.settings)
      worker.open(rate: synthesizer.rate)
      sem_post(shared.pointee.started)
      withUnsafeMutablePointer(to: &worker) { speakUntilEnd($0, synthesizer) }
    } catch {
      worker.report(error)
      sem_post(shared.pointee.started)
    }
  }

  private static func speakUntilEnd(
    _ worker: UnsafeMutablePointer<VoiceWorker>, _ synthesizer: borrowing Synthesizer
  ) {
    let shared = worker.pointee.shared
    while !shared.pointee.isCut.load(ordering: .acquiring) {
      // Asked before the mailbox is, so that a phrase posted before the end is still said.
      let isEnding = shared.pointee.isEnding.load(ordering: .acquiring)
      if let phrase = shared.pointee.mailbox.take(front: &worker.pointee.front) {
        worker.pointee.open(rate: synthesizer.rate)
        if worker.pointee.isSilent { continue }
        shared.pointee.begun.add(1, ordering: .releasing)
        synthesizer.speak(phrase, into: worker)
        worker.pointee.finishPhrase()
      } else if isEnding {
        return
      } else {
        sem_wait(shared.pointee.wake)
      }
    }
  }

  private var isSilent: Bool { speaker == nil && file == nil }

  /// Opens the output if it is closed, or reports why it stays so.
  private mutating func open(rate: Int) {
    if !isSilent { return }
    do throws(Degradation) {
      let descriptor = shared.pointee.settings.descriptor
      if descriptor < 0 {
        speaker = try Speaker(rate: rate)
        lastFault = nil
      } else if lastFault == nil {
        // A file that failed once is not begun again: that would lose what it holds.
        file = try WaveFile(descriptor: descriptor, rate: rate)
      }
    } catch {
      report(error)
    }
  }

  /// Takes samples from espeak-ng; returns whether it is to go on.
  mutating func receive(_ samples: UnsafePointer<Int16>, count: Int) -> Bool {
    if isSilent || shouldCut { return false }
    do throws(Degradation) {
      try speaker?.play(samples, count: count)
      try file?.append(samples, count: count)
      return true
    } catch {
      lose(error)
      return false
    }
  }

  /// Whether what is being said is to be cut short: at the end, and on a speaker by a newer phrase.
  private var shouldCut: Bool {
    shared.pointee.isCut.load(ordering: .acquiring)
      || (file == nil && shared.pointee.mailbox.hasMessage)
  }

  /// Ends a phrase: lets it be heard, or cuts it off.
  private mutating func finishPhrase() {
    do throws(Degradation) {
      speaker?.finish { shouldCut }
      try file?.finishPhrase()
    } catch {
      lose(error)
    }
  }

  /// Closes the output and reports why.
  private mutating func lose(_ degradation: Degradation) {
    speaker = nil
    file = nil
    report(degradation)
  }

  /// Leaves a fault for the loop to find, unless it is the one last left.
  private mutating func report(_ degradation: Degradation) {
    if lastFault == degradation { return }
    lastFault = degradation
    shared.pointee.fault.store(degradation.rawValue + 1, ordering: .releasing)
  }
}
