import Frames

/// A picture reduced to 40 by 30 cells of mean brightness.
public struct TrayCells: BitwiseCopyable, Sendable {
  /// Cells of a picture.
  public static let count = 1200
  private static let columns = 40
  private static let rows = 30

  /// Mean brightness of each cell in sixteenths of a level of 255, row after row.
  public var values = InlineArray<1200, UInt16>(repeating: 0)

  /// Black.
  public init() {}

  /// Measures a picture: about 64 samples a cell, whatever the picture's size.
  public init(_ image: ImageView) {
    let stepX = max(1, image.width / (TrayCells.columns * 8))
    let stepY = max(1, image.height / (TrayCells.rows * 8))
    for row in 0..<TrayCells.rows {
      let top = min(image.height - 1, image.height * row / TrayCells.rows)
      let bottom = max(top + 1, image.height * (row + 1) / TrayCells.rows)
      for column in 0..<TrayCells.columns {
        let left = min(image.width - 1, image.width * column / TrayCells.columns)
        let right = max(left + 1, image.width * (column + 1) / TrayCells.columns)
        var sum = 0
        var count = 0
        for y in stride(from: top, to: bottom, by: stepY) {
          var pixel = image.base + y * image.stride + left * 3
          for _ in stride(from: left, to: right, by: stepX) {
            sum += Int(pixel[0]) + 2 * Int(pixel[1]) + Int(pixel[2])
            count += 1
            pixel += 3 * stepX
          }
        }
        values[row * TrayCells.columns + column] = UInt16(sum * 4 / max(count, 1))
      }
    }
  }

  /// Mean brightness of all, 0 to 255.
  public var light: Float {
    var sum = 0
    for cell in 0..<TrayCells.count { sum += Int(values[cell]) }
    return Float(sum) / Float(16 * TrayCells.count)
  }
}
