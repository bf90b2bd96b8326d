import Announcing
import CEspeak
import Counting

/// espeak-ng, which there can be one of in a process: its state is global.
///
/// Starting reads the voice and allocates; speaking does not. It is cut short by what its callback
/// returns: `espeak_Cancel` and `espeak_ng_Terminate`, which are known to wait for ever, are never
/// called, and nothing is spoken before a voice has been chosen, which is known to crash.
struct Synthesizer: ~Copyable {
  /// Samples a second.
  let rate: Int

  private var settings: VoiceSettings

  /// Starts espeak-ng and chooses the voice. Once in a process.
  /// - Throws: `voiceDataMissing` or `voiceLanguageMissing`.
  init(_ settings: VoiceSettings) throws(Degradation) {
    let rate = try Synthesizer.start()
    try Synthesizer.chooseVoice(settings)
    self.rate = rate
    self.settings = settings
  }

  /// Makes the following phrases sound as `settings` say.
  /// - Throws: `voiceLanguageMissing`.
  mutating func apply(_ settings: VoiceSettings) throws(Degradation) {
    if settings.language == self.settings.language {
      Synthesizer.setParameters(settings)
    } else {
      try Synthesizer.chooseVoice(settings)
    }
    self.settings = settings
  }

  /// Returns samples a second.
  private static func start() throws(Degradation) -> Int {
    // This entry point returns its status; the older one ends the process when data is missing.
    espeak_ng_InitializePath(nil)
    var context: espeak_ng_ERROR_CONTEXT?
    if espeak_ng_Initialize(&context) != ENS_OK {
      espeak_ng_ClearErrorContext(&context)
      throw .voiceDataMissing
    }
    if espeak_ng_InitializeOutput(ENOUTPUT_MODE_SYNCHRONOUS, 60, nil) != ENS_OK {
      throw .voiceDataMissing
    }
    espeak_SetSynthCallback(receiveSamples)
    return Int(espeak_ng_GetSampleRate())
  }

  private static func chooseVoice(_ settings: VoiceSettings) throws(Degradation) {
    let name = settings.language.choose("id", "en")
    let voice = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    if espeak_ng_SetVoiceByName(voice) != ENS_OK { throw .voiceLanguageMissing }
    setParameters(settings)
  }

  private static func setParameters(_ settings: VoiceSettings) {
    _ = espeak_ng_SetParameter(espeakVOLUME, Int32(settings.volume), 0)
    _ = espeak_ng_SetParameter(espeakRATE, Int32(settings.rate), 0)
    _ = espeak_ng_SetParameter(espeakPITCH, Int32(settings.pitch), 0)
  }

  /// Speaks a phrase into `worker`'s output; returns when all samples have been made or the
  /// worker has cut it short.
  func speak(_ phrase: Phrase, into worker: UnsafeMutablePointer<VoiceWorker>) {
    // espeak-ng reads up to a NUL whatever size it is given.
    var text = phrase
    text.append(byte: 0)
    if text.isCut { return }
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
