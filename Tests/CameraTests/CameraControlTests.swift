import CVideo
import Testing

@testable import Camera

@Suite struct CameraControlTests {
  private let all: [UInt32: ClosedRange<Int32>] = [
    cvideo_control_power_line: 0...2, cvideo_control_exposure_mode: 0...3,
    cvideo_control_exposure_priority: 0...1, cvideo_control_exposure: 3...2047,
    cvideo_control_white_balance_auto: 0...1, cvideo_control_white_balance: 2800...6500,
    cvideo_control_focus_auto: 0...1, cvideo_control_focus: 0...250,
  ]

  private func bench(_ settings: CameraSettings) throws -> CameraBench {
    let bench = try CameraBench(settings)
    bench.camera.nodes["/dev/video0"]?.controls = all
    return bench
  }

  private func set(_ bench: CameraBench) -> [String] {
    bench.camera.takeLog().filter { $0.hasPrefix("S_CTRL") }.map { String($0.dropFirst(7)) }
  }

  @Test func theCameraAdjustsItselfButKeepsItsRate() throws {
    let bench = try bench(CameraSettings())
    bench.step()
    #expect(
      set(bench) == [
        "mains 1", "exposure-mode 3", "exposure-priority 0", "white-balance-auto 1",
        "focus-auto 1",
      ])
    #expect(bench.take().isEmpty)
  }

  @Test func fixedValuesAreSetAndHeldWithinTheirRange() throws {
    var settings = CameraSettings()
    settings.mains = 60
    settings.exposure = .fixed(200)
    settings.whiteBalance = .fixed(10_000)
    settings.focus = .fixed(30)
    let bench = try bench(settings)
    bench.step()
    #expect(
      set(bench) == [
        "mains 2", "exposure-mode 1", "exposure 200", "white-balance-auto 0",
        "white-balance 6500", "focus-auto 0", "focus 30",
      ])
    #expect(bench.take().isEmpty)
  }

  @Test func nothingIsTouchedWhereTheConfigurationSaysSo() throws {
    let bench = try bench(CameraBench.plain)
    bench.step()
    #expect(set(bench).isEmpty)
  }

  @Test func aValueTheCameraCannotTakeIsToldOfAndFramesComeAllTheSame() throws {
    var settings = CameraSettings()
    settings.exposure = .fixed(200)
    let bench = try CameraBench(settings)
    bench.step()
    #expect(bench.take() == [.degraded(.cameraControlMissing)])
    #expect(bench.show() == [.picture(number: 0, first: [128, 128, 128])])
  }

  @Test func otherSettingsOpenTheCameraAnewWithoutAWord() throws {
    let bench = try bench(CameraBench.plain)
    bench.step()
    #expect(bench.show().count == 1)
    bench.apply(CameraBench.plain)
    bench.step()
    _ = bench.camera.takeLog()
    var settings = CameraBench.plain
    settings.exposure = .fixed(150)
    bench.apply(settings)
    bench.step(2)
    let log = bench.camera.takeLog()
    #expect(log.prefix(1) == ["STREAMOFF"] && log.contains("close"))
    #expect(log.contains("S_CTRL exposure 150") && log.last == "STREAMON")
    #expect(bench.show() == [.picture(number: 1, first: [128, 128, 128])])
    #expect(bench.camera.violations.isEmpty)
  }

  @Test func aNodeNamedByTheNewSettingsIsOpenedInstead() throws {
    let bench = try CameraBench(CameraBench.named("/dev/video0"))
    bench.camera.nodes["/dev/video4"] = FakeCamera.Node()
    bench.step()
    bench.apply(CameraBench.named("/dev/video4"))
    bench.step(2)
    #expect(bench.camera.session?.path == "/dev/video4")
  }

  @Test func aCameraWithoutControlsIsUsedSilently() throws {
    let bench = try CameraBench(CameraSettings())
    bench.step()
    #expect(bench.take().isEmpty && bench.camera.isOpen)
  }
}
