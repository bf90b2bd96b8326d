import Frames

/// A picture reduced to 80 × 60 cells, so that frames can be compared.
///
/// Each cell has the logarithm of its mean red, green and blue. What matters is how neighbouring
/// cells differ, because a lamp, an exposure step or a soft shadow changes neighbours alike, while
/// whatever moves or covers something makes edges come and go.
struct CellGrid: ~Copyable {
  static let columns = 80
  static let rows = 60
  static let count = columns * rows
  /// Samples taken across and down a cell, or all where it has fewer pixels.
  static let samplesAcross = 4
  static let samplesDown = 8
  /// Added to a level before the logarithm, so that noise in the dark stays small.
  static let darkness = 32

  /// Logarithms to the base 2 of (level + `darkness`) in 1/64, three to a cell, row-major.
  private(set) var levels = InlineArray<14400, Int16>(repeating: 0)
  /// The logarithms of quarter levels from 0 to 255.
  private var logarithms = InlineArray<1024, Int16>(repeating: 0)

  init() {
    let scale = 64 / ElementaryFunctions.logarithm(2)
    for quarter in 0..<1024 {
      let level = Double(quarter) / 4 + Double(CellGrid.darkness)
      logarithms[quarter] = Int16(
        ElementaryFunctions.nearestInteger(scale * ElementaryFunctions.logarithm(level)))
    }
  }

  /// Fills the grid from a picture of any size.
  mutating func measure(_ image: ImageView) {
    let stepX = max(1, image.width / (CellGrid.columns * CellGrid.samplesAcross))
    let stepY = max(1, image.height / (CellGrid.rows * CellGrid.samplesDown))
    for row in 0..<CellGrid.rows {
      let top = image.height * row / CellGrid.rows
      let bottom = min(max(top + 1, image.height * (row + 1) / CellGrid.rows), image.height)
      for column in 0..<CellGrid.columns {
        let left = image.width * column / CellGrid.columns
        let right = min(
          max(left + 1, image.width * (column + 1) / CellGrid.columns), image.width)
        var red: Int32 = 0
        var green: Int32 = 0
        var blue: Int32 = 0
        var count: Int32 = 0
        var y = top
        while y < bottom {
          var pixel = image.base + y * image.stride + left * 3
          var x = left
          while x < right {
            red &+= Int32(pixel[0])
            green &+= Int32(pixel[1])
            blue &+= Int32(pixel[2])
            count &+= 1
            pixel += 3 * stepX
            x &+= stepX
          }
          y &+= stepY
        }
        let place = 3 * (row * CellGrid.columns + column)
        levels[place] = logarithms[Int(4 * red / count)]
        levels[place + 1] = logarithms[Int(4 * green / count)]
        levels[place + 2] = logarithms[Int(4 * blue / count)]
      }
    }
  }

  /// Takes over another grid's cells.
  mutating func copy(_ other: borrowing CellGrid) { levels = other.levels }

  /// How much two cells differ, in the channel that differs most.
  func step(_ cell: Int, _ other: Int) -> Int {
    var most = 0
    for channel in 0..<3 {
      let difference = Int(levels[3 * cell + channel]) - Int(levels[3 * other + channel])
      most = max(most, max(difference, -difference))
    }
    return most
  }

  /// How much the step between two cells has changed from the one in `before`, beyond a quarter of
  /// the larger of both: a step grows and shrinks with the exposure.
  func change(_ cell: Int, _ other: Int, from before: borrowing CellGrid) -> Int {
    var most = 0
    for channel in 0..<3 {
      let now = Int(levels[3 * cell + channel]) - Int(levels[3 * other + channel])
      let then = Int(before.levels[3 * cell + channel]) - Int(before.levels[3 * other + channel])
      let change = max(now - then, then - now)
      let allowed = max(max(now, -now), max(then, -then)) / 4
      most = max(most, change - allowed)
    }
    return most
  }
}
