import Announcing
import CEspeak
import CSystem
import Counting
import Synchronization

/// Whether espeak-ng has been started. It is never ended: `espeak_ng_Terminate` soon after a start
/// waits for ever for a thread that has not begun to listen.
private let isStarted = Atomic<Bool>(false)

/// espeak-ng, which there can be one of in a process: its state is global.
///
/// Starting reads the voice and allocates; speaking does not. All calls are made on one thread.
struct Synthesizer: ~Copyable {
  /// Samples a second.
  let rate: Int

  /// Starts espeak-ng and chooses the voice.
  /// - Throws: `voiceDataMissing` or `voiceLanguageMissing`.
  init(_ settings: VoiceSettings) throws(Degradation) {
    if !isStarted.load(ordering: .acquiring) {
      // This entry point returns its status; the older one ends the process when data is missing.
      espeak_ng_InitializePath(nil)
      var context: espeak_ng_ERROR_CONTEXT?
      let status = espeak_ng_Initialize(&context)
      if status != ENS_OK {
        espeak_ng_ClearErrorContext(&context)
        throw .voiceDataMissing
      }
      if espeak_ng_InitializeOutput(ENOUTPUT_MODE_SYNCHRONOUS, 60, nil) != ENS_OK {
        throw .voiceDataMissing
      }
      isStarted.store(true, ordering: .releasing)
    }
    let name: StaticString = settings.language == .indonesian ? "id" : "en"
    let voice = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    if espeak_ng_SetVoiceByName(voice) != ENS_OK { throw .voiceLanguageMissing }
    _ = espeak_ng_SetParameter(espeakVOLUME, Int32(settings.volume), 0)
    _ = espeak_ng_SetParameter(espeakRATE, Int32(settings.rate), 0)
    _ = espeak_ng_SetParameter(espeakPITCH, Int32(settings.pitch), 0)
    espeak_SetSynthCallback(receiveSamples)
    rate = Int(espeak_ng_GetSampleRate())
  }

  /// Speaks a phrase into `worker`'s output; returns when all samples have been made or the
  /// worker has cut it short.
  func speak(_ phrase: Phrase, into worker: UnsafeMutablePointer<VoiceWorker>) {
    // espeak-ng reads up to a NUL whatever size it is given.
    var text = phrase
    if text.count == 224 { return }
    text.append(byte: 0)
    text.span.withUnsafeBufferPointer { buffer in
      _ = espeak_ng_Synthesize(
        buffer.baseAddress, buffer.count, 0, POS_CHARACTER, 0, UInt32(espeakCHARS_UTF8), nil,
        UnsafeMutableRawPointer(worker))
    }
  }
}

/// Receives samples from espeak-ng; returns 1 to cut the phrase short.
private func receiveSamples(
  _ samples: UnsafeMutablePointer<Int16>?, _ count: Int32,
  _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
  guard let samples, count > 0, let context = events?.pointee.user_data else { return 0 }
  let worker = context.assumingMemoryBound(to: VoiceWorker.self)
  return worker.pointee.receive(samples, count: Int(count)) ? 0 : 1
}
