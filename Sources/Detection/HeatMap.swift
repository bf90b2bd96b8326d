import Frames

/// Reads the detector's three output maps: every local maximum of the heat is a candidate.
enum HeatMap {
  /// The size, in input pixels, that a size output of 0 stands for.
  static let unitSize: Float = 32

  /// Adds the candidates of one picture, or part of one, to `candidates`.
  ///
  /// A cell is a maximum when no cell of the eight around it is hotter; of equal neighbours the
  /// first in reading order counts.
  ///
  /// - Parameters:
  ///   - centre: heat logits, one channel.
  ///   - offset: where in its cell the centre is, x and y, in cells.
  ///   - size: ln(width / 32) and ln(height / 32), in input pixels.
  ///   - cellSize: input pixels in a cell.
  ///   - leastLogit: heat below this is nothing.
  ///   - frame: where the input's picture lies in the whole picture.
  static func decode(
    centre: borrowing QuantisedMap, offset: borrowing QuantisedMap, size: borrowing QuantisedMap,
    cellSize: Float, leastLogit: Double, frame: PassFrame, into candidates: inout CandidateList
  ) {
    let least = centre.quantised(atLeast: leastLogit)
    for row in 0..<centre.rows {
      for column in 0..<centre.columns {
        let heat = Int(centre.values[unchecked: row * centre.columns + column])
        if heat < least || !isMaximum(centre, row, column, heat) { continue }
        let placeX = Float(column) + bounded(offset.real(row, column, 0))
        let placeY = Float(row) + bounded(offset.real(row, column, 1))
        let logSize = 0.5 * (Double(size.real(row, column, 0)) + Double(size.real(row, column, 1)))
        let diameter = unitSize * Float(ElementaryFunctions.exponential(min(5, logSize)))
        frame.add(
          x: placeX * cellSize, y: placeY * cellSize, diameter: diameter,
          score: centre.real(row, column, 0), to: &candidates)
      }
    }
  }

  private static func bounded(_ offset: Float) -> Float { max(-0.5, min(1.5, offset)) }

  private static func isMaximum(
    _ map: borrowing QuantisedMap, _ row: Int, _ column: Int, _ heat: Int
  ) -> Bool {
    for down in -1...1 {
      for right in -1...1 {
        if down == 0 && right == 0 { continue }
        let otherRow = row + down
        let otherColumn = column + right
        if otherRow < 0 || otherRow >= map.rows || otherColumn < 0 || otherColumn >= map.columns {
          continue
        }
        let other = Int(map.values[unchecked: otherRow * map.columns + otherColumn])
        let isEarlier = down < 0 || (down == 0 && right < 0)
        if other > heat || (isEarlier && other == heat) { return false }
      }
    }
    return true
  }
}

/// One pass of the detector: which part of the picture it saw, and how that lay in its input.
struct PassFrame: BitwiseCopyable {
  /// The part's top left pixel and size, in pixels of the picture.
  var left: Int
  var top: Int
  /// How the part lies in the input.
  var box: Letterbox
  /// Size of the picture; a part's sides that are not the picture's may cut coins.
  var pictureWidth: Int
  var pictureHeight: Int
  /// Least diameter of circles to take, in pixels of the picture.
  var leastDiameter: Float = 0
  /// Greatest diameter of circles to take, in pixels of the picture.
  var mostDiameter = Float.infinity
  /// What heat and coinness of its circles must add up to; see `Candidate`.
  var leastSum = -Float.infinity

  /// Adds a circle given in input pixels, unless it lies outside the part or the part's side cuts
  /// it: then a neighbouring part, or the whole picture, shows it better.
  func add(
    x: Float, y: Float, diameter: Float, score: Float, to candidates: inout CandidateList
  ) {
    let place = box.sourcePlace(x: x, y: y)
    let radius = 0.5 * diameter * box.scale
    if 2 * radius < leastDiameter || 2 * radius > mostDiameter { return }
    let width = Float(box.sourceWidth)
    let height = Float(box.sourceHeight)
    if place.x < 0 || place.y < 0 || place.x > width || place.y > height { return }
    let slack = 0.1 * radius
    let isCut =
      (left > 0 && place.x - radius < -slack)
      || (top > 0 && place.y - radius < -slack)
      || (left + box.sourceWidth < pictureWidth && place.x + radius > width + slack)
      || (top + box.sourceHeight < pictureHeight && place.y + radius > height + slack)
    if isCut { return }
    candidates.add(
      Candidate(
        x: place.x + Float(left), y: place.y + Float(top), radius: radius, score: score,
        leastSum: leastSum))
  }
}
