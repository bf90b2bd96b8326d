extension VideoFormat {
  /// Converts one frame's samples to red, green, blue by ITU-R BT.601, in integers.
  /// - Parameters:
  ///   - samples: `frameBytes` bytes, plane after plane.
  ///   - pixels: room for `3 * width * height` bytes.
  func convert(_ samples: UnsafePointer<UInt8>, to pixels: UnsafeMutablePointer<UInt8>) {
    let blueness = samples + width * height
    let redness = blueness + chromaWidth * chromaHeight
    var pixel = pixels
    for y in 0..<height {
      let luma = samples + y * width
      let row = (sampling == .halved ? y / 2 : y) * chromaWidth
      for x in 0..<width {
        var u: Int32 = 0
        var v: Int32 = 0
        if sampling != .mono {
          let column = sampling == .full ? x : x / 2
          u = Int32(blueness[row + column]) - 128
          v = Int32(redness[row + column]) - 128
        }
        convert(Int32(luma[x]), u, v, to: pixel)
        pixel += 3
      }
    }
  }

  /// Converts one pixel; factors are in 1/256.
  @inline(__always)
  private func convert(
    _ luma: Int32, _ u: Int32, _ v: Int32, to pixel: UnsafeMutablePointer<UInt8>
  ) {
    if isFullRange {
      let base = 256 * luma + 128
      pixel[0] = byte(base + 359 * v)
      pixel[1] = byte(base - 88 * u - 183 * v)
      pixel[2] = byte(base + 454 * u)
    } else {
      let base = 298 * (luma - 16) + 128
      pixel[0] = byte(base + 409 * v)
      pixel[1] = byte(base - 100 * u - 208 * v)
      pixel[2] = byte(base + 516 * u)
    }
  }

  @inline(__always)
  private func byte(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value >> 8, 0), 255))
  }
}
