import CSystem
import CVideo
import Testing

@testable import Camera

@Suite struct CameraFrameTests {
  @Test func theNewestFrameWinsAndLateOnesAreCounted() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.step()
    for luma: UInt8 in [40, 80] { bench.camera.deliver(CameraBench.yuyv(luma)) }
    bench.step()
    bench.camera.deliver(CameraBench.yuyv(235))
    bench.step()
    #expect(bench.take() == [.picture(number: 2, first: [255, 255, 255])])
    #expect(bench.late == 2)
    bench.step()
    // Every buffer is with the driver again.
    #expect(bench.camera.session?.queued.sorted() == [0, 1, 2, 3])
    #expect(bench.camera.violations.isEmpty)
  }

  @Test func buffersGoRoundForever() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.step()
    for round in 0..<100 {
      #expect(bench.show() == [.picture(number: round, first: [128, 128, 128])])
    }
    #expect(bench.late == 0 && bench.damaged == 0 && bench.camera.violations.isEmpty)
  }

  @Test func aFrameTheLoopHoldsIsNotGivenToTheDriver() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.step()
    bench.camera.deliver(CameraBench.yuyv(40))
    bench.step()
    let place = try #require(bench.hold())
    for _ in 0..<10 {
      bench.camera.deliver(CameraBench.yuyv(80))
      bench.step()
    }
    #expect(bench.camera.session?.queued.contains(place) == false)
    bench.giveBack(place)
    bench.step(2)
    #expect(bench.camera.session?.queued.contains(place) == true)
    #expect(bench.camera.violations.isEmpty)
  }

  @Test func framesThatWaitedWhileTheProcessWasStoppedAreLeftOut() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.step()
    #expect(bench.show().count == 1)
    for _ in 0..<3 { bench.camera.deliver(CameraBench.yuyv(40, age: 60_000)) }
    bench.step()
    #expect(bench.take().isEmpty && bench.late == 3)
    #expect(bench.show(235) == [.picture(number: 4, first: [255, 255, 255])])
  }

  @Test func aClockOfTheDriversOwnDoesNotMakeEveryFrameOld() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.step()
    var pictures = 0
    for _ in 0..<20 {
      bench.camera.deliver(CameraBench.yuyv(126, age: 60_000))
      bench.step()
      pictures += bench.take().count
    }
    #expect(pictures == 20 - MappedBuffers.capacity)
    let other = try CameraBench(CameraBench.plain)
    other.camera.nodes["/dev/video0"]?.isMonotonic = false
    other.step()
    other.camera.deliver(CameraBench.yuyv(126, age: 60_000))
    other.step()
    #expect(other.take().count == 1)
  }

  @Test(arguments: [
    FakeCamera.Frame(planes: [[1, 2, 3]]), FakeCamera.Frame(planes: [[]], used: 0),
    FakeCamera.Frame(
      planes: [[UInt8](repeating: 126, count: 64 * 48 * 2)], used: 64 * 48 * 2 - 1),
    FakeCamera.Frame(
      planes: [[UInt8](repeating: 126, count: 64 * 48 * 2)], flags: cvideo_buffer_error),
  ])
  func aDamagedFrameIsLeftOutAndCountedAndItsBufferUsedAgain(_ frame: FakeCamera.Frame) throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.step()
    bench.camera.deliver(frame)
    bench.step()
    #expect(bench.take().isEmpty && bench.damaged == 1)
    #expect(bench.camera.session?.queued.count == 4)
    #expect(bench.show() == [.picture(number: 1, first: [128, 128, 128])])
  }

  @Test func aCameraMuchSlowerThanItPromisedIsToldOfOnce() throws {
    let bench = try CameraBench(CameraBench.plain)
    bench.step()
    var told: [CameraBench.Item] = []
    for _ in 0..<250 {
      bench.camera.kernel.milliseconds += 66
      told += bench.show().filter { if case .picture = $0 { false } else { true } }
    }
    #expect(told == [.degraded(.cameraSlow)])
  }
}
