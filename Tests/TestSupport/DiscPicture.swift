/// A disc of a test picture, brightest in the middle.
package struct Disc {
  package var x: Double
  package var y: Double
  package var radius: Double
  /// Red, green and blue in the middle, 0 to 1.
  package var colour: (Double, Double, Double)

  /// A disc; 32 is the radius that `DiscModel` knows in a picture 640 pixels wide.
  package init(x: Double, y: Double, radius: Double = 32, colour: (Double, Double, Double)) {
    self.x = x
    self.y = y
    self.radius = radius
    self.colour = colour
  }

  /// To `DiscModel`, Rp100.
  package static let red = (1.0, 0.35, 0.35)
  /// To `DiscModel`, Rp500.
  package static let green = (0.35, 1.0, 0.35)
  /// To `DiscModel`, nothing like a coin.
  package static let blue = (0.3, 0.5, 1.0)
  /// To `DiscModel`, a coin that is not rupiah.
  package static let grey = (0.6, 0.6, 0.6)
}

/// Pictures of discs on a dark ground.
package enum DiscPicture {
  /// The samples of a picture, red, green, blue, row after row.
  package static func samples(_ discs: [Disc], width: Int, height: Int) -> [UInt8] {
    var samples = [UInt8](repeating: 20, count: 3 * width * height)
    for disc in discs {
      let reach = Int(disc.radius) + 1
      for y in max(0, Int(disc.y) - reach)..<min(height, Int(disc.y) + reach + 1) {
        for x in max(0, Int(disc.x) - reach)..<min(width, Int(disc.x) + reach + 1) {
          let right = Double(x) + 0.5 - disc.x
          let down = Double(y) + 0.5 - disc.y
          let height = 1 - (right * right + down * down).squareRoot() / disc.radius
          if height <= 0 { continue }
          let place = 3 * (y * width + x)
          samples[place] = UInt8(20 + 235 * height * disc.colour.0)
          samples[place + 1] = UInt8(20 + 235 * height * disc.colour.1)
          samples[place + 2] = UInt8(20 + 235 * height * disc.colour.2)
        }
      }
    }
    return samples
  }

  /// The same as a PNG file.
  package static func png(_ discs: [Disc], width: Int = 640, height: Int = 480) -> [UInt8] {
    let samples = samples(discs, width: width, height: height)
    return PNGBytes(width: width, height: height).file { x, y, channel in
      Int(samples[3 * (y * width + x) + channel])
    }
  }

  /// The same as a JPEG file.
  package static func jpeg(
    _ discs: [Disc], width: Int = 640, height: Int = 480
  ) throws -> [UInt8] {
    let samples = samples(discs, width: width, height: height)
    return try JPEGBytes.file(width: width, height: height) { x, y, channel in
      samples[3 * (y * width + x) + channel]
    }
  }
}
