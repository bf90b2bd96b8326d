import CKernels

extension FrameView {
  /// Part of a row as the vector functions take it. Precondition: `from` is even.
  func vectorRow(_ row: Int, from first: Int, count: Int) -> ckernels_frame_row {
    let coefficients = colour.coefficients
    let luma = start(of: row, plane: 0)
    var described = ckernels_frame_row(
      samples: luma, chroma: luma, other_chroma: luma, layout: CKERNELS_GREY,
      width: Int32(count), luma_offset: coefficients.lumaOffset, luma: coefficients.luma,
      red_from_v: coefficients.redFromV, green_from_u: coefficients.greenFromU,
      green_from_v: coefficients.greenFromV, blue_from_u: coefficients.blueFromU)
    switch format {
    case .yuyv, .uyvy:
      described.layout = format == .yuyv ? CKERNELS_YUYV : CKERNELS_UYVY
      described.samples = luma + 2 * first
    case .nv12, .nv21:
      described.layout = format == .nv12 ? CKERNELS_PAIRS_UV : CKERNELS_PAIRS_VU
      described.samples = luma + first
      described.chroma = start(of: row / 2, plane: 1) + first
    case .yu12, .yuv422p:
      let chromaRow = format == .yu12 ? row / 2 : row
      described.layout = CKERNELS_HALVED
      described.samples = luma + first
      described.chroma = start(of: chromaRow, plane: 1) + first / 2
      described.other_chroma = start(of: chromaRow, plane: 2) + first / 2
    case .yuv444p:
      described.layout = CKERNELS_FULL
      described.samples = luma + first
      described.chroma = start(of: row, plane: 1) + first
      described.other_chroma = start(of: row, plane: 2) + first
    case .grey:
      described.samples = luma + first
    case .rgb24, .bgr24:
      described.layout = format == .rgb24 ? CKERNELS_RGB : CKERNELS_BGR
      described.samples = luma + 3 * first
    }
    return described
  }
}

/// The rows of a frame, converted when asked for, the last two of them kept.
struct FrameRows: PixelRows {
  /// Columns of a kept row: a block of 320 output columns of pictures up to three times as wide
  /// as the network's input, wider ones in more blocks.
  static let columnCapacity = 1024
  /// Bytes of both kept rows; a row begins at an even column.
  static let byteCount = 2 * rowBytes
  private static let rowBytes = 3 * (columnCapacity + 2)

  private let frame: FrameView
  private let buffer: UnsafeMutablePointer<UInt8>
  private var lines: (Int, Int) = (-1, -1)
  private var columns = 0..<0

  /// - Parameter buffer: `byteCount` bytes that outlive this.
  init(_ frame: FrameView, buffer: UnsafeMutablePointer<UInt8>) {
    self.frame = frame
    self.buffer = buffer
  }

  var width: Int { frame.width }
  var height: Int { frame.height }
  var columnCapacity: Int { Self.columnCapacity }

  mutating func row(_ line: Int, _ columns: Range<Int>) -> UnsafePointer<UInt8> {
    if frame.format == .rgb24 { return frame.start(of: line, plane: 0) }
    precondition(columns.count <= Self.columnCapacity)
    let first = columns.lowerBound / 2 * 2
    if columns != self.columns {
      self.columns = columns
      lines = (-1, -1)
    }
    // Neighbouring lines never share a place, so that both a pixel lies between are there.
    let isOdd = line % 2 == 1
    let place = buffer + (isOdd ? Self.rowBytes : 0)
    if line != (isOdd ? lines.1 : lines.0) {
      if ckernels_frame_is_fast() {
        // Whole vectors, where the row has as much: a rest takes longer.
        let count = min((columns.upperBound - first + 63) / 64 * 64, Self.columnCapacity + 2)
        var samples = frame.vectorRow(
          line, from: first, count: min(count, frame.width - first))
        ckernels_frame_pixels(&samples, place)
      } else {
        frame.convertByReference(line, columns: first..<columns.upperBound, into: place)
      }
      if isOdd { lines.1 = line } else { lines.0 = line }
    }
    return UnsafePointer(place) - 3 * first
  }
}
