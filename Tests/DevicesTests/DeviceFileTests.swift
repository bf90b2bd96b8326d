import CSystem
import Devices
import Foundation
import TestSupport
import Testing

@Suite struct DeviceFileTests {
  @Test func aDeviceIsOpenedOnceAndClosedWithItsOwner() throws {
    let kernel = FakeKernel()
    kernel.open = { $0 == "/dev/thing" ? 7 : -ENOENT }
    kernel.read = { _ throws(FakeKernel.FakeError) in [1, 2, 3] }
    try kernel.run {
      let device = try DeviceFile(path: "/dev/thing", flags: O_RDWR)
      var bytes = [UInt8](repeating: 0, count: 8)
      #expect(try device.read(&bytes, count: 8) == 3)
      #expect(bytes.prefix(3) == [1, 2, 3])
      #expect(try device.write([9, 8].span) == 2)
      var value: UInt32 = 5
      try device.control(77, &value)
    }
    #expect(
      kernel.calls == [
        .open("/dev/thing", O_RDWR | O_CLOEXEC | O_NOCTTY), .read(7), .write(7, [9, 8]),
        .control(7, 77), .close(7),
      ])
  }

  @Test func aFailureIsTheErrnoOfItsCall() throws {
    let kernel = FakeKernel()
    kernel.run {
      _ = #expect(throws: SystemError(code: ENOENT)) {
        _ = try DeviceFile(path: "/dev/none", flags: O_RDONLY)
      }
    }
    // What was never opened is not closed.
    #expect(kernel.calls == [.open("/dev/none", O_RDONLY | O_CLOEXEC | O_NOCTTY)])
    kernel.open = { _ in 3 }
    kernel.write = { _, _ in -Int(EIO) }
    kernel.control = { _, _, _ in -ENOTTY }
    try kernel.run {
      let device = try DeviceFile(path: "/dev/thing", flags: O_RDWR)
      #expect(throws: SystemError(code: EIO)) { _ = try device.write([1].span) }
      #expect(throws: SystemError(code: ENOTTY)) {
        var value = 0
        try device.control(1, &value)
      }
      #expect(throws: SystemError(code: EAGAIN)) {
        var bytes: [UInt8] = [0]
        _ = try device.read(&bytes, count: 1)
      }
    }
  }

  @Test func withoutAStandInTheKernelAnswers() throws {
    let device = try DeviceFile(path: "/dev/zero", flags: O_RDONLY)
    var bytes = [UInt8](repeating: 1, count: 4)
    #expect(try device.read(&bytes, count: 4) == 4)
    #expect(bytes == [0, 0, 0, 0])
    #expect(throws: SystemError(code: ENOENT)) {
      _ = try DeviceFile(path: "/dev/no such device", flags: O_RDONLY)
    }
  }
}
