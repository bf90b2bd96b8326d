import Announcing
import CSystem

/// The service manager that started this process, told by the protocol of sd_notify(3) of the
/// moments it waits for. Where there is none, every call does nothing. No call waits or allocates.
public struct Supervisor: ~Copyable {
  /// A status in words, for `systemctl status`.
  public typealias Status = Text<320>

  private let descriptor: Int32
  /// Milliseconds between signs of life; 0 when none are wanted.
  private let interval: Int64
  private var lastSign: Int64 = 0

  /// Finds the service manager that `$NOTIFY_SOCKET` names.
  ///
  /// With a watchdog (`$WATCHDOG_USEC`), signs of life are sent twice in the time it allows.
  public init() {
    descriptor = csystem_service_socket()
    interval = descriptor < 0 ? 0 : Int64(csystem_service_watchdog() / 2000)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Tells that the service is up, for the first time or after `reloading`.
  public mutating func tellReady() {
    send("READY=1\n")
  }

  /// Tells that the configuration is being read anew.
  public mutating func tellReloading() {
    if descriptor < 0 { return }
    var message = Text<80>()
    message.append("RELOADING=1\nMONOTONIC_USEC=")
    message.append(Int(csystem_monotonic_microseconds()))
    message.append("\n")
    send(message.span)
  }

  /// Tells that the service is ending.
  public mutating func tellStopping() {
    send("STOPPING=1\n")
  }

  /// Tells how things stand; a newline at the end of `status` is left out.
  public mutating func tell(_ status: Status) {
    if descriptor < 0 { return }
    var message = Text<336>()
    message.append("STATUS=")
    for index in 0..<status.count where status[index] != UInt8(ascii: "\n") {
      message.append(byte: status[index])
    }
    send(message.span)
  }

  /// Gives a sign of life if one is due. Called at every turn of the loop, so that a loop that is
  /// stuck is noticed and restarted.
  public mutating func giveSign() {
    if interval == 0 { return }
    let now = csystem_monotonic_milliseconds()
    if now - lastSign < interval { return }
    lastSign = now
    send("WATCHDOG=1\n")
  }

  private func send(_ text: StaticString) {
    if descriptor < 0 { return }
    csystem_service_send(descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }

  private func send(_ message: Span<UInt8>) {
    message.withUnsafeBufferPointer {
      csystem_service_send(descriptor, $0.baseAddress, $0.count)
    }
  }
}
