import Announcing

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
