import CGPIO
import CSystem

/// Answers for libgpiod with lines of its own, and notes what is done to them in order.
final class FakeGPIO {
  /// A call as it was made; lines are named as they were asked for.
  enum Call: Equatable {
    case open(String, isActiveLow: Bool)
    case set(String, Bool)
    case close(String)
  }

  /// Every call made.
  var calls: [Call] = []
  /// Lines that can be had; others have the fault given here, or none is named so.
  var faults: [String: Int32] = [:]
  /// Lines that are there.
  var lines: Set<String> = []
  /// Lines that can no longer be set.
  var lost: Set<String> = []

  private var opened: [String] = []

  /// Levels last set on the lines that are open.
  private(set) var levels: [String: Bool] = [:]

  /// Answers the calls that `body` makes on this thread.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    var table = cgpio_stand_in()
    table.context = Unmanaged.passUnretained(self).toOpaque()
    table.open = { context, label, name, offset, isActiveLow, fault in
      let address =
        label.map { "\(String(cString: $0)):\(offset)" } ?? name.map { String(cString: $0) } ?? ""
      return FakeGPIO.of(context).open(address, isActiveLow, fault)
    }
    table.set = { FakeGPIO.of($0).set($1, $2) }
    table.close = { FakeGPIO.of($0).close($1) }
    return try withUnsafePointer(to: &table) { pointer in
      cgpio_stand_in_for_library(pointer)
      defer { cgpio_stand_in_for_library(nil) }
      return try body()
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> FakeGPIO {
    guard let context else { preconditionFailure("no fake GPIO") }
    return Unmanaged<FakeGPIO>.fromOpaque(context).takeUnretainedValue()
  }

  private func open(
    _ address: String, _ isActiveLow: Bool, _ fault: UnsafeMutablePointer<Int32>?
  ) -> OpaquePointer? {
    calls.append(.open(address, isActiveLow: isActiveLow))
    if let code = faults[address] {
      fault?.pointee = code
      return nil
    }
    if !lines.contains(address) {
      fault?.pointee = CGPIO_NO_NAME.rawValue
      return nil
    }
    opened.append(address)
    levels[address] = false
    return OpaquePointer(bitPattern: opened.count)
  }

  private func name(_ line: OpaquePointer?) -> String {
    opened[Int(bitPattern: line) - 1]
  }

  private func set(_ line: OpaquePointer?, _ isActive: Bool) -> Int32 {
    let name = name(line)
    if lost.contains(name) { return ENODEV }
    calls.append(.set(name, isActive))
    levels[name] = isActive
    return 0
  }

  private func close(_ line: OpaquePointer?) {
    calls.append(.close(name(line)))
    levels[name(line)] = nil
  }
}
