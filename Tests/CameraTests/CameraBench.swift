import CSystem
import CVideo
import Counting
import Frames
import Loop

@testable import Camera

/// A feed over a fake camera, driven turn by turn on the test's own thread.
final class CameraBench {
  let camera = FakeCamera()
  private let feed: UnsafeMutablePointer<CameraFeed>

  /// What the loop was handed.
  enum Item: Equatable {
    case picture(number: Int, first: [UInt8])
    case lost(Degradation)
    case back
    case degraded(Degradation)
  }

  struct OutOfMemory: Error {}

  init(_ settings: CameraSettings = CameraSettings()) throws {
    feed = .allocate(capacity: 1)
    guard let made = CameraFeed(settings) else { throw OutOfMemory() }
    feed.initialize(to: made)
  }

  deinit {
    feed.deinitialize(count: 1)
    feed.deallocate()
  }

  /// Settings that touch no control, for tests that look at other calls.
  static var plain: CameraSettings {
    var settings = CameraSettings()
    settings.exposure = .untouched
    settings.whiteBalance = .untouched
    settings.focus = .untouched
    settings.mains = 0
    return settings
  }

  /// Settings with the camera named.
  static func named(_ path: String, _ settings: CameraSettings = plain) -> CameraSettings {
    var settings = settings
    for byte in path.utf8 { settings.device.append(byte: byte) }
    settings.device.append(byte: 0)
    return settings
  }

  /// Has the camera's thread take turns.
  func step(_ turns: Int = 1) {
    camera.kernel.run {
      for _ in 0..<turns { feed.pointee.step() }
    }
  }

  /// Has the camera's thread take turns until so many milliseconds have passed.
  func pass(_ milliseconds: Int64) {
    let end = camera.kernel.milliseconds + milliseconds
    camera.kernel.run {
      while camera.kernel.milliseconds < end { feed.pointee.step() }
    }
  }

  /// Everything the loop is handed at present.
  func take() -> [Item] {
    camera.kernel.run {
      var items: [Item] = []
      // Being woken for nothing is ordinary.
      for _ in 0..<20 {
        guard let slot = feed.pointee.waitForFull(milliseconds: 0) else { continue }
        switch slot.pointee.content {
        case .picture:
          let first = Array(UnsafeBufferPointer(start: slot.pointee.pixels, count: 3))
          items.append(.picture(number: slot.pointee.number, first: first))
        case .cameraLost: items.append(.lost(slot.pointee.why))
        case .cameraBack: items.append(.back)
        case .degraded: items.append(.degraded(slot.pointee.why))
        case .unreadable, .end: break
        }
        feed.pointee.empty()
      }
      return items
    }
  }

  /// Delivers a frame of one grey, has it taken from the driver, and returns what the loop gets.
  func show(_ luma: UInt8 = 126) -> [Item] {
    camera.deliver(CameraBench.yuyv(luma))
    step()
    return take()
  }

  /// The place of the frame the loop holds, until it is given back.
  func hold() -> Int? { feed.pointee.take() }
  func giveBack(_ place: Int) { feed.pointee.giveBack(place) }

  func apply(_ settings: CameraSettings) { feed.pointee.apply(settings) }

  /// Ends the camera's thread.
  func finish() {
    camera.kernel.run {
      feed.pointee.close()
      feed.pointee.runWorker()
    }
  }

  var late: Int { feed.pointee.lateFrames }
  var damaged: Int { feed.pointee.damagedFrames }

  /// The slot's pixels at a place.
  func pixel(_ x: Int, _ y: Int, width: Int = 640) -> [UInt8] {
    camera.kernel.run {
      guard let slot = feed.pointee.waitForFull(milliseconds: 0) else { return [] }
      let base = slot.pointee.pixels + 3 * (y * width + x)
      return Array(UnsafeBufferPointer(start: base, count: 3))
    }
  }

  /// A YUYV frame of 64 × 48 in one grey; 126 becomes 128.
  static func yuyv(_ luma: UInt8, age: Int64 = 0) -> FakeCamera.Frame {
    FakeCamera.Frame(planes: [grey(luma, pixels: 64 * 48)], age: age)
  }

  /// Pixels of YUYV in one grey.
  static func grey(_ luma: UInt8, pixels: Int) -> [UInt8] {
    [UInt16](repeating: UInt16(luma) | 128 << 8, count: pixels).withUnsafeBytes { Array($0) }
  }
}
