import Frames
import TestSupport

/// A frame of random samples in planes with gaps, and its pixels straight from the definitions.
final class TestFrame {
  static let formats: [PixelFormat] = [
    .yuyv, .uyvy, .nv12, .nv21, .yu12, .yuv422p, .yuv444p, .grey, .rgb24, .bgr24,
  ]

  let format: PixelFormat
  let width: Int
  let height: Int
  let colour: Colorimetry
  private var bytes: [[UInt8]] = []
  private var pitches: [Int] = []

  /// - Parameter gap: bytes between the rows of the first plane; the others have one of their own.
  init(
    _ format: PixelFormat, width: Int, height: Int, colour: Colorimetry = Colorimetry(),
    gap: Int = 0, seed: UInt64 = 1
  ) {
    var dice = Dice(state: seed)
    self.format = format
    self.width = width
    self.height = height
    self.colour = colour
    for plane in 0..<format.planeCount {
      let pitch = format.rowBytes(plane: plane, width: width) + gap * (plane + 1)
      pitches.append(pitch)
      let count = pitch * format.rows(plane: plane, height: height)
      bytes.append((0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) })
    }
  }

  /// The pixels the frame is converted to; bytes between rows are 77.
  func converted(gap: Int = 0) -> [UInt8] {
    var pixels = [UInt8](repeating: 77, count: (3 * width + gap) * height)
    withView { view in
      pixels.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress { view.convert(into: base, stride: 3 * width + gap) }
      }
    }
    return pixels
  }

  /// The pixels by the definitions of the formats, one at a time.
  func expected(gap: Int = 0) -> [UInt8] {
    var pixels = [UInt8](repeating: 77, count: (3 * width + gap) * height)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = pixel(x, y)
        for channel in 0..<3 { pixels[y * (3 * width + gap) + 3 * x + channel] = pixel[channel] }
      }
    }
    return pixels
  }

  private func sample(_ plane: Int, _ row: Int, _ offset: Int) -> Int {
    Int(bytes[plane][row * pitches[plane] + offset])
  }

  private func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    switch format {
    case .rgb24: [0, 1, 2].map { UInt8(sample(0, y, 3 * x + $0)) }
    case .bgr24: [2, 1, 0].map { UInt8(sample(0, y, 3 * x + $0)) }
    case .grey: colour(sample(0, y, x), 128, 128)
    case .yuyv:
      colour(sample(0, y, 2 * x), sample(0, y, x / 2 * 4 + 1), sample(0, y, x / 2 * 4 + 3))
    case .uyvy:
      colour(sample(0, y, 2 * x + 1), sample(0, y, x / 2 * 4), sample(0, y, x / 2 * 4 + 2))
    case .nv12:
      colour(sample(0, y, x), sample(1, y / 2, x / 2 * 2), sample(1, y / 2, x / 2 * 2 + 1))
    case .nv21:
      colour(sample(0, y, x), sample(1, y / 2, x / 2 * 2 + 1), sample(1, y / 2, x / 2 * 2))
    case .yu12: colour(sample(0, y, x), sample(1, y / 2, x / 2), sample(2, y / 2, x / 2))
    case .yuv422p: colour(sample(0, y, x), sample(1, y, x / 2), sample(2, y, x / 2))
    case .yuv444p: colour(sample(0, y, x), sample(1, y, x), sample(2, y, x))
    }
  }

  private func colour(_ luma: Int, _ u: Int, _ v: Int) -> [UInt8] {
    let k = colour.coefficients
    let y = Int(k.luma) * (luma - Int(k.lumaOffset))
    return [
      y + Int(k.redFromV) * (v - 128),
      y + Int(k.greenFromU) * (u - 128) + Int(k.greenFromV) * (v - 128),
      y + Int(k.blueFromU) * (u - 128),
    ].map { UInt8(min(max((Double($0 + 128) / 256).rounded(.down), 0), 255)) }
  }

  /// Lends the frame.
  func withView(_ body: (FrameView) -> Void) {
    // All planes in one block, apart, so that a wrong plane shows.
    let block = bytes.reduce([]) { $0 + $1 + [UInt8](repeating: 0, count: 5) }
    block.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      var start = base
      var planes = InlineArray<3, FrameView.Plane>(
        repeating: FrameView.Plane(base: base, bytesPerLine: 0))
      for plane in 0..<format.planeCount {
        planes[plane] = FrameView.Plane(base: start, bytesPerLine: pitches[plane])
        start += bytes[plane].count + 5
      }
      body(
        FrameView(format: format, width: width, height: height, colour: colour, planes: planes))
    }
  }
}
