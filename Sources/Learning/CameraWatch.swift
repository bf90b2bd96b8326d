import Counting
import Detection
import Frames

/// Notices that the camera or its light is no longer as it was calibrated.
///
/// While the tray is empty and at rest its ground is compared with the one learned, lamps aside;
/// while coins lie there, the sizes of those that are named.
public struct CameraWatch: BitwiseCopyable, Sendable {
  /// Frames in a row that must agree before anything is told: half a second and more.
  static let frames = 15
  /// Change of a cell's brightness that counts, in sixteenths of a level of 255.
  static let threshold: Float = 12 * 16
  /// Share of cells that must have changed.
  static let share: Float = 0.25
  /// Change of scale that counts, as a logarithm; a camera 3 % nearer is 1 cm of 30.
  static let scaleChange: Float = 0.03
  /// Share of the light below which it is too dark to go by what was learned.
  static let dark: Float = 0.4

  private let calibration: Calibration
  private var movedCount = 0
  private var inPlaceCount = 0
  private var darkCount = 0

  /// Whether the camera has been moved, as far as is known.
  public private(set) var hasMoved = false
  /// Whether it is too dark.
  public private(set) var isDark = false

  /// Begins to watch a camera that is as it was calibrated.
  public init(_ calibration: Calibration) {
    self.calibration = calibration
  }

  /// The scale to go by, while the camera is where it was.
  public var scale: KnownScale? { hasMoved ? nil : calibration.scale }

  /// Takes in one frame at rest.
  /// - Parameters:
  ///   - coins: what was found.
  ///   - cells: the picture.
  ///   - width: width of the picture in pixels.
  public mutating func take(_ coins: Span<Detection>, cells: TrayCells, width: Int) {
    var isOff = false
    var isJudged = false
    if coins.count == 0 {
      isOff = isGroundOther(cells)
      isJudged = true
      watchLight(cells)
    } else if let off = scaleError(coins, width: width) {
      isOff = abs(off) > CameraWatch.scaleChange
      isJudged = true
    }
    if !isJudged { return }
    movedCount = isOff ? movedCount + 1 : 0
    inPlaceCount = isOff ? 0 : inPlaceCount + 1
    if movedCount >= CameraWatch.frames { hasMoved = true }
    if inPlaceCount >= CameraWatch.frames { hasMoved = false }
  }

  private mutating func watchLight(_ cells: TrayCells) {
    let light = cells.light
    darkCount = light < CameraWatch.dark * calibration.light ? darkCount + 1 : 0
    if darkCount >= CameraWatch.frames { isDark = true }
    // A little more than the bound, so that light at the bound does not flicker.
    if light > 1.25 * CameraWatch.dark * calibration.light { isDark = false }
  }

  /// Whether too many cells differ from the ground learned, after the change of light that most
  /// of them share.
  private func isGroundOther(_ cells: TrayCells) -> Bool {
    var ratios = InlineArray<256, Int32>(repeating: 0)
    for cell in 0..<1200 {
      let ratio = (Int(cells.values[cell]) + 8) * 64 / (Int(calibration.cells.values[cell]) + 8)
      ratios[Int(max(0, min(ratio, 255)))] += 1
    }
    var seen: Int32 = 0
    var gain: Float = 1
    for bin in 0..<256 {
      seen += ratios[bin]
      if seen >= 600 {
        gain = (Float(bin) + 0.5) / 64
        break
      }
    }
    var changed = 0
    for cell in 0..<1200 {
      let expected = Float(calibration.cells.values[cell]) * gain
      // Bright cells vary more with the light's direction.
      if abs(Float(cells.values[cell]) - expected) > CameraWatch.threshold + 0.15 * expected {
        changed += 1
      }
    }
    return Float(changed) > CameraWatch.share * 1200
  }

  /// By how much named coins are larger than they should be, as a logarithm; `nil` without any.
  private func scaleError(_ coins: Span<Detection>, width: Int) -> Float? {
    let scale =
      calibration.scale.pixelsPerMillimetre * Float(width) / Float(calibration.scale.width)
    var sum: Float = 0
    var count: Float = 0
    for index in 0..<coins.count where coins[index].millimetres > 0 {
      let ratio = coins[index].diameter / (coins[index].millimetres * scale)
      if ratio < 0.01 { continue }
      sum += Float(ElementaryFunctions.logarithm(Double(ratio)))
      count += 1
    }
    return count > 0 ? sum / count : nil
  }
}
