import Frames
import Testing

@testable import Loop

@Suite struct VideoFormatTests {
  /// Reads a header; the error instead, where there is one.
  private func read(_ header: String) -> Result<VideoFormat, VideoError> {
    let bytes = Array(header.utf8)
    do throws(VideoError) {
      return .success(try VideoFormat(header: bytes.span))
    } catch {
      return .failure(error)
    }
  }

  @Test func anOrdinaryHeaderIsRead() throws {
    let format = try read("YUV4MPEG2 W640 H480 F30000:1001 Ip A1:1 C420jpeg XYSCSS=420JPEG").get()
    #expect(format.width == 640 && format.height == 480)
    #expect(format.rateNumerator == 30_000 && format.rateDenominator == 1001)
    #expect(format.pixelFormat == .yu12 && format.colour == Colorimetry())
    #expect(format.frameBytes == 460_800)
  }

  @Test(arguments: [
    ("C420", PixelFormat.yu12, 15 + 2 * 6), ("C420mpeg2", .yu12, 15 + 2 * 6),
    ("C420paldv", .yu12, 15 + 2 * 6), ("C422", .yuv422p, 15 + 2 * 9),
    ("C444", .yuv444p, 15 + 2 * 15), ("Cmono", .grey, 15),
  ])
  func samplingsHaveTheirSizesForOddPictures(
    _ word: String, _ expected: PixelFormat, _ bytes: Int
  ) throws {
    let format = try read("YUV4MPEG2 W5 H3 \(word)").get()
    #expect(format.pixelFormat == expected && format.frameBytes == bytes)
  }

  @Test func fullRangeAndUnknownParametersAreUnderstood() throws {
    let format = try read("YUV4MPEG2 W2 H2 F25:1 I? A0:0 XCOLORRANGE=FULL XODD Znone").get()
    #expect(format.colour.range == .full)
  }

  @Test func aRateOfZeroMeansThatItIsNotKnown() throws {
    #expect(try read("YUV4MPEG2 W2 H2 F0:0").get().rateNumerator == 0)
  }

  @Test(arguments: [
    ("", VideoError.notVideo), ("YUV4MPEG", .notVideo), ("YUV4MPEG2X W2 H2", .notVideo),
    ("YUV4MPEG2", .sizeUnusable), ("YUV4MPEG2 W2", .sizeUnusable),
    ("YUV4MPEG2 W0 H2", .sizeUnusable), ("YUV4MPEG2 W-2 H2", .sizeUnusable),
    ("YUV4MPEG2 W2x H2", .sizeUnusable), ("YUV4MPEG2 W16385 H2", .sizeUnusable),
    ("YUV4MPEG2 W16384 H16384", .sizeUnusable),
    ("YUV4MPEG2 W99999999999999999999 H2", .sizeUnusable),
    ("YUV4MPEG2 W2 H2 F30", .rateUnusable), ("YUV4MPEG2 W2 H2 F30:0", .rateUnusable),
    ("YUV4MPEG2 W2 H2 F0:1", .rateUnusable), ("YUV4MPEG2 W2 H2 F30:1x", .rateUnusable),
    ("YUV4MPEG2 W2 H2 It", .isInterlaced), ("YUV4MPEG2 W2 H2 Im", .isInterlaced),
    ("YUV4MPEG2 W2 H2 C420p10", .samplingUnknown), ("YUV4MPEG2 W2 H2 C444alpha", .samplingUnknown),
    ("YUV4MPEG2 W2 H2 C411", .samplingUnknown),
  ])
  func aHeaderThatMakesNoSenseIsRefused(_ header: String, _ error: VideoError) {
    #expect(read(header) == .failure(error))
  }
}
