import CVideo

/// What tells one camera from another: where it is plugged in, and what it is.
public struct CameraIdentity: BitwiseCopyable, Sendable {
  private var bytes: InlineArray<80, UInt8>

  /// Takes a camera's identity out of what its driver says.
  init(_ capability: v4l2_capability) {
    bytes = InlineArray(repeating: 0)
    withUnsafeBytes(of: capability.driver) { copy($0, to: 0) }
    withUnsafeBytes(of: capability.card) { copy($0, to: 16) }
    withUnsafeBytes(of: capability.bus_info) { copy($0, to: 48) }
  }

  private mutating func copy(_ field: UnsafeRawBufferPointer, to start: Int) {
    // What follows a name's NUL means nothing.
    for index in 0..<field.count {
      if field[index] == 0 { break }
      bytes[start + index] = field[index]
    }
  }

  /// Whether both are plugged in at the same place, such as `usb-0000:01:00.0-1.3`.
  public func isAtSamePlace(as other: CameraIdentity) -> Bool {
    bytes[48] != 0 && equals(other, 48..<80)
  }

  /// Whether both are of the same make.
  public func isOfSameKind(as other: CameraIdentity) -> Bool {
    equals(other, 0..<48)
  }

  private func equals(_ other: CameraIdentity, _ range: Range<Int>) -> Bool {
    for index in range where bytes[index] != other.bytes[index] { return false }
    return true
  }
}
