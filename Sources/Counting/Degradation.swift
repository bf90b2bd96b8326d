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
  /// The voice's process cannot be started.
  case voiceUnstartable
  /// espeak-ng or the sound device did not get on; the voice's process has been ended and another
  /// started.
  case voiceHung
  /// The voice's process broke down and another has been started.
  case voiceCrashed
  /// The configuration that was to be read anew has a mistake; the one before stays in force.
  case configurationRefused
  /// Frames of the source were unreadable and have been left out.
  case framesUnreadable
  /// The disk of the ledger is full: entries wait in memory.
  case ledgerDiskFull
  /// The ledger cannot be written: entries wait in memory.
  case ledgerUnwritable
  /// Another process writes to the ledger: entries wait in memory.
  case ledgerInUse
  /// Some lines of the ledger are no entries; they are left as they are.
  case ledgerDamaged
}
