import Counting
import Detection
import Frames
import Learning

/// Calibrates the tray, and watches that it stays as it was calibrated.
public struct TrayKeeper: ~Copyable {
  private let path: UnsafePointer<CChar>?
  private var watch: CameraWatch?
  private var calibrator: Calibrator?
  private var hasToldMoved = false
  private var hasToldDark = false

  /// Whether a calibration has ended and is on the disk.
  public private(set) var hasCalibrated = false

  /// Makes a keeper.
  /// - Parameters:
  ///   - calibration: what was learned before, if anything.
  ///   - path: NUL-terminated path of its file, which must stay; `nil` to keep it in memory alone.
  public init(_ calibration: Calibration?, path: UnsafePointer<CChar>?) {
    self.path = path
    watch = calibration.map { CameraWatch($0) }
  }

  /// Whether a calibration is being made.
  public var isCalibrating: Bool { calibrator != nil }

  /// Begins a calibration; returns the step to tell of.
  public mutating func begin() -> CalibrationStep {
    calibrator = Calibrator()
    isOver = false
    hasCalibrated = false
    return .begin
  }

  /// Takes in one frame for the calibration being made; returns the step to tell of, if any.
  public mutating func calibrate(
    _ coins: Span<Detection>, _ image: ImageView, isMoving: Bool
  ) -> CalibrationStep? {
    guard var current = calibrator.take() else { return nil }
    let step = current.take(
      coins, cells: TrayCells(image), isMoving: isMoving, width: image.width)
    isOver = current.isComplete
    calibrator = consume current
    return step
  }

  /// Whether the calibration has nothing more to do.
  public private(set) var isOver = false

  /// Ends the calibration; the step to tell of. What was learned is gone by from here on.
  public mutating func finish() -> CalibrationStep? {
    guard let ended = calibrator.take() else { return nil }
    guard ended.isComplete, let learned = ended.calibration else { return .ended }
    hasCalibrated = save(learned)
    watch = CameraWatch(learned)
    return .done(
      pixelsPerMillimetre: learned.scale.pixelsPerMillimetre, coins: Calibrator.sights,
      isSaved: hasCalibrated)
  }

  private func save(_ calibration: Calibration) -> Bool {
    guard let path else { return false }
    do throws(LearnedFileError) {
      try calibration.write(path)
      return true
    } catch {
      return false
    }
  }

  /// The scale to go by in the next frame; `nil` where there is none, or the camera has been moved.
  public var scale: KnownScale? { watch?.scale }

  /// Takes in one frame at rest.
  public mutating func watch(_ coins: Span<Detection>, _ image: ImageView) {
    if watch == nil { return }
    watch?.take(coins, cells: TrayCells(image), width: image.width)
  }

  /// What has changed since the last call, one thing at a time.
  public mutating func takeNews() -> Event.Kind? {
    guard let watch else { return nil }
    if watch.hasMoved != hasToldMoved {
      hasToldMoved = watch.hasMoved
      return hasToldMoved ? .degraded(.cameraMoved) : .recovered(.cameraMoved)
    }
    if watch.isDark != hasToldDark {
      hasToldDark = watch.isDark
      return hasToldDark ? .degraded(.tooDark) : .recovered(.tooDark)
    }
    return nil
  }
}
