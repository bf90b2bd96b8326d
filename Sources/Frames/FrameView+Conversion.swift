import CKernels

extension FrameView {
  /// Converts the frame to red, green, blue.
  ///
  /// Samples of luma and chroma become colours by `ColourCoefficients`. Chroma is taken as it is
  /// by all pixels that share it, without interpolation; `grey` has U and V of 128. Every machine
  /// gives the same bits.
  ///
  /// - Parameters:
  ///   - pixels: room for `height` rows.
  ///   - stride: distance in bytes from a row of `pixels` to the next, at least `3 * width`; what
  ///     lies between rows is left alone.
  public func convert(into pixels: UnsafeMutablePointer<UInt8>, stride: Int) {
    precondition(stride >= 3 * width)
    guard ckernels_frame_is_fast() else {
      return convertByReference(into: pixels, stride: stride)
    }
    for row in 0..<height {
      var samples = vectorRow(row, from: 0, count: width)
      ckernels_frame_pixels(&samples, pixels + row * stride)
    }
  }

  /// `convert`, plainly: what every faster way must equal.
  package func convertByReference(into pixels: UnsafeMutablePointer<UInt8>, stride: Int) {
    for row in 0..<height {
      convertByReference(row, columns: 0..<width, into: pixels + row * stride)
    }
  }

  /// Some columns of one row of that, from an even one on.
  func convertByReference(
    _ row: Int, columns: Range<Int>, into pixels: UnsafeMutablePointer<UInt8>
  ) {
    let first = columns.lowerBound
    let base = start(of: row, plane: 0)
    switch format {
    case .rgb24: pixels.update(from: base + 3 * first, count: 3 * columns.count)
    case .bgr24: swapColours(base + 3 * first, count: columns.count, into: pixels)
    case .grey: convertGrey(base + first, colour.coefficients, count: columns.count, into: pixels)
    default: convert(samples(of: row), colour.coefficients, columns: columns, into: pixels)
    }
  }

  func start(of row: Int, plane: Int) -> UnsafePointer<UInt8> {
    planes[plane].base + row * planes[plane].bytesPerLine
  }

  private func swapColours(
    _ source: UnsafePointer<UInt8>, count: Int, into pixels: UnsafeMutablePointer<UInt8>
  ) {
    for offset in Swift.stride(from: 0, to: 3 * count, by: 3) {
      pixels[offset] = source[offset + 2]
      pixels[offset + 1] = source[offset + 1]
      pixels[offset + 2] = source[offset]
    }
  }

  private func convertGrey(
    _ luma: UnsafePointer<UInt8>, _ coefficients: ColourCoefficients, count: Int,
    into pixels: UnsafeMutablePointer<UInt8>
  ) {
    for column in 0..<count {
      let base = coefficients.luma &* (Int32(luma[column]) &- coefficients.lumaOffset) &+ 128
      let level = byte(base)
      pixels[3 * column] = level
      pixels[3 * column + 1] = level
      pixels[3 * column + 2] = level
    }
  }

  /// Converts a row of luma and chroma, each chroma pair once.
  private func convert(
    _ samples: RowSamples, _ coefficients: ColourCoefficients, columns: Range<Int>,
    into pixels: UnsafeMutablePointer<UInt8>
  ) {
    let shared = columns.lowerBound / samples.sharing * samples.chromaStep
    var luma = samples.luma + columns.lowerBound * samples.lumaStep
    var u = samples.u + shared
    var v = samples.v + shared
    var pixel = pixels
    var left = columns.count
    while left > 0 {
      let blueness = Int32(u[0]) &- 128
      let redness = Int32(v[0]) &- 128
      let red = coefficients.redFromV &* redness &+ 128
      let green =
        coefficients.greenFromU &* blueness &+ coefficients.greenFromV &* redness &+ 128
      let blue = coefficients.blueFromU &* blueness &+ 128
      for _ in 0..<min(left, samples.sharing) {
        let base = coefficients.luma &* (Int32(luma[0]) &- coefficients.lumaOffset)
        pixel[0] = byte(base &+ red)
        pixel[1] = byte(base &+ green)
        pixel[2] = byte(base &+ blue)
        luma += samples.lumaStep
        pixel += 3
      }
      u += samples.chromaStep
      v += samples.chromaStep
      left -= samples.sharing
    }
  }

  /// Where the samples of a row of luma and chroma are.
  private func samples(of row: Int) -> RowSamples {
    switch format {
    case .yuyv:
      let start = start(of: row, plane: 0)
      return RowSamples(
        luma: start, lumaStep: 2, u: start + 1, v: start + 3, chromaStep: 4, sharing: 2)
    case .uyvy:
      let start = start(of: row, plane: 0)
      return RowSamples(
        luma: start + 1, lumaStep: 2, u: start, v: start + 2, chromaStep: 4, sharing: 2)
    case .nv12, .nv21:
      let pairs = start(of: row / 2, plane: 1)
      let isSwapped = format == .nv21
      return RowSamples(
        luma: start(of: row, plane: 0), lumaStep: 1, u: pairs + (isSwapped ? 1 : 0),
        v: pairs + (isSwapped ? 0 : 1), chromaStep: 2, sharing: 2)
    case .yu12, .yuv422p, .yuv444p:
      let chromaRow = format == .yu12 ? row / 2 : row
      return RowSamples(
        luma: start(of: row, plane: 0), lumaStep: 1, u: start(of: chromaRow, plane: 1),
        v: start(of: chromaRow, plane: 2), chromaStep: 1, sharing: format == .yuv444p ? 1 : 2)
    case .grey, .rgb24, .bgr24: preconditionFailure("a format without chroma")
    }
  }

  @inline(__always)
  private func byte(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(value >> 8, 0), 255))
  }
}

/// Where the samples of one row of pixels are.
private struct RowSamples {
  let luma: UnsafePointer<UInt8>
  /// Bytes from a pixel's luma to the next one's.
  let lumaStep: Int
  let u: UnsafePointer<UInt8>
  let v: UnsafePointer<UInt8>
  /// Bytes from a chroma sample to the next of its kind.
  let chromaStep: Int
  /// Pixels of the row that share a chroma sample.
  let sharing: Int
}
