// A push-button on a GPIO line: in go the edges the kernel reports, out come short and long
// presses. It is read without waiting, once a turn of the loop; one that is missing is looked for
// again. Depends on CSystem and Devices for the kernel's interface and on Lights for addresses of
// lines.
import Lights

/// Where a push-button is and how it behaves.
public struct ButtonSettings: BitwiseCopyable, Sendable, Equatable {
  /// Its line; `nil` for no button.
  public var line: LineAddress?
  /// Whether the line is low while it is pressed: a button between the line and ground.
  public var isActiveLow = true
  /// Milliseconds a level must hold to count, 1 to 500.
  public var debounceMilliseconds = 30
  /// Milliseconds from which on a press is a long one, 300 to 10000.
  public var longMilliseconds = 1000

  /// No button.
  public init() {}
}

/// How a button was pressed.
public enum Press: BitwiseCopyable, Sendable, Equatable {
  /// Pressed and let go.
  case short
  /// Held down; told of while it is still held.
  case long
}
