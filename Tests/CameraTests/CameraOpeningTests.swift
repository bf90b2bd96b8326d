import CSystem
import CVideo
import Counting
import Testing

@testable import Camera

@Suite struct CameraOpeningTests {
  @Test func theWholeSequenceFromOpeningToClosingIsThis() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.step()
    #expect(
      bench.camera.takeLog() == [
        "open /dev/video0", "QUERYCAP", "ENUM_FMT 0", "ENUM_FMT 1", "ENUM_FRAMEINTERVALS YUYV 0",
        "ENUM_FRAMEINTERVALS YUYV 1", "ENUM_FRAMEINTERVALS YUYV 2", "S_FMT YUYV 640x480",
        "G_PARM", "S_PARM 1/30", "SUBSCRIBE_EVENT", "REQBUFS 4", "QUERYBUF 0", "mmap 0",
        "QUERYBUF 1", "mmap 1", "QUERYBUF 2", "mmap 2", "QUERYBUF 3", "mmap 3", "QBUF 0", "QBUF 1",
        "QBUF 2", "QBUF 3", "STREAMON",
      ])
    #expect(bench.show() == [.picture(number: 0, first: [128, 128, 128])])
    #expect(bench.camera.takeLog() == ["DQBUF 0", "DQBUF"])
    bench.step()
    #expect(bench.camera.takeLog() == ["QBUF 0"])
    bench.finish()
    #expect(
      bench.camera.takeLog() == [
        "STREAMOFF", "munmap", "munmap", "munmap", "munmap", "REQBUFS 0", "close",
      ])
    #expect(bench.camera.violations.isEmpty && !bench.camera.isOpen)
  }

  /// The formats tried, in order, for what a camera offers.
  private func tried(
    _ formats: [(code: UInt32, rates: [UInt32])], listsRates: Bool = true
  ) throws -> [String] {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.formats = formats
    bench.camera.nodes["/dev/video0"]?.listsRates = listsRates
    bench.step()
    return bench.camera.takeLog().filter { $0.hasPrefix("S_FMT") }.map {
      String($0.dropFirst(6).prefix(4))
    }
  }

  @Test func wholeSamplesAtTheFullRateArePreferred() throws {
    let all: [UInt32] = [30]
    #expect(
      try tried([(cvideo_code_mjpg, all), (cvideo_code_nv12, all), (cvideo_code_yuyv, all)])
        == ["YUYV"])
    #expect(try tried([(cvideo_code_mjpg, all), (cvideo_code_uyvy, all)]) == ["UYVY"])
    #expect(try tried([(cvideo_code_mjpg, all), (cvideo_code_yu12, [60])]) == ["YU12"])
  }

  @Test func pressedPicturesAtTheFullRateComeBeforeSlowSamples() throws {
    #expect(try tried([(cvideo_code_yuyv, [15, 10]), (cvideo_code_mjpg, [30])]) == ["MJPG"])
    #expect(try tried([(cvideo_code_yuyv, [15]), (cvideo_code_mjpg, [15])]) == ["YUYV"])
    #expect(try tried([(cvideo_code_yuyv, []), (cvideo_code_nv12, [10])]) == ["NV12"])
  }

  @Test func coloursComeBeforeGrey() throws {
    #expect(try tried([(cvideo_code_grey, [60]), (cvideo_code_mjpg, [15])]) == ["MJPG"])
    #expect(try tried([(cvideo_code_grey, [60])]) == ["GREY"])
  }

  @Test func aFormatBehindDozensOfStrangeOnesIsFound() throws {
    let strange = (0..<100).map { (code: UInt32(0x3030_5858 + $0), rates: [UInt32(30)]) }
    #expect(try tried(strange + [(cvideo_code_yuyv, [30])]) == ["YUYV"])
    #expect(try tried(strange + [(cvideo_code_grey, [30])]).last == "GREY")
  }

  @Test func aListOfFormatsThatHardlyEndsIsNotReadToItsEnd() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.formats = Array(
      repeating: (code: cvideo_code_yuyv, rates: [30]), count: 5000)
    bench.step()
    let log = bench.camera.takeLog()
    #expect(log.filter { $0.hasPrefix("ENUM_FMT") }.count == Int(Negotiation.listed))
    #expect(log.contains("S_FMT YUYV 640x480"))
  }

  @Test func aDriverThatListsNoRatesIsTakenAtItsWord() throws {
    #expect(
      try tried([(cvideo_code_mjpg, []), (cvideo_code_nv21, [])], listsRates: false) == ["NV21"])
  }

  @Test func aFormatOfTheConfigurationIsTheOnlyOne() throws {
    var settings = CameraBench.plain
    settings.format = cvideo_code_uyvy
    let bench = try CameraBench(settings)
    bench.camera.nodes["/dev/video0"]?.formats = [
      (cvideo_code_yuyv, [30]), (cvideo_code_uyvy, [5]),
    ]
    bench.step()
    #expect(bench.camera.takeLog().contains("S_FMT UYVY 640x480"))
  }

  @Test func aRowDistanceWiderThanTheWidthIsObeyed() throws {
    let bench = try CameraBench(CameraBench.plain)
    // As on a Raspberry Pi, where rows begin at multiples of 64 bytes.
    bench.camera.nodes["/dev/video0"]?.adjust = { format in
      format.fmt.pix.bytesperline = 1344
      format.fmt.pix.sizeimage = 1344 * 480
    }
    bench.step()
    var bytes = [UInt8](repeating: 0, count: 1344 * 480)
    for y in 0..<480 {
      for x in 0..<640 {
        bytes[1344 * y + 2 * x] = y < 240 ? 16 : 235
        bytes[1344 * y + 2 * x + 1] = 128
      }
    }
    bench.camera.deliver(FakeCamera.Frame(planes: [bytes]))
    bench.step()
    #expect(bench.pixel(639, 239) == [0, 0, 0])
    bench.camera.deliver(FakeCamera.Frame(planes: [bytes]))
    bench.step()
    #expect(bench.pixel(0, 240) == [255, 255, 255])
  }

  @Test func theSizeAndRangeTheDriverSetAreObeyed() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.adjust = { format in
      format.fmt.pix.width = 320
      format.fmt.pix.height = 240
      format.fmt.pix.bytesperline = 0
      format.fmt.pix.sizeimage = 320 * 240 * 2
      format.fmt.pix.quantization = 1
    }
    bench.step()
    let bytes = CameraBench.grey(126, pixels: 320 * 240)
    bench.camera.deliver(FakeCamera.Frame(planes: [bytes]))
    bench.step()
    #expect(bench.take() == [.picture(number: 0, first: [126, 126, 126])])
  }

  @Test func anotherFormatThanAskedForIsObeyed() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.adjust = { format in
      format.fmt.pix.pixelformat = cvideo_code_grey
      format.fmt.pix.bytesperline = 640
      format.fmt.pix.sizeimage = 640 * 480
    }
    bench.step()
    bench.camera.deliver(
      FakeCamera.Frame(planes: [[UInt8](repeating: 235, count: 640 * 480)]))
    bench.step()
    #expect(bench.take() == [.picture(number: 0, first: [255, 255, 255])])
  }

  @Test func aMultiPlanarNodeIsReadPlaneByPlane() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.abilities = cvideo_can_capture_multi | cvideo_can_stream
    bench.camera.nodes["/dev/video0"]?.formats = [(cvideo_code_nv12_apart, [30])]
    bench.camera.nodes["/dev/video0"]?.adjust = { format in
      format.fmt.pix_mp.num_planes = 2
      format.fmt.pix_mp.plane_fmt.0.bytesperline = 704
      format.fmt.pix_mp.plane_fmt.0.sizeimage = 704 * 480
      format.fmt.pix_mp.plane_fmt.1.bytesperline = 704
      format.fmt.pix_mp.plane_fmt.1.sizeimage = 704 * 240
    }
    bench.step()
    let log = bench.camera.takeLog()
    #expect(log.contains("S_FMT NM12 640x480"))
    #expect(log.filter { $0.hasPrefix("mmap") }.prefix(3) == ["mmap 0", "mmap 0.1", "mmap 1"])
    let luma = [UInt8](repeating: 81, count: 704 * 480)
    let chroma = [UInt16](repeating: 240 << 8 | 90, count: 352 * 240).withUnsafeBytes { Array($0) }
    bench.camera.deliver(FakeCamera.Frame(planes: [luma, chroma]))
    bench.step()
    #expect(bench.take() == [.picture(number: 0, first: [255, 0, 0])])
    bench.finish()
    #expect(bench.camera.takeLog().filter { $0 == "munmap" }.count == 8)
    #expect(bench.camera.violations.isEmpty)
  }

  @Test func fieldsThatComeApartAreRefused() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.adjust = { $0.fmt.pix.field = 7 }
    bench.step()
    #expect(bench.take() == [.lost(.cameraFieldsApart)])
    bench.camera.nodes["/dev/video0"]?.adjust = { format in
      FakeCamera.shrink(&format)
      format.fmt.pix.field = 4
    }
    bench.pass(300)
    #expect(bench.show() == [.back, .picture(number: 0, first: [128, 128, 128])])
  }

  @Test(
    arguments: [
      { (format: inout v4l2_format) in format.fmt.pix.bytesperline = 100 },
      { (format: inout v4l2_format) in format.fmt.pix.width = 0 },
      { (format: inout v4l2_format) in format.fmt.pix.height = 100_000 },
      { (format: inout v4l2_format) in format.fmt.pix.pixelformat = 0x3436_3248 },
    ] as [@Sendable (inout v4l2_format) -> Void])
  func aFormatThatMakesNoSenseIsRefused(
    _ adjust: @escaping @Sendable (inout v4l2_format) -> Void
  ) throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.adjust = adjust
    bench.step()
    #expect(bench.take() == [.lost(.cameraFormatUnusable)])
    #expect(!bench.camera.isOpen && bench.camera.violations.isEmpty)
  }

  @Test func buffersTooSmallForAFrameAreRefused() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.adjust = { $0.fmt.pix.sizeimage = 1000 }
    bench.step()
    #expect(bench.take() == [.lost(.cameraFailing)])
    #expect(!bench.camera.isOpen && bench.camera.violations.isEmpty)
  }

  /// A bench whose camera has nothing but a Bayer pattern, RGGB.
  private func bayer() throws -> CameraBench {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.formats = [(0x4247_4752, [30])]
    bench.camera.nodes["/dev/video0"]?.adjust = { format in
      format.fmt.pix.bytesperline = 640
      format.fmt.pix.sizeimage = 640 * 480
    }
    bench.step()
    return bench
  }

  @Test func aConvertedPictureTheLoopHoldsIsNotWrittenOver() throws {
    let bench = try bayer()
    let frame = FakeCamera.Frame(planes: [[UInt8](repeating: 100, count: 640 * 480)])
    bench.camera.deliver(frame)
    bench.step()
    let first = try #require(bench.hold())
    bench.camera.deliver(frame)
    bench.step()
    var second: Int?
    // While the camera's thread waits, the loop goes on from one picture to the other.
    bench.camera.meanwhile = { [unowned bench] in
      if second != nil { return }
      bench.giveBack(first)
      second = bench.hold()
    }
    bench.camera.deliver(frame)
    bench.step()
    let third = try #require(bench.hold())
    #expect(second != nil && second != first && third == first)
    // With both in use the newest is left out.
    bench.camera.deliver(frame)
    bench.step()
    #expect(bench.hold() == nil && bench.late == 1)
  }

  @Test func aConvertedPictureThatWaitsIsLeftToTheLoopWhileTheNextIsConverted() throws {
    let bench = try bayer()
    let frame = FakeCamera.Frame(planes: [[UInt8](repeating: 100, count: 640 * 480)])
    bench.camera.deliver(frame)
    bench.step()
    bench.camera.deliver(frame)
    bench.step()
    #expect(bench.late == 1)
    #expect(bench.hold() == MappedBuffers.capacity + 1)
  }

  @Test func bayerPatternsComeThroughLibv4l() throws {
    let bench = try bayer()
    #expect(bench.camera.takeLog().contains("S_FMT RGGB 640x480"))
    for round in 0..<3 {
      bench.camera.deliver(
        FakeCamera.Frame(planes: [[UInt8](repeating: 100, count: 640 * 480)]))
      bench.step()
      #expect(bench.take() == [.picture(number: round, first: [100, 100, 100])])
    }
    #expect(bench.camera.violations.isEmpty)
    bench.finish()
    #expect(!bench.camera.isOpen)
  }
}
