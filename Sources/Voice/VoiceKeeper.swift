import CSystem
import Counting
import Synchronization

/// The process that keeps a worker running: it starts one, waits for its end, and starts the next
/// when the end was not asked for.
///
/// It is forked before the loop opens any device, so that the workers it forks later hold none of
/// the loop's cameras, lines or memory.
enum VoiceKeeper {
  /// Milliseconds before the next worker after one that hung or crashed.
  private static let pause: Int32 = 200
  /// Milliseconds before the next worker after one that found no voice, which takes an installation
  /// to change.
  private static let longPause: Int32 = 5000

  /// The process's whole life.
  static func run(
    _ shared: UnsafeMutablePointer<VoiceShared>, _ settings: VoiceSettings, stream: Int32
  ) -> Never {
    while true {
      let process = csystem_fork_apart(stream, settings.descriptor)
      if process == 0 { _exit(VoiceWorker.run(shared, settings, stream: stream)) }
      var wait = pause
      if process < 0 {
        shared.pointee.tell(.voiceUnstartable, on: stream)
        wait = longPause
      } else {
        shared.pointee.worker.store(process, ordering: .releasing)
        let end = csystem_wait_child(process)
        shared.pointee.worker.store(0, ordering: .releasing)
        switch end {
        case VoiceWorker.done: _exit(0)
        case VoiceWorker.failed: wait = longPause
        case -1 - SIGALRM: shared.pointee.tell(.voiceHung, on: stream)
        default: shared.pointee.tell(.voiceCrashed, on: stream)
        }
      }
      if csystem_wait_closed_unless_stopped(stream, wait) { _exit(0) }
    }
  }
}
