/// A step of calibrating the tray.
public enum CalibrationStep: BitwiseCopyable, Sendable, Equatable {
  /// The tray is to be emptied.
  case begin
  /// Ground and light have been learned; known coins are to be laid down.
  case layCoins
  /// Everything has been learned, and kept if it is on the disk.
  case done(pixelsPerMillimetre: Float, coins: Int, isSaved: Bool)
  /// The coins do not agree on one scale: the camera looks at a slant, or coins lie on others.
  case unclear
  /// It ended before everything was learned.
  case ended
}
