import Counting
import Detection

/// Something a person asks of the loop.
public enum Command: BitwiseCopyable, Sendable, Equatable {
  /// Tell the total.
  case total
  /// Say the total again.
  case `repeat`
  /// Forget what lies on the tray, and count it anew.
  case reset
  /// Tell how things stand.
  case status
  /// Speak no more until told otherwise.
  case mute
  /// Speak again.
  case unmute
  /// Count for another purpose.
  case mode(Mode)
  /// Count up to a price in rupiah.
  case target(Int)
  /// Keep what lies on the tray, or in a session end it.
  case keep
  /// Learn a coin of that name, or of that value in rupiah; the other is empty or 0.
  case teach(CoinName, Int32)
  /// Learn the tray.
  case calibrate
  /// End the lesson or the calibration that is going on.
  case cancel
  /// Tell of the commands.
  case help
}

/// Who asked.
public enum CommandOrigin: UInt8, BitwiseCopyable, Sendable {
  /// A line of the serial console, which gets the answer.
  case console
  /// A button, which can be answered by voice and lights only.
  case button
}

/// A command and who asked.
public struct Request: BitwiseCopyable, Sendable, Equatable {
  /// What is asked.
  public var command: Command
  /// Who asked.
  public var origin: CommandOrigin

  /// Makes a request.
  public init(_ command: Command, from origin: CommandOrigin) {
    self.command = command
    self.origin = origin
  }
}
