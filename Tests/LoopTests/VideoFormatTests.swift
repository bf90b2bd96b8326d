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
    #expect(format.sampling == .halved && !format.isFullRange)
    #expect(format.frameBytes == 460_800)
  }

  @Test(arguments: [
    ("C420", VideoFormat.Sampling.halved, 15 + 2 * 6), ("C420mpeg2", .halved, 15 + 2 * 6),
    ("C420paldv", .halved, 15 + 2 * 6), ("C422", .halvedAcross, 15 + 2 * 9),
    ("C444", .full, 15 + 2 * 15), ("Cmono", .mono, 15),
  ])
  func samplingsHaveTheirSizesForOddPictures(
    _ word: String, _ sampling: VideoFormat.Sampling, _ bytes: Int
  ) throws {
    let format = try read("YUV4MPEG2 W5 H3 \(word)").get()
    #expect(format.sampling == sampling && format.frameBytes == bytes)
  }

  @Test func fullRangeAndUnknownParametersAreUnderstood() throws {
    let format = try read("YUV4MPEG2 W2 H2 F25:1 I? A0:0 XCOLORRANGE=FULL XODD Znone").get()
    #expect(format.isFullRange)
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

  /// The pixel that one sample of each kind becomes.
  private func pixel(_ luma: UInt8, _ u: UInt8, _ v: UInt8, isFullRange: Bool) -> [UInt8] {
    var format = VideoFormat()
    format.width = 1
    format.height = 1
    format.sampling = .full
    format.isFullRange = isFullRange
    let samples = [luma, u, v]
    var pixels: [UInt8] = [0, 0, 0]
    samples.withUnsafeBufferPointer { from in
      pixels.withUnsafeMutableBufferPointer { to in
        if let source = from.baseAddress, let destination = to.baseAddress {
          format.convert(source, to: destination)
        }
      }
    }
    return pixels
  }

  @Test func blackWhiteAndThePrimariesComeOutRightInVideoRange() {
    #expect(pixel(16, 128, 128, isFullRange: false) == [0, 0, 0])
    #expect(pixel(235, 128, 128, isFullRange: false) == [255, 255, 255])
    #expect(pixel(81, 90, 240, isFullRange: false) == [255, 0, 0])
    #expect(pixel(145, 54, 34, isFullRange: false) == [0, 255, 1])
    #expect(pixel(41, 240, 110, isFullRange: false) == [0, 0, 255])
  }

  @Test func fullRangeGreyIsKept() {
    for level: UInt8 in [0, 1, 127, 254, 255] {
      #expect(pixel(level, 128, 128, isFullRange: true) == [level, level, level])
    }
    #expect(pixel(76, 85, 255, isFullRange: true) == [254, 0, 0])
  }

  @Test func samplesOutOfRangeAreHeldWithinAByte() {
    for luma: UInt8 in [0, 255] {
      for u: UInt8 in [0, 255] {
        for v: UInt8 in [0, 255] {
          #expect(pixel(luma, u, v, isFullRange: false).count == 3)
          #expect(pixel(luma, u, v, isFullRange: true).count == 3)
        }
      }
    }
  }
}
