import Pictures

/// A decoded picture copied out for comparison.
struct Decoded: Equatable {
  var width: Int
  var height: Int
  var reduction = Reduction(numerator: 1, denominator: 1)
  var pixels: [[UInt8]]

  init(_ file: [UInt8], limits: PictureLimits = PictureLimits()) throws {
    self.init(try Picture(decoding: file.span, limits: limits))
  }

  init(_ picture: borrowing Picture) {
    width = picture.width
    height = picture.height
    reduction = picture.reduction
    pixels = picture.withView { view in
      (0..<view.width * view.height).map { index in
        let offset = index / view.width * view.stride + 3 * (index % view.width)
        return (0..<3).map { view.base[offset + $0] }
      }
    }
  }

  subscript(x: Int, y: Int) -> [UInt8] { pixels[y * width + x] }

  /// The greatest difference of a sample from what `expected` says; 255 where sizes differ.
  func distance(
    width: Int, height: Int, _ expected: (_ x: Int, _ y: Int, _ channel: Int) -> Int
  ) -> Int {
    guard width == self.width && height == self.height else { return 255 }
    var worst = 0
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          worst = max(worst, abs(Int(self[x, y][channel]) - expected(x, y, channel)))
        }
      }
    }
    return worst
  }
}

/// What decoding `file` throws, or `nil` when it gives a picture.
func failure(of file: [UInt8], limits: PictureLimits = PictureLimits()) -> PictureError? {
  do {
    _ = try Decoded(file, limits: limits)
    return nil
  } catch {
    return error as? PictureError
  }
}

extension PictureError {
  /// The name of the case.
  var name: String {
    let text = "\(self)"
    return String(text.prefix { $0 != "(" })
  }
}
