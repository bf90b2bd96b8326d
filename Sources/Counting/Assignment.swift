/// Global assignment of at most 64 rows to at most 64 columns at the least total cost.
///
/// The Hungarian method with potentials (Kuhn and Munkres, in the shortest-path form of Jonker
/// and Volgenant), in fixed memory; time grows with rows² × columns. Every row may also stay
/// unassigned at the cost of `unassigned`, so two rows never compete for a column that is far
/// worse than none.
struct Assignment: ~Copyable {
  /// Most rows and most columns.
  static let capacity = 64

  /// Cost of each row with each column, row-major, 64 to a row. Written by the caller.
  private var costs = InlineArray<4096, Float>(repeating: 0)
  private var columnOfRow = InlineArray<64, Int16>(repeating: -1)

  // Scratch of `solve`; index 0 stands for "none", columns and rows are counted from 1.
  private var rowPotentials = InlineArray<65, Float>(repeating: 0)
  private var columnPotentials = InlineArray<129, Float>(repeating: 0)
  private var rowOfColumn = InlineArray<129, Int16>(repeating: 0)
  private var previous = InlineArray<129, Int16>(repeating: 0)
  private var shortest = InlineArray<129, Float>(repeating: 0)
  private var isVisited = InlineArray<129, Bool>(repeating: false)

  init() {}

  /// The cost of a pair, before `solve`. Precondition: `0 <= row, column < 64`.
  subscript(row: Int, column: Int) -> Float {
    get { costs[row * Assignment.capacity + column] }
    set { costs[row * Assignment.capacity + column] = newValue }
  }

  /// The column given to `row` by the last `solve`, or `nil` if it stayed unassigned.
  func column(of row: Int) -> Int? {
    columnOfRow[row] < 0 ? nil : Int(columnOfRow[row])
  }

  /// Finds the cheapest assignment of `rows` rows to `columns` columns.
  ///
  /// Precondition: `0 <= rows, columns <= 64` and every cost among them is set and finite.
  mutating func solve(rows: Int, columns: Int, unassigned: Float) {
    precondition(rows <= Assignment.capacity && columns <= Assignment.capacity)
    // Columns beyond the real ones stand for "unassigned", one for each row.
    let total = columns + rows
    for row in 0...rows { rowPotentials[row] = 0 }
    for column in 0...total {
      columnPotentials[column] = 0
      rowOfColumn[column] = 0
    }
    var row = 1
    while row <= rows {
      assign(row, columns: columns, total: total, unassigned: unassigned)
      row += 1
    }
    for row in 0..<rows { columnOfRow[row] = -1 }
    for column in 0..<columns where rowOfColumn[column + 1] > 0 {
      columnOfRow[Int(rowOfColumn[column + 1]) - 1] = Int16(column)
    }
  }

  /// Adds `row` to the assignment along a shortest augmenting path.
  private mutating func assign(_ row: Int, columns: Int, total: Int, unassigned: Float) {
    for column in 0...total {
      shortest[column] = .greatestFiniteMagnitude
      isVisited[column] = false
    }
    rowOfColumn[0] = Int16(row)
    var column = 0
    repeat {
      isVisited[column] = true
      let current = Int(rowOfColumn[column])
      var next = 0
      var least = Float.greatestFiniteMagnitude
      var candidate = 1
      while candidate <= total {
        if !isVisited[candidate] {
          let cost = candidate <= columns ? self[current - 1, candidate - 1] : unassigned
          let reduced = cost - rowPotentials[current] - columnPotentials[candidate]
          if reduced < shortest[candidate] {
            shortest[candidate] = reduced
            previous[candidate] = Int16(column)
          }
          if shortest[candidate] < least {
            least = shortest[candidate]
            next = candidate
          }
        }
        candidate += 1
      }
      for visited in 0...total {
        if isVisited[visited] {
          rowPotentials[Int(rowOfColumn[visited])] += least
          columnPotentials[visited] -= least
        } else {
          shortest[visited] -= least
        }
      }
      column = next
    } while rowOfColumn[column] != 0
    while column != 0 {
      let before = Int(previous[column])
      rowOfColumn[column] = rowOfColumn[before]
      column = before
    }
  }
}
