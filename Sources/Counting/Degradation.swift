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
  /// libgpiod is not installed.
  case gpioLibraryMissing
  /// There is no GPIO chip.
  case gpioChipMissing
  /// No GPIO chip has the label of an LED's line.
  case ledLabelUnknown
  /// No GPIO line has the name of an LED's.
  case ledNameUnknown
  /// The GPIO chip of an LED has no line of that number.
  case ledNumberTooLarge
  /// Another program has an LED's line.
  case ledBusy
  /// This user may not use an LED's line.
  case ledForbidden
  /// An LED's line cannot be an output.
  case ledRefused
  /// An LED's line can no longer be set.
  case ledLost
  /// The strip's SPI node is not there.
  case stripMissing
  /// This user may not use what the strip hangs on.
  case stripForbidden
  /// Another program has the strip's SPI node.
  case stripBusy
  /// What the strip is said to hang on is no SPI node.
  case stripUnfit
  /// The SPI driver takes fewer bytes than the strip needs.
  case stripTooLong
  /// The strip's node or line takes no more.
  case stripLost
  /// A GPIO line of the strip is not there.
  case stripLineMissing
  /// Another program has a GPIO line of the strip.
  case stripLineBusy
  /// The process that drives the lights has ended.
  case lightsEnded
  /// The console's tty is not there.
  case consoleMissing
  /// This user may not use the console's tty.
  case consoleForbidden
  /// The console's tty cannot be opened.
  case consoleUnusable
  /// What the console is said to be is no tty.
  case consoleNoTerminal
  /// The console's tty does not have the rate that is set.
  case consoleRateRefused
  /// The console's tty has been hung up or taken away.
  case consoleLost
  /// There is no camera, or not yet.
  case cameraMissing
  /// Another program has the camera.
  case cameraBusy
  /// This user may not open the camera.
  case cameraForbidden
  /// The device is no camera.
  case cameraIsNone
  /// The camera has no format that can be read, or its driver says nothing sensible of it.
  case cameraFormatUnusable
  /// The camera sends the two halves of an interlaced picture apart.
  case cameraFieldsApart
  /// The camera was pulled out.
  case cameraUnplugged
  /// Calls to the camera fail.
  case cameraFailing
  /// The camera's source has changed its format.
  case cameraFormatChanged
  /// The camera has stopped sending without an error.
  case cameraSilent
  /// The camera sends nothing but damaged frames.
  case cameraDamaged
  /// The camera sends far fewer frames than it promised.
  case cameraSlow
  /// The camera has none of a control that the configuration sets.
  case cameraControlMissing
  /// The camera is not where it was when the tray was calibrated; sizes are not gone by.
  case cameraMoved
  /// There is much less light than when the tray was calibrated.
  case tooDark
  /// The button's GPIO line cannot be had.
  case buttonMissing

  /// Whether it is a reason why there are no frames of the camera.
  public var isCameraLoss: Bool {
    switch self {
    case .cameraMissing, .cameraBusy, .cameraForbidden, .cameraIsNone, .cameraFormatUnusable,
      .cameraFieldsApart, .cameraUnplugged, .cameraFailing, .cameraFormatChanged, .cameraSilent,
      .cameraDamaged:
      true
    default: false
    }
  }

  /// Whether what was counted is not on the disk because of it.
  public var keepsLedgerWaiting: Bool {
    switch self {
    case .ledgerDiskFull, .ledgerUnwritable, .ledgerInUse: true
    default: false
    }
  }
}
