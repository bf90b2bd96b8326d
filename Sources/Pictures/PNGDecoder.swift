import CPNG
import CSystem

/// Decodes a PNG file, upright; what is transparent lets white paper shine through.
func decodePNG(_ bytes: Span<UInt8>, limits: PictureLimits) throws(PictureError) -> Picture {
  try bytes.withUnsafeBufferPointer { buffer throws(PictureError) in
    guard let base = buffer.baseAddress else { throw .isEmpty }
    let decoder = try PNGDecoder(base, count: buffer.count)
    return try decoder.decode(limits: limits)
  }
}

/// The library's reader, and the owner of its state.
private struct PNGDecoder: ~Copyable {
  private let reader: OpaquePointer

  init(_ bytes: UnsafePointer<UInt8>, count: Int) throws(PictureError) {
    guard let reader = cpng_reader_make(bytes, count) else { throw .outOfMemory(bytes: 1 << 20) }
    self.reader = reader
  }

  deinit {
    cpng_reader_free(reader)
  }

  borrowing func decode(limits: PictureLimits) throws(PictureError) -> Picture {
    var header = cpng_header()
    guard cpng_reader_read_header(reader, &header) else { throw failure() }
    let (width, height) = (Int(header.width), Int(header.height))
    try checkPixels(width: width, height: height, limits: limits)
    guard cpng_reader_start(reader) else { throw failure() }
    let factor = pngReduction(
      width: width, height: height, isPowerOfTwo: header.is_interlaced,
      limit: limits.decodedPixels)
    let reduction = Reduction(numerator: factor, denominator: 1)
    let picture = try Picture(
      width: reduction.reduced(width), height: reduction.reduced(height), reduction: reduction)
    let row = try Scratch<UInt8>(count: 4 * width)
    if header.is_interlaced {
      try readPasses(into: picture, row: row)
    } else if factor == 1 {
      for y in 0..<height {
        try readRow(row)
        for x in 0..<width { blend(row.base + 4 &* x, onto: picture.base + picture.offset(x, y)) }
      }
    } else {
      try readAveraging(into: picture, row: row, width: width, height: height, factor: factor)
    }
    var exif: UnsafePointer<UInt8>?
    var exifCount = 0
    guard cpng_reader_finish(reader, &exif, &exifCount) else { throw failure() }
    guard let exif else { return picture }
    let span = unsafe Span(_unsafeStart: exif, count: exifCount)
    return try picture.turned(from: Orientation(exif: span))
  }

  private borrowing func readRow(_ row: borrowing Scratch<UInt8>) throws(PictureError) {
    guard cpng_reader_read_row(reader, row.base) else { throw failure() }
  }

  /// Puts the pixels of the seven passes in their places; of a picture too large, only those whose
  /// column and row are multiples of the reduction. Every row is read, so that every fault is
  /// found.
  private borrowing func readPasses(
    into picture: borrowing Picture, row: borrowing Scratch<UInt8>
  ) throws(PictureError) {
    let factor = picture.reduction.numerator
    for pass in 0..<7 {
      let columns = Int(cpng_reader_pass_columns(reader, Int32(pass)))
      let rows = Int(cpng_reader_pass_rows(reader, Int32(pass)))
      if columns == 0 { continue }
      let place = adam7[pass]
      for index in 0..<rows {
        try readRow(row)
        let y = place.top + index * place.down
        if y % factor != 0 { continue }
        for column in 0..<columns {
          let x = place.left &+ column &* place.across
          if x % factor != 0 { continue }
          blend(
            row.base + 4 &* column, onto: picture.base + picture.offset(x / factor, y / factor))
        }
      }
    }
  }

  /// Averages squares of `factor` by `factor` pixels; those at the right and the bottom may be cut.
  private borrowing func readAveraging(
    into picture: borrowing Picture, row: borrowing Scratch<UInt8>, width: Int, height: Int,
    factor: Int
  ) throws(PictureError) {
    let sums = try Scratch<UInt32>(count: 3 * picture.width)
    for top in stride(from: 0, to: height, by: factor) {
      for index in 0..<3 * picture.width { sums.base[index] = 0 }
      let rows = min(factor, height - top)
      for _ in 0..<rows {
        try readRow(row)
        for x in 0..<width {
          let pixel = row.base + 4 &* x
          blend(pixel, onto: pixel)
          let sum = sums.base + 3 &* (x / factor)
          sum[0] &+= UInt32(pixel[0])
          sum[1] &+= UInt32(pixel[1])
          sum[2] &+= UInt32(pixel[2])
        }
      }
      for x in 0..<picture.width {
        let area = UInt32(rows * min(factor, width - x * factor))
        let destination = picture.base + picture.offset(x, top / factor)
        for channel in 0..<3 {
          destination[channel] = UInt8(
            truncatingIfNeeded: (sums.base[3 * x + channel] + area / 2) / area)
        }
      }
    }
  }

  private borrowing func failure() -> PictureError {
    if cpng_reader_is_truncated(reader) { return .isTruncated }
    return .isDamaged(DecoderText(cpng_reader_error(reader)))
  }
}

/// Where each pass of Adam7 puts its first pixel, and how far apart the others are.
private let adam7: InlineArray<7, (left: Int, top: Int, across: Int, down: Int)> = [
  (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
]

/// The least whole reduction that leaves at most `limit` pixels.
private func pngReduction(width: Int, height: Int, isPowerOfTwo: Bool, limit: Int) -> Int {
  var factor = 1
  while true {
    let reduction = Reduction(numerator: factor, denominator: 1)
    if reduction.reduced(width) * reduction.reduced(height) <= limit { return factor }
    factor = isPowerOfTwo ? 2 * factor : factor + 1
  }
}

/// Lays a pixel of red, green, blue, opacity on white.
private func blend(_ source: UnsafePointer<UInt8>, onto destination: UnsafeMutablePointer<UInt8>) {
  let opacity = Int32(source[3])
  if opacity == 255 {
    destination[0] = source[0]
    destination[1] = source[1]
    destination[2] = source[2]
    return
  }
  let white = 255 &* (255 &- opacity) &+ 127
  destination[0] = UInt8(truncatingIfNeeded: (Int32(source[0]) &* opacity &+ white) / 255)
  destination[1] = UInt8(truncatingIfNeeded: (Int32(source[1]) &* opacity &+ white) / 255)
  destination[2] = UInt8(truncatingIfNeeded: (Int32(source[2]) &* opacity &+ white) / 255)
}

/// Memory for the time of one decoding.
private struct Scratch<Element: BitwiseCopyable>: ~Copyable {
  let base: UnsafeMutablePointer<Element>

  init(count: Int) throws(PictureError) {
    let size = count * MemoryLayout<Element>.stride
    guard let memory = malloc(size) else { throw .outOfMemory(bytes: size) }
    base = memory.bindMemory(to: Element.self, capacity: count)
  }

  deinit {
    free(base)
  }
}
