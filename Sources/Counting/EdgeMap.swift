/// How much each cell of a grid differs from those beside and below it.
struct EdgeMap: BitwiseCopyable {
  private var steps = InlineArray<4800, UInt8>(repeating: 0)
  private var dilated = InlineArray<4800, UInt8>(repeating: 0)

  /// The step at a cell, in 1/64 octaves up to 255.
  subscript(cell: Int) -> Int { Int(steps[cell]) }

  /// The largest step at a cell or one of its eight neighbours.
  func largest(_ cell: Int) -> Int { Int(dilated[cell]) }

  /// Measures the steps of a grid.
  mutating func measure(_ cells: borrowing CellGrid) {
    for row in 0..<CellGrid.rows {
      for column in 0..<CellGrid.columns {
        let cell = row * CellGrid.columns + column
        var step = 0
        if column + 1 < CellGrid.columns { step = cells.step(cell, cell + 1) }
        if row + 1 < CellGrid.rows {
          step = max(step, cells.step(cell, cell + CellGrid.columns))
        }
        steps[cell] = UInt8(min(step, 255))
      }
    }
    dilate()
  }

  /// How many cells have an edge where the other map has none near, or the other way round.
  func differences(from other: EdgeMap) -> Int {
    var count = 0
    for cell in 0..<CellGrid.count {
      let came = 2 * self[cell] > 2 * ObstacleMeter.leastEdge + 3 * other.largest(cell)
      let went = 2 * other[cell] > 2 * ObstacleMeter.leastEdge + 3 * largest(cell)
      if came || went { count += 1 }
    }
    return count
  }

  private mutating func dilate() {
    for row in 0..<CellGrid.rows {
      for column in 0..<CellGrid.columns {
        var most: UInt8 = 0
        for down in max(0, row - 1)...min(CellGrid.rows - 1, row + 1) {
          for right in max(0, column - 1)...min(CellGrid.columns - 1, column + 1) {
            most = max(most, steps[down * CellGrid.columns + right])
          }
        }
        dilated[row * CellGrid.columns + column] = most
      }
    }
  }
}
