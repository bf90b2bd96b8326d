import Announcing

/// Whether there is a serial console, where, and how it speaks.
public struct ConsoleSettings: BitwiseCopyable, Sendable, Equatable {
  /// Whether the tty is used.
  public enum Use: UInt8, BitwiseCopyable, Sendable {
    /// Whenever it is there; its absence is nothing to tell.
    case auto
    /// Always; its absence is a fault.
    case on
    /// Never.
    case off
  }

  /// Whether the tty is used.
  public var use = Use.auto
  /// Path of the tty, with its NUL.
  public var device: Text<128>
  /// Bits a second, 50 to 4,000,000.
  public var baud = 115_200
  /// Whether lines are JSON rather than for people.
  public var isJSON = false

  /// Makes the usual settings.
  public init() {
    device = Text()
    device.append("/dev/serial0")
    device.append(byte: 0)
  }
}
