import Counting
import Foundation
import TestSupport
import Testing

@testable import Detection
@testable import Learning

@Suite struct CalibrationTests {
  private let none: [Detection] = []

  /// The cells of a tray: lighter on one side, with a dark bar at a column.
  private func cells(light: Int = 100, bar: Int = 5) -> TrayCells {
    var cells = TrayCells()
    for cell in 0..<1200 {
      let column = cell % 40
      let isBar = column >= bar && column < bar + 8
      cells.values[cell] = UInt16(isBar ? light * 4 : light * 16 + column * light / 8)
    }
    return cells
  }

  /// A named coin of a diameter in pixels.
  private func named(_ millimetres: Float, pixels: Float) -> Detection {
    var detection = coin(value: 500)
    detection.millimetres = millimetres
    detection.diameter = pixels
    return detection
  }

  /// Shows the calibrator one frame.
  private func take(
    _ calibrator: inout Calibrator, _ coins: [Detection], isMoving: Bool = false
  ) -> CalibrationStep? {
    calibrator.take(coins.span, cells: cells(), isMoving: isMoving, width: 640)
  }

  /// Calibrates at 3 pixels a millimetre.
  private func calibrated() throws -> Calibration {
    var calibrator = Calibrator()
    for _ in 0..<5 {
      _ = take(&calibrator, none)
    }
    while !calibrator.isComplete {
      _ = take(&calibrator, [named(27.2, pixels: 81.6), named(23, pixels: 69.3)])
    }
    let learned = calibrator.calibration
    return try #require(learned)
  }

  @Test func anEmptyTrayIsLearnedFirstAndThenTheScale() throws {
    var calibrator = Calibrator()
    var steps: [CalibrationStep] = []
    for frame in 0..<12 {
      let isMoving = frame == 3
      if let step = take(&calibrator, none, isMoving: isMoving) {
        steps.append(step)
        #expect(frame == 8)
      }
    }
    #expect(steps == [.layCoins])
    let learned = try calibrated()
    #expect(abs(learned.scale.pixelsPerMillimetre - 3) < 0.03)
    #expect(learned.scale.width == 640)
    #expect(abs(learned.light - 95) < 20)
  }

  @Test func coinsThatDoNotAgreeAreNoScale() {
    var calibrator = Calibrator()
    for _ in 0..<5 {
      _ = take(&calibrator, none)
    }
    var last: CalibrationStep?
    for _ in 0..<12 {
      last = take(&calibrator, [named(27.2, pixels: 80), named(23, pixels: 90)])
    }
    let isComplete = calibrator.isComplete
    #expect(last == .unclear && !isComplete)
  }

  @Test func aCalibrationComesBackFromItsFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/calibration"
    let learned = try calibrated()
    try path.withCString { try learned.write($0) }
    let back = try #require(try path.withCString { try Calibration.read($0) })
    #expect(back.scale == learned.scale && back.light == learned.light)
    #expect(back.cells.values[77] == learned.cells.values[77])
    let none = try "/nowhere".withCString { try Calibration.read($0) }
    #expect(none == nil)
  }

  @Test func everyChangeOfOneBitOfTheFileIsNoticed() throws {
    let memory = try calibrated().encoded()
    let whole = (0..<Calibration.fileSize).map { memory[$0] }
    let back = Calibration(whole.span)
    #expect(back != nil)
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1 << UInt8(index % 8)
      let spoilt = Calibration(changed.span)
      #expect(spoilt == nil)
    }
    let shorter = Array(whole.dropLast())
    let cut = Calibration(shorter.span)
    #expect(cut == nil)
  }

  /// Shows frames to a watch.
  private func show(
    _ watch: inout CameraWatch, coins: [Detection] = [], _ cells: TrayCells, frames: Int = 20,
    width: Int = 640
  ) {
    for _ in 0..<frames { watch.take(coins.span, cells: cells, width: width) }
  }

  @Test func aMovedCameraIsNoticedByTheGroundAndForgivenOnceItIsBack() throws {
    var watch = CameraWatch(try calibrated())
    show(&watch, cells())
    #expect(!watch.hasMoved && watch.scale != nil)
    show(&watch, cells(bar: 22))
    #expect(watch.hasMoved && watch.scale == nil)
    show(&watch, cells())
    #expect(!watch.hasMoved)
  }

  @Test func aLampIsNoMovedCamera() throws {
    var watch = CameraWatch(try calibrated())
    for light in [60, 140, 200] {
      show(&watch, cells(light: light))
      #expect(!watch.hasMoved, "light \(light)")
    }
  }

  @Test func aCameraThatHangsLowerIsNoticedByTheCoins() throws {
    var watch = CameraWatch(try calibrated())
    show(&watch, coins: [named(27.2, pixels: 82.5)], cells())
    #expect(!watch.hasMoved)
    show(&watch, coins: [named(27.2, pixels: 86)], cells())
    #expect(watch.hasMoved)
    // The same tray in a smaller picture is no moved camera.
    var small = CameraWatch(try calibrated())
    show(&small, coins: [named(27.2, pixels: 41)], cells(), width: 320)
    #expect(!small.hasMoved)
  }

  @Test func darknessIsNoticed() throws {
    var watch = CameraWatch(try calibrated())
    show(&watch, cells(light: 30))
    #expect(watch.isDark && !watch.hasMoved)
    show(&watch, cells())
    #expect(!watch.isDark)
  }
}
