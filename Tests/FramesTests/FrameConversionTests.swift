import Frames
import TestSupport
import Testing

@Suite struct FrameConversionTests {
  @Test(arguments: TestFrame.formats)
  func everyFormatEqualsItsDefinitionAtAnySizeAndPitch(_ format: PixelFormat) {
    for (width, height) in [(1, 1), (2, 2), (3, 3), (16, 4), (17, 5), (64, 2), (33, 7)] {
      for gap in [0, 1, 64] {
        let frame = TestFrame(format, width: width, height: height, gap: gap)
        #expect(frame.converted(gap: gap) == frame.expected(gap: gap))
      }
    }
  }

  @Test(arguments: [Colorimetry.Matrix.bt601, .bt709], [Colorimetry.Range.limited, .full])
  func everyColorimetryEqualsItsFormulas(
    _ matrix: Colorimetry.Matrix, _ range: Colorimetry.Range
  ) {
    let colour = Colorimetry(matrix: matrix, range: range)
    for format in TestFrame.formats {
      let frame = TestFrame(format, width: 35, height: 9, colour: colour, seed: 7)
      #expect(frame.converted() == frame.expected())
    }
  }

  /// The pixel that one sample of each kind becomes.
  private func pixel(_ luma: UInt8, _ u: UInt8, _ v: UInt8, _ colour: Colorimetry) -> [UInt8] {
    var pixels: [UInt8] = [0, 0, 0]
    [luma, u, v].withUnsafeBufferPointer { from in
      pixels.withUnsafeMutableBufferPointer { to in
        guard let source = from.baseAddress, let destination = to.baseAddress else { return }
        FrameView(
          format: .yuv444p, width: 1, height: 1, colour: colour, base: source, bytesPerLine: 1
        ).convert(into: destination, stride: 3)
      }
    }
    return pixels
  }

  @Test func blackWhiteAndThePrimariesComeOutRightInLimitedRange() {
    let colour = Colorimetry()
    #expect(pixel(16, 128, 128, colour) == [0, 0, 0])
    #expect(pixel(235, 128, 128, colour) == [255, 255, 255])
    #expect(pixel(81, 90, 240, colour) == [255, 0, 0])
    #expect(pixel(145, 54, 34, colour) == [0, 255, 1])
    #expect(pixel(41, 240, 110, colour) == [0, 0, 255])
  }

  @Test func fullRangeGreyIsKept() {
    for matrix in [Colorimetry.Matrix.bt601, .bt709] {
      let colour = Colorimetry(matrix: matrix, range: .full)
      for level: UInt8 in [0, 1, 127, 254, 255] {
        #expect(pixel(level, 128, 128, colour) == [level, level, level])
      }
    }
    #expect(pixel(76, 85, 255, Colorimetry(range: .full)) == [254, 0, 0])
  }

  @Test func highDefinitionHasItsOwnWeights() {
    // Pure red of BT.709 in limited range is Y 63, U 102, V 240.
    #expect(pixel(63, 102, 240, Colorimetry(matrix: .bt709)) == [255, 1, 0])
  }

  @Test func samplesOutOfRangeAreHeldWithinAByte() {
    #expect(pixel(255, 255, 255, Colorimetry()) == [255, 125, 255])
    #expect(pixel(0, 0, 0, Colorimetry()) == [0, 135, 0])
  }

  @Test(arguments: [
    (PixelFormat.yuyv, 24, 24 * 2 + 16), (.grey, 8, 8 * 2 + 7), (.rgb24, 24, 24 * 2 + 21),
    (.nv12, 10, 10 * 3 + 10 * 1 + 8), (.yu12, 10, 10 * 3 + 5 * 2 + 5 * 1 + 4),
    (.yuv422p, 10, 10 * 3 + 5 * 3 + 5 * 2 + 4), (.yuv444p, 7, 7 * 3 + 7 * 3 + 7 * 2 + 7),
  ])
  func aFrameEndsWithTheLastSampleOfItsLastRow(
    _ format: PixelFormat, _ bytesPerLine: Int, _ bytes: Int
  ) {
    #expect(
      FrameView.bytes(format: format, width: 7, height: 3, bytesPerLine: bytesPerLine) == bytes)
  }

  @Test(arguments: TestFrame.formats)
  func planesOneAfterTheOtherEndWhereTheirBytesEnd(_ format: PixelFormat) {
    let width = 10
    let height = 6
    let pitch = format.rowBytes(plane: 0, width: width) + 6
    let count = FrameView.bytes(
      format: format, width: width, height: height, bytesPerLine: pitch)
    [UInt8](repeating: 1, count: count).withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let view = FrameView(
        format: format, width: width, height: height, colour: Colorimetry(), base: base,
        bytesPerLine: pitch)
      let last = format.planeCount - 1
      let plane = view.planes[last]
      let end =
        plane.base + plane.bytesPerLine * (format.rows(plane: last, height: height) - 1)
        + format.rowBytes(plane: last, width: width)
      #expect(end - base == count)
    }
  }
}
