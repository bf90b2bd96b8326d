/// A set of the grid's cells.
struct CellMask: BitwiseCopyable {
  private var rows = InlineArray<60, (UInt64, UInt16)>(repeating: (0, 0))

  /// Whether a cell belongs to the set.
  ///
  /// Precondition: the cell is in the grid.
  subscript(row: Int, column: Int) -> Bool {
    get {
      column < 64
        ? rows[row].0 >> UInt64(column) & 1 != 0 : rows[row].1 >> UInt16(column - 64) & 1 != 0
    }
    set {
      if column < 64 {
        let bit = UInt64(1) << UInt64(column)
        rows[row].0 = newValue ? rows[row].0 | bit : rows[row].0 & ~bit
      } else {
        let bit = UInt16(1) << UInt16(column - 64)
        rows[row].1 = newValue ? rows[row].1 | bit : rows[row].1 & ~bit
      }
    }
  }

  /// Empties the set.
  mutating func removeAll() {
    for row in 0..<CellGrid.rows { rows[row] = (0, 0) }
  }

  /// Adds the cells whose middle is in an ellipse; all in cells.
  mutating func insertDisc(x: Float, y: Float, radiusX: Float, radiusY: Float) {
    setDisc(true, x: x, y: y, radiusX: radiusX, radiusY: radiusY)
  }

  /// Takes out the cells whose middle is in an ellipse; all in cells.
  mutating func removeDisc(x: Float, y: Float, radiusX: Float, radiusY: Float) {
    setDisc(false, x: x, y: y, radiusX: radiusX, radiusY: radiusY)
  }

  private mutating func setDisc(
    _ isMember: Bool, x: Float, y: Float, radiusX: Float, radiusY: Float
  ) {
    let box = CellMask.box(x: x, y: y, radiusX: radiusX, radiusY: radiusY)
    for row in box.rows {
      for column in box.columns
      where CellMask.isInside(row, column, x: x, y: y, radiusX: radiusX, radiusY: radiusY) {
        self[row, column] = isMember
      }
    }
  }

  /// How many members have their middle in an ellipse; all in cells.
  func count(x: Float, y: Float, radiusX: Float, radiusY: Float) -> Int {
    let box = CellMask.box(x: x, y: y, radiusX: radiusX, radiusY: radiusY)
    var count = 0
    for row in box.rows {
      for column in box.columns
      where self[row, column]
        && CellMask.isInside(row, column, x: x, y: y, radiusX: radiusX, radiusY: radiusY)
      {
        count += 1
      }
    }
    return count
  }

  /// Whether a cell's middle is in an ellipse; all in cells.
  static func isInside(
    _ row: Int, _ column: Int, x: Float, y: Float, radiusX: Float, radiusY: Float
  ) -> Bool {
    let across = (Float(column) + 0.5 - x) / radiusX
    let down = (Float(row) + 0.5 - y) / radiusY
    return across * across + down * down <= 1
  }

  /// The cells of the grid that an ellipse may have; all in cells.
  static func box(
    x: Float, y: Float, radiusX: Float, radiusY: Float
  ) -> (rows: Range<Int>, columns: Range<Int>) {
    func range(_ middle: Float, _ radius: Float, _ count: Int) -> Range<Int> {
      let most = Float(count)
      let first = Int(max(0, min(most, middle - radius)))
      let last = Int(max(0, min(most, middle + radius + 1)))
      return first..<max(first, last)
    }
    return (range(y, radiusY, CellGrid.rows), range(x, radiusX, CellGrid.columns))
  }

  /// How many members have a neighbour, one of eight, that is a member too: single cells are
  /// noise.
  func clusteredCount() -> Int {
    var count = 0
    for row in 0..<CellGrid.rows where rows[row] != (0, 0) {
      for column in 0..<CellGrid.columns where self[row, column] {
        if hasNeighbour(row, column) { count += 1 }
      }
    }
    return count
  }

  /// How many members are at the grid's edge.
  func edgeCount() -> Int {
    var count = 0
    for row in 0..<CellGrid.rows {
      if row == 0 || row == CellGrid.rows - 1 {
        for column in 0..<CellGrid.columns where self[row, column] { count += 1 }
      } else {
        if self[row, 0] { count += 1 }
        if self[row, CellGrid.columns - 1] { count += 1 }
      }
    }
    return count
  }

  private func hasNeighbour(_ row: Int, _ column: Int) -> Bool {
    for down in max(0, row - 1)...min(CellGrid.rows - 1, row + 1) {
      for right in max(0, column - 1)...min(CellGrid.columns - 1, column + 1) {
        if (down != row || right != column) && self[down, right] { return true }
      }
    }
    return false
  }
}
