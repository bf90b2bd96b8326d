import Counting
import Detection
import Frames

/// Learns a tray: its ground and light while it is empty, then its scale from known coins.
public struct Calibrator: ~Copyable {
  /// Frames at rest in a row for which the tray must be empty.
  static let emptyFrames = 5
  /// Sights of named coins from which the scale is found.
  public static let sights = 24
  /// How far the middle half of the sights may lie apart, as a logarithm. Shadows make single coins
  /// some percent larger, which the median of eight coins hardly feels; the spread is kept with it.
  static let mostSpread: Float = 0.045

  /// What has been learned so far.
  public private(set) var calibration: Calibration?
  /// Whether everything has been learned.
  public private(set) var isComplete = false

  private var emptyCount = 0
  private var logarithms = FixedList<24, Float>(filler: 0)

  /// Begins with nothing learned.
  public init() {}

  /// Takes in one frame; returns the step to tell of, if any.
  /// - Parameters:
  ///   - coins: what was found.
  ///   - cells: the picture.
  ///   - isMoving: whether the scene is in motion.
  ///   - width: width of the picture in pixels.
  public mutating func take(
    _ coins: Span<Detection>, cells: TrayCells, isMoving: Bool, width: Int
  ) -> CalibrationStep? {
    if isMoving {
      emptyCount = 0
      return nil
    }
    if calibration == nil { return takeGround(coins.count == 0, cells, width: width) }
    for index in 0..<coins.count where coins[index].millimetres > 0 {
      let ratio = coins[index].diameter / coins[index].millimetres
      if ratio > 0.01 {
        logarithms.append(Float(ElementaryFunctions.logarithm(Double(ratio))))
      }
    }
    return logarithms.isFull ? findScale() : nil
  }

  private mutating func takeGround(
    _ isEmpty: Bool, _ cells: TrayCells, width: Int
  ) -> CalibrationStep? {
    emptyCount = isEmpty ? emptyCount + 1 : 0
    if emptyCount < Calibrator.emptyFrames { return nil }
    var learned = Calibration(
      scale: KnownScale(pixelsPerMillimetre: 1, width: width, spread: 0.01),
      light: cells.light)
    learned.cells = cells
    calibration = learned
    return .layCoins
  }

  /// The scale is the median of the sights; coins that lie on others are far off, and few.
  private mutating func findScale() -> CalibrationStep? {
    for index in 1..<logarithms.count {
      var place = index
      while place > 0 && logarithms[place - 1] > logarithms[place] {
        let moved = logarithms[place]
        logarithms[place] = logarithms[place - 1]
        logarithms[place - 1] = moved
        place -= 1
      }
    }
    let middle = logarithms[Calibrator.sights / 2]
    let half = logarithms[Calibrator.sights * 3 / 4] - logarithms[Calibrator.sights / 4]
    logarithms.removeAll()
    if half > Calibrator.mostSpread { return .unclear }
    calibration?.scale.pixelsPerMillimetre = Float(ElementaryFunctions.exponential(Double(middle)))
    // Half of a normal distribution lies within 1.35 standard deviations; the lens adds a little.
    calibration?.scale.spread = max(0.006, half / 1.35)
    isComplete = true
    return nil
  }
}
