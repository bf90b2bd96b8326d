import CSystem

/// Why a system call has failed: its `errno`.
public struct SystemError: Error, BitwiseCopyable, Sendable, Equatable {
  /// The `errno`, greater than 0.
  public let code: Int32

  /// Makes an error of a code.
  public init(code: Int32) {
    self.code = code
  }

  /// The error of the call just made on this thread.
  public static var last: SystemError { SystemError(code: csystem_errno()) }

  /// The name leads to no file.
  public var isMissing: Bool { code == ENOENT || code == ENXIO || code == ENODEV }
  /// This user may not.
  public var isForbidden: Bool { code == EACCES || code == EPERM }
  /// The call would have to wait.
  public var mustWait: Bool { code == EAGAIN }
}
