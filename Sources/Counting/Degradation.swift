/// What has stopped working.
public enum Degradation: UInt8, Error, BitwiseCopyable {
  /// espeak-ng's data folder is missing or unreadable.
  case voiceDataMissing
  /// espeak-ng has no voice of the chosen language.
  case voiceLanguageMissing
  /// There is no sound device, or it refuses to be opened.
  case soundDeviceMissing
  /// The sound device has stopped taking samples.
  case soundDeviceLost
  /// The WAV file cannot be created or written.
  case soundFileUnwritable
  /// The voice did not come up in time.
  case voiceSilent
  /// Frames of the source were unreadable and have been left out.
  case framesUnreadable
}
