extension Decoded {
  /// What stands where, by the words of the Exif standard: the place of the stored row 0 and
  /// column 0 in the upright picture.
  func turned(from orientation: Int) -> Decoded {
    var result = self
    if orientation >= 5 { (result.width, result.height) = (height, width) }
    for y in 0..<height {
      for x in 0..<width {
        let right = width - 1 - x
        let bottom = height - 1 - y
        let place =
          switch orientation {
          case 2: (right, y)  // row 0 top, column 0 right
          case 3: (right, bottom)  // bottom, right
          case 4: (x, bottom)  // bottom, left
          case 5: (y, x)  // left, top
          case 6: (bottom, x)  // right, top
          case 7: (bottom, right)  // right, bottom
          case 8: (y, right)  // left, bottom
          default: (x, y)
          }
        result.pixels[place.1 * result.width + place.0] = self[x, y]
      }
    }
    return result
  }
}
