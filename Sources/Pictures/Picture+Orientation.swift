extension Picture {
  /// The picture turned upright.
  ///
  /// - Parameter orientation: how the picture is stored.
  /// - Throws: `PictureError.outOfMemory` where width and height change places.
  package consuming func turned(from orientation: Orientation) throws(PictureError) -> Picture {
    switch orientation {
    case .upright: break
    case .mirrored: mirror()
    case .flipped: flip()
    case .half:
      mirror()
      flip()
    case .transposed, .clockwise, .transversed, .anticlockwise:
      return try withAxesExchanged(
        fromRight: orientation == .anticlockwise || orientation == .transversed,
        fromBottom: orientation == .clockwise || orientation == .transversed)
    }
    return self
  }

  private borrowing func mirror() {
    for y in 0..<height {
      var left = offset(0, y)
      var right = offset(width - 1, y)
      while left < right {
        exchangePixels(left, right)
        left += 3
        right -= 3
      }
    }
  }

  private borrowing func flip() {
    for y in 0..<height / 2 {
      for x in 0..<width { exchangePixels(offset(x, y), offset(x, height - 1 - y)) }
    }
  }

  private borrowing func exchangePixels(_ one: Int, _ other: Int) {
    for channel in 0..<3 {
      let kept = base[one + channel]
      base[one + channel] = base[other + channel]
      base[other + channel] = kept
    }
  }

  /// A copy whose rows are this picture's columns, in square blocks that stay in the cache.
  ///
  /// - Parameters:
  ///   - fromRight: whether the first row is the last column.
  ///   - fromBottom: whether each row begins with its column's last pixel.
  private borrowing func withAxesExchanged(
    fromRight: Bool, fromBottom: Bool
  ) throws(PictureError) -> Picture {
    let result = try Picture(width: height, height: width, reduction: reduction)
    let block = 32
    for top in stride(from: 0, to: result.height, by: block) {
      for left in stride(from: 0, to: result.width, by: block) {
        for y in top..<min(top + block, result.height) {
          let sourceX = fromRight ? width - 1 - y : y
          for x in left..<min(left + block, result.width) {
            let source = base + offset(sourceX, fromBottom ? height - 1 - x : x)
            let destination = result.base + result.offset(x, y)
            destination[0] = source[0]
            destination[1] = source[1]
            destination[2] = source[2]
          }
        }
      }
    }
    return result
  }
}
