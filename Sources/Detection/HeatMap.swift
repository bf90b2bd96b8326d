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
