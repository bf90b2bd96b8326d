import CSystem
import CVideo
import Counting
import Testing

@testable import Camera

@Suite struct CameraFaultTests {
  private let closing = [
    "STREAMOFF", "munmap", "munmap", "munmap", "munmap", "REQBUFS 0", "close",
  ]

  /// A bench whose camera has delivered its first frame.
  private func streaming(_ settings: CameraSettings = CameraBench.plain) throws -> CameraBench {
    let bench = try CameraBench(settings)
    bench.step()
    #expect(bench.show().count == 1)
    bench.step()
    _ = bench.camera.takeLog()
    return bench
  }

  @Test func aServiceStartedBeforeTheCameraExistsPicksItUp() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes = [:]
    bench.pass(60_000)
    #expect(bench.take() == [.lost(.cameraMissing)])
    bench.camera.nodes["/dev/video3"] = FakeCamera.Node()
    bench.pass(1100)
    #expect(bench.show() == [.back, .picture(number: 0, first: [128, 128, 128])])
  }

  @Test(arguments: [
    (EBUSY, Degradation.cameraBusy), (EACCES, .cameraForbidden), (EPERM, .cameraForbidden),
    (EIO, .cameraFailing), (ENODEV, .cameraMissing), (ENXIO, .cameraMissing),
  ])
  func aNodeThatCannotBeOpenedIsToldOfOnceAndTriedAgain(
    _ error: Int32, _ fault: Degradation
  ) throws {
    let bench = try CameraBench(CameraBench.named("/dev/video0"))
    bench.camera.nodes["/dev/video0"]?.openError = error
    bench.pass(30_000)
    #expect(bench.take() == [.lost(fault)])
    bench.camera.nodes["/dev/video0"]?.openError = 0
    bench.pass(1100)
    #expect(bench.show() == [.back, .picture(number: 0, first: [128, 128, 128])])
  }

  @Test(arguments: [
    (UInt(cvideo_s_fmt), EBUSY, Degradation.cameraBusy),
    (UInt(cvideo_reqbufs), EBUSY, .cameraBusy), (UInt(cvideo_reqbufs), ENOMEM, .cameraFailing),
    (UInt(cvideo_querybuf), EINVAL, .cameraFailing), (UInt(cvideo_qbuf), EIO, .cameraFailing),
    (UInt(cvideo_streamon), ENOSPC, .cameraFailing), (UInt(cvideo_streamon), EBUSY, .cameraBusy),
    (UInt(cvideo_s_fmt), ENODEV, .cameraUnplugged), (UInt(cvideo_querycap), ENOTTY, .cameraIsNone),
    (UInt(cvideo_querycap), EIO, .cameraFailing),
    (UInt(cvideo_enum_fmt), EIO, .cameraFormatUnusable),
  ])
  func everyCallThatFailsWhileOpeningLeavesNothingOpen(
    _ request: UInt, _ error: Int32, _ fault: Degradation
  ) throws {
    let bench = try CameraBench(CameraBench.named("/dev/video0"))
    bench.camera.nodes["/dev/video0"]?.errors[request] = error
    bench.step()
    #expect(bench.take() == [.lost(fault)])
    #expect(!bench.camera.isOpen && bench.camera.violations.isEmpty)
    bench.camera.nodes["/dev/video0"]?.errors = [:]
    bench.pass(300)
    #expect(bench.show().count == 2)
  }

  @Test func memoryThatCannotBeMappedLeavesNothingOpen() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.isMapRefused = true
    bench.step()
    #expect(bench.take() == [.lost(.cameraFailing)])
    #expect(!bench.camera.isOpen && bench.camera.violations.isEmpty)
  }

  @Test(arguments: [0, cvideo_can_stream, cvideo_can_capture])
  func aNodeThatDoesNotCaptureByStreamingIsNoCamera(_ abilities: UInt32) throws {
    let bench = try CameraBench(CameraBench.named("/dev/video0"))
    bench.camera.nodes["/dev/video0"]?.abilities = abilities
    bench.pass(5000)
    #expect(bench.take() == [.lost(.cameraIsNone)])
  }

  @Test func otherNodesAreOrdinaryWhileAnyCameraIsLookedFor() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.camera.nodes["/dev/video0"]?.abilities = 0
    bench.camera.nodes["/dev/video1"] = FakeCamera.Node()
    bench.step()
    #expect(bench.show() == [.picture(number: 0, first: [128, 128, 128])])
  }

  @Test func noFrameYetIsNoFault() throws {
    let bench = try streaming()
    bench.camera.dequeueErrors = [EAGAIN, EAGAIN]
    bench.step(2)
    #expect(bench.take().isEmpty)
    #expect(bench.show().count == 1)
  }

  @Test func oneDisturbedFrameIsNoFault() throws {
    let bench = try streaming()
    bench.camera.dequeueErrors = [EIO]
    bench.step()
    #expect(bench.take().isEmpty)
    #expect(bench.show().count == 1)
  }

  @Test func anErrorThatStaysHasTheCameraOpenedAnew() throws {
    let bench = try streaming()
    bench.camera.dequeueErrors = [Int32](repeating: EIO, count: 5)
    bench.step(5)
    #expect(bench.take() == [.lost(.cameraFailing)])
    let log = bench.camera.takeLog()
    #expect(Array(log.suffix(7)) == closing)
    bench.pass(300)
    #expect(bench.show().first == .back)
    #expect(bench.camera.violations.isEmpty)
  }

  @Test func aCameraPulledOutIsUnmappedClosedAndFoundAtItsPlaceOnTheBus() throws {
    let bench = try streaming(CameraBench.named("/dev/video0"))
    bench.camera.unplug("/dev/video0")
    bench.step()
    #expect(bench.take() == [.lost(.cameraUnplugged)])
    // Calls on a camera that is gone carry nothing that could be noted.
    #expect(
      bench.camera.takeLog() == ["DQBUF"] + closing.map { $0 == "REQBUFS 0" ? "REQBUFS" : $0 })
    bench.pass(3000)
    #expect(bench.take().isEmpty)
    // A twin at another place, and the camera itself under another number.
    var twin = FakeCamera.Node()
    twin.bus = "usb-0000:01:00.0-1.4"
    bench.camera.nodes["/dev/video1"] = twin
    bench.camera.nodes["/dev/video2"] = FakeCamera.Node()
    _ = bench.camera.takeLog()
    bench.pass(300)
    let log = bench.camera.takeLog()
    #expect(log.filter { $0.hasPrefix("open") }.last == "open /dev/video2")
    #expect(log.suffix(5) == ["QBUF 0", "QBUF 1", "QBUF 2", "QBUF 3", "STREAMON"])
    #expect(bench.show() == [.back, .picture(number: 1, first: [128, 128, 128])])
    #expect(bench.camera.violations.isEmpty)
  }

  @Test func aCameraPluggedInElsewhereIsKnownByItsMake() throws {
    let bench = try streaming()
    bench.camera.unplug("/dev/video0")
    bench.step()
    var other = FakeCamera.Node()
    other.card = "Laptop Camera"
    other.bus = "usb-0000:00:14.0-8"
    bench.camera.nodes["/dev/video0"] = other
    var moved = FakeCamera.Node()
    moved.bus = "usb-0000:01:00.0-1.1"
    bench.camera.nodes["/dev/video5"] = moved
    bench.pass(300)
    #expect(bench.camera.session?.path == "/dev/video5")
  }

  @Test func anotherCameraTakesItsPlaceOnlyAfterAWhile() throws {
    let bench = try streaming()
    bench.camera.unplug("/dev/video0")
    bench.step()
    var other = FakeCamera.Node()
    other.card = "Laptop Camera"
    other.bus = "usb-0000:00:14.0-8"
    bench.camera.nodes["/dev/video1"] = other
    bench.pass(5000)
    #expect(bench.camera.session == nil)
    bench.pass(8000)
    #expect(bench.camera.session?.path == "/dev/video1")
  }

  @Test func aCameraThatFallsSilentIsOpenedAnew() throws {
    let bench = try streaming()
    bench.pass(2500)
    #expect(bench.take().isEmpty)
    bench.pass(700)
    #expect(bench.take() == [.lost(.cameraSilent)])
    let log = bench.camera.takeLog()
    #expect(Array(log.prefix(7)) == closing)
    #expect(bench.camera.isOpen || log.count == 7)
    bench.pass(300)
    #expect(bench.show().first == .back)
  }

  @Test func aDisconnectTheKernelNeverReportsIsNoticed() throws {
    let bench = try streaming()
    bench.camera.isMute = true
    bench.camera.unplug("/dev/video0")
    bench.pass(4000)
    #expect(bench.take() == [.lost(.cameraSilent)])
    #expect(!bench.camera.isOpen)
    bench.camera.isMute = false
    bench.camera.nodes["/dev/video1"] = FakeCamera.Node()
    bench.pass(1100)
    #expect(bench.show().first == .back)
  }

  @Test func aFirstFrameMayTakeLonger() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.step()
    bench.pass(4500)
    #expect(bench.take().isEmpty)
    bench.pass(1000)
    #expect(bench.take() == [.lost(.cameraSilent)])
  }

  @Test func aSourceThatChangesItsFormatIsNegotiatedAnew() throws {
    let bench = try streaming()
    bench.camera.events = Int16(POLLPRI)
    bench.step()
    #expect(bench.take() == [.lost(.cameraFormatChanged)])
    #expect(bench.camera.takeLog() == ["DQEVENT"] + closing)
    bench.camera.nodes["/dev/video0"]?.adjust = { format in
      format.fmt.pix.width = 320
      format.fmt.pix.height = 240
      format.fmt.pix.bytesperline = 640
      format.fmt.pix.sizeimage = 640 * 240
    }
    bench.pass(300)
    bench.camera.deliver(
      FakeCamera.Frame(planes: [[UInt8](repeating: 128, count: 640 * 240)]))
    bench.step()
    #expect(bench.take().first == .back)
  }

  @Test func framesThatAreAllDamagedHaveTheCameraOpenedAnewAndAreToldOfOnce() throws {
    let bench = try streaming()
    var told: [CameraBench.Item] = []
    for _ in 0..<200 {
      bench.camera.deliver(FakeCamera.Frame(planes: [[0]]))
      bench.pass(50)
      told += bench.take()
    }
    #expect(told == [.lost(.cameraDamaged)])
    #expect(bench.damaged > 60)
    #expect(bench.show().first == .back)
  }

  @Test func anErrorOfPollWithoutEndDoesNotSpin() throws {
    let bench = try streaming()
    for _ in 0..<20 {
      bench.camera.events = Int16(POLLERR)
      bench.step()
    }
    #expect(bench.take() == [.lost(.cameraFailing)])
  }

  @Test func aReasonThatSaysMoreIsToldToo() throws {
    let bench = try streaming(CameraBench.named("/dev/video0"))
    bench.camera.unplug("/dev/video0")
    bench.pass(1000)
    var node = FakeCamera.Node()
    node.openError = EACCES
    bench.camera.nodes["/dev/video0"] = node
    bench.pass(3000)
    #expect(bench.take() == [.lost(.cameraUnplugged), .lost(.cameraForbidden)])
  }

  @Test func noStaleBufferIsQueuedWhenTheLoopHoldsOneAcrossADisconnect() throws {
    let bench = try streaming()
    bench.camera.deliver(CameraBench.yuyv(40))
    bench.step()
    let place = try #require(bench.hold())
    bench.giveBack(place)
    bench.camera.unplug("/dev/video0")
    bench.step()
    bench.camera.nodes["/dev/video0"] = FakeCamera.Node()
    bench.pass(300)
    bench.step()
    #expect(bench.camera.session?.queued == [0, 1, 2, 3])
    #expect(bench.camera.violations.isEmpty)
  }

  @Test func aLoopThatIsHeldUpLearnsEverythingInOrderLater() throws {
    let bench = try streaming()
    for _ in 0..<30 {
      bench.camera.unplug("/dev/video0")
      bench.pass(100)
      bench.camera.nodes["/dev/video0"] = FakeCamera.Node()
      bench.pass(300)
      bench.camera.deliver(CameraBench.yuyv(126))
      bench.step()
    }
    #expect(bench.take().first == .lost(.cameraUnplugged))
    bench.pass(1100)
    #expect(bench.show().count >= 1)
  }
}
