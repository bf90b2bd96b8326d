/// A colour of 8-bit red, green and blue.
public struct Colour: Equatable, Sendable {
  /// 0 to 255.
  public let red: UInt8
  /// 0 to 255.
  public let green: UInt8
  /// 0 to 255.
  public let blue: UInt8

  /// Makes a colour of its parts.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}

/// Drawing with a round pen, smooth at its edge, in whole numbers: places and lengths are
/// sixteenths of a pixel, and the top left corner of the picture is the origin. What falls outside
/// the picture is not drawn.
extension Picture {
  /// The greatest place or length that can be drawn, 1,048,576 pixels.
  public static let drawingLimit = 1 << 24

  /// Draws the outline of a circle.
  ///
  /// - Parameters:
  ///   - x: centre, from `-drawingLimit` to `drawingLimit`.
  ///   - y: centre, growing downwards, likewise.
  ///   - radius: 0 to `drawingLimit`.
  ///   - pen: half the width of the line, 8 to `drawingLimit`.
  public mutating func drawCircle(x: Int, y: Int, radius: Int, pen: Int, colour: Colour) {
    let outer = radius + pen
    let inner = max(0, radius - pen)
    let hole = max(0, inner - 16)
    for row in rows(from: y - outer, to: y + outer) {
      let down = 16 * row + 8 - y
      var column = columns(from: x - outer, to: x + outer).lowerBound
      let end = columns(from: x - outer, to: x + outer).upperBound
      while column < end {
        let across = 16 * column + 8 - x
        let square = across * across + down * down
        if square < hole * hole && across < 0 {
          // Straight to the other side of the hole.
          column = max(column + 1, (x - across) / 16)
          continue
        }
        let fromOutside = coverage(square: square, radius: outer)
        let fromInside = radius > pen ? coverage(square: square, radius: inner) : 0
        blend(column, row, colour, sixteenths: fromOutside - fromInside)
        column += 1
      }
    }
  }

  /// Draws a straight line with round ends.
  ///
  /// - Parameters:
  ///   - start: one end, within 32,768 (2,048 pixels) of the other.
  ///   - end: the other end.
  ///   - pen: half the width of the line, 8 to 32,768.
  public mutating func drawLine(
    from start: (x: Int, y: Int), to end: (x: Int, y: Int), pen: Int, colour: Colour
  ) {
    let across = end.x - start.x
    let down = end.y - start.y
    let length = across * across + down * down
    for row in rows(from: min(start.y, end.y) - pen, to: max(start.y, end.y) + pen) {
      let y = 16 * row + 8 - start.y
      for column in columns(from: min(start.x, end.x) - pen, to: max(start.x, end.x) + pen) {
        let x = 16 * column + 8 - start.x
        let along = x * across + y * down
        let square: Int
        if along <= 0 {
          square = x * x + y * y
        } else if along >= length {
          square = (x - across) * (x - across) + (y - down) * (y - down)
        } else {
          let beside = x * down - y * across
          square = beside * beside / length
        }
        blend(column, row, colour, sixteenths: coverage(square: square, radius: pen))
      }
    }
  }

  /// The rows whose pixels may lie between two heights.
  private func rows(from top: Int, to bottom: Int) -> Range<Int> {
    let first = min(max(0, (top >> 4) - 1), height)
    return first..<max(first, min(height, (bottom >> 4) + 2))
  }

  /// The columns whose pixels may lie between two places.
  private func columns(from left: Int, to right: Int) -> Range<Int> {
    let first = min(max(0, (left >> 4) - 1), width)
    return first..<max(first, min(width, (right >> 4) + 2))
  }

  /// How much of a pixel lies within `radius`, 0 to 16, from its centre's distance squared.
  private func coverage(square: Int, radius: Int) -> Int {
    if radius == 0 { return 0 }
    return min(16, max(0, (radius * radius - square) / (2 * radius) + 8))
  }

  private mutating func blend(_ x: Int, _ y: Int, _ colour: Colour, sixteenths share: Int) {
    if share <= 0 { return }
    let pixel = base + offset(x, y)
    pixel[0] = mix(pixel[0], colour.red, share)
    pixel[1] = mix(pixel[1], colour.green, share)
    pixel[2] = mix(pixel[2], colour.blue, share)
  }
}

private func mix(_ under: UInt8, _ over: UInt8, _ share: Int) -> UInt8 {
  UInt8(truncatingIfNeeded: (Int(under) * (16 - share) + Int(over) * share + 8) / 16)
}
