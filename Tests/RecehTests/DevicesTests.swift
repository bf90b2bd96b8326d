import Foundation
import TestSupport
import Testing

@testable import receh

/// A copy of a machine's `/proc`, `/sys`, `/dev` and `/etc`, and what its devices answer.
final class FakeMachine {
  let folder: TemporaryFolder
  let kernel = FakeKernel()
  /// The labels of GPIO chips by the end of their nodes' paths.
  private var labels: [String: String] = [:]
  private var cameras: [String: Camera] = [:]
  private var opened: [String] = []

  /// What a camera answers.
  struct Camera {
    var driver = "uvcvideo"
    var card: String
    /// Formats by code, with sizes and rates.
    var formats: [(code: String, sizes: [(width: UInt32, height: UInt32, rate: UInt32)])]
  }

  init(_ files: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    for (path, text) in files { try add(path, text) }
    kernel.open = { [unowned self] path in
      guard
        labels.keys.contains(where: path.hasSuffix) || cameras.keys.contains(where: path.hasSuffix)
      else { return -ENOENT }
      opened.append(path)
      return Int32(100 + opened.count - 1)
    }
    kernel.control = { [unowned self] descriptor, request, argument in
      guard let argument else { return -EFAULT }
      return answer(opened[Int(descriptor) - 100], request, argument)
    }
  }

  /// Adds a file.
  func add(_ path: String, _ text: String = "") throws {
    let whole = folder.path + path
    try FileManager.default.createDirectory(
      atPath: (whole as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: whole))
  }

  /// Adds a link.
  func link(_ path: String, to target: String) throws {
    try FileManager.default.createDirectory(
      atPath: ((folder.path + path) as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
    #expect(symlink(target, folder.path + path) == 0)
  }

  /// Adds a GPIO chip.
  func chip(_ name: String, label: String) throws {
    try add("/dev/" + name)
    labels["/dev/" + name] = label
  }

  /// Adds a camera.
  func camera(_ name: String, _ camera: Camera) throws {
    try add("/dev/" + name)
    cameras["/dev/" + name] = camera
  }

  /// The survey's lines.
  func survey(isFull: Bool = false, _ configuration: Configuration = Configuration()) throws
    -> String
  {
    let path = folder.path + "/survey"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try #require(FileHandle(forWritingAtPath: path))
    kernel.run {
      folder.path.withCString { root in
        var survey = Survey(
          SystemTree(root: root), configuration, descriptor: file.fileDescriptor)
        survey.write(isFull: isFull)
      }
    }
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  private func answer(_ path: String, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32
  {
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() {
        argument.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
      }
    }
    func number(at offset: Int) -> Int {
      Int(argument.load(fromByteOffset: offset, as: UInt32.self))
    }
    func put(_ number: UInt32, at offset: Int) {
      argument.storeBytes(of: number, toByteOffset: offset, as: UInt32.self)
    }
    if let label = labels.first(where: { path.hasSuffix($0.key) })?.value {
      guard request == 0x8044_b401 else { return -ENOTTY }  // GPIO_GET_CHIPINFO_IOCTL
      put(label, at: 32)
      put(54, at: 64)
      return 0
    }
    guard let camera = cameras.first(where: { path.hasSuffix($0.key) })?.value else {
      return -ENOTTY
    }
    switch request {
    case 0x8068_5600:  // VIDIOC_QUERYCAP
      put(camera.driver, at: 0)
      put(camera.card, at: 16)
      put("usb-0000:01:00.0-1.3", at: 48)
      put(0x8420_0001, at: 84)
      put(0x0420_0001, at: 88)
    case 0xc040_5602:  // VIDIOC_ENUM_FMT
      guard number(at: 0) < camera.formats.count else { return -EINVAL }
      put(camera.formats[number(at: 0)].code, at: 44)
    case 0xc02c_564a:  // VIDIOC_ENUM_FRAMESIZES
      guard let format = camera.format(number(at: 4)), number(at: 0) < format.sizes.count else {
        return -EINVAL
      }
      put(1, at: 8)
      put(format.sizes[number(at: 0)].width, at: 12)
      put(format.sizes[number(at: 0)].height, at: 16)
    case 0xc034_564b:  // VIDIOC_ENUM_FRAMEINTERVALS
      let width = number(at: 8)
      guard number(at: 0) == 0,
        let size = camera.format(number(at: 4))?.sizes.first(where: { Int($0.width) == width })
      else { return -EINVAL }
      put(1, at: 16)
      put(2, at: 20)
      put(2 * size.rate, at: 24)
    default: return -ENOTTY
    }
    return 0
  }
}

extension FakeMachine.Camera {
  /// The format of a V4L2 number.
  fileprivate func format(
    _ number: Int
  ) -> (code: String, sizes: [(width: UInt32, height: UInt32, rate: UInt32)])? {
    formats.first { format in
      format.code.utf8.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) } == number
    }
  }
}

@Suite struct DevicesTests {
  private let webcam = FakeMachine.Camera(
    card: "HD Pro Webcam C920",
    formats: [
      ("YUYV", [(640, 480, 30), (1920, 1080, 5)]), ("MJPG", [(640, 480, 30)]),
    ])

  /// A Raspberry Pi on which nothing is wrong but what a test takes away.
  private func pi(_ model: String, chip: String, label: String) throws -> FakeMachine {
    let machine = try FakeMachine([
      "/proc/device-tree/model": model + "\0", "/proc/sys/kernel/osrelease": "6.12.34+rpt-rpi-v8\n",
      "/proc/cmdline": "console=tty1 root=PARTUUID=1-02\n",
      "/etc/os-release": "PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nID=debian\n",
      "/proc/asound/pcm": "00-00: bcm2835 Headphones : bcm2835 Headphones : playback 8\n",
      "/dev/snd/pcmC0D0p": "", "/dev/spidev0.0": "",
      "/sys/module/spidev/parameters/bufsiz": "32768\n",
      "/boot/firmware/config.txt": "dtparam=spi=on\ncore_freq=250\n",
      "/usr/lib/aarch64-linux-gnu/espeak-ng-data/phontab": "",
      "/usr/lib/aarch64-linux-gnu/espeak-ng-data/id_dict": "",
      "/dev/ttyAMA0": "",
    ])
    try machine.link("/dev/serial0", to: "ttyAMA0")
    try machine.chip(chip, label: label)
    try machine.camera("video0", webcam)
    return machine
  }

  private let nothing = "What is wrong\n  nothing that can be seen from here\n"

  @Test func aRaspberryPiInOrderIsShownWithoutTroubles() throws {
    let machine = try pi(
      "Raspberry Pi 3 Model B Plus Rev 1.3", chip: "gpiochip0", label: "pinctrl-bcm2835")
    let text = try machine.survey()
    #expect(text.contains("board       Raspberry Pi 3 Model B Plus Rev 1.3\n"))
    #expect(text.contains("kernel      6.12.34+rpt-rpi-v8\n"))
    #expect(text.contains("system      Debian GNU/Linux 13 (trixie)\n"))
    #expect(text.contains("/dev/video0  HD Pro Webcam C920, uvcvideo, usb-0000:01:00.0-1.3"))
    #expect(text.contains("    YUYV  640x480 30/s  1920x1080 5/s\n"))
    #expect(text.contains("    MJPG  640x480 30/s\n"))
    #expect(text.contains("label pinctrl-bcm2835, 54 lines, the pins of the header"))
    #expect(text.contains("bcm2835 Headphones"))
    #expect(text.contains("/dev/serial0  is ttyAMA0"))
    #expect(text.hasSuffix(nothing))
  }

  @Test(arguments: ["gpiochip0", "gpiochip4", "gpiochip15"])
  func theHeaderOfARaspberryPi5IsFoundUnderAnyNumber(chip: String) throws {
    let machine = try pi("Raspberry Pi 5 Model B Rev 1.0", chip: chip, label: "pinctrl-rp1")
    try machine.chip("gpiochip11", label: "gpio-brcmstb@107d508500")
    let text = try machine.survey()
    let line = text.split(separator: "\n").first { $0.contains("the pins of the header") }
    #expect(line?.contains("/dev/\(chip)  label pinctrl-rp1, 54 lines") == true)
    #expect(text.components(separatedBy: "the pins of the header").count == 2)
    #expect(text.hasSuffix(nothing))
  }

  @Test func theDebugConnectorOfARaspberryPi5IsNotTheHeader() throws {
    let machine = try pi(
      "Raspberry Pi 5 Model B Rev 1.0", chip: "gpiochip0", label: "pinctrl-rp1")
    try FileManager.default.removeItem(atPath: machine.folder.path + "/dev/serial0")
    try machine.add("/dev/ttyAMA10")
    try machine.link("/dev/serial0", to: "ttyAMA10")
    let text = try machine.survey()
    #expect(text.contains("serial: serial0 is the debug connector"))
    #expect(text.contains("-> add dtparam=uart0=on to config.txt"))
  }

  @Test func whatEveryRaspberryPi3BeginsWithIsToldWithItsWayOut() throws {
    let machine = try pi(
      "Raspberry Pi 3 Model B Rev 1.2", chip: "gpiochip0", label: "pinctrl-bcm2835")
    try FileManager.default.removeItem(atPath: machine.folder.path + "/dev/serial0")
    try machine.add("/dev/ttyS0")
    try machine.link("/dev/serial0", to: "ttyS0")
    try machine.add("/boot/firmware/config.txt", "dtparam=spi=on\n#core_freq=250\n")
    try machine.add("/sys/module/spidev/parameters/bufsiz", "4096\n")
    try machine.add("/proc/cmdline", "console=ttyS0,115200 console=tty1\n")
    try machine.add("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    try machine.add("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    let text = try machine.survey()
    for wanted in [
      "the small UART, whose rate drifts", "add dtoverlay=miniuart-bt, or core_freq=250",
      "the clock of SPI follows the processor's", "add the line core_freq=250",
      "SPI takes too little at a time", "spidev.bufsiz=32768",
      "the kernel writes its messages", "remove console=serial0,115200",
      "the supply voltage has been too low",
    ] {
      #expect(text.contains(wanted), "\(wanted)")
    }
  }

  @Test func aRaspberryPiWithNothingIsToldWhatToAdd() throws {
    let machine = try FakeMachine([
      "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0", "/dev/null": "",
    ])
    let text = try machine.survey()
    for wanted in [
      "camera: there is no camera", "GPIO: no chip is the header's", "dtparam=spi=on",
      "dtparam=audio=on", "sudo apt install espeak-ng-data", "enable_uart=1",
    ] {
      #expect(text.contains(wanted), "\(wanted)")
    }
  }

  @Test func aComputerWithNothingMissesOnlyWhatItCouldHave() throws {
    let machine = try FakeMachine(["/sys/class/dmi/id/product_name": "Virtual Machine\n"])
    let text = try machine.survey()
    #expect(text.contains("board       Virtual Machine\n"))
    let troubles = try #require(text.components(separatedBy: "What is wrong\n").last)
    let parts = troubles.split(separator: "\n").filter { !$0.contains("->") }
      .compactMap { $0.split(separator: ":").first?.trimmingCharacters(in: .whitespaces) }
    #expect(parts == ["camera", "sound", "voice"])
  }

  @Test func aRibbonCameraIsToldToNeedLibcamera() throws {
    let machine = try pi(
      "Raspberry Pi 4 Model B Rev 1.4", chip: "gpiochip0", label: "pinctrl-bcm2711")
    try machine.camera(
      "video0", FakeMachine.Camera(driver: "unicam", card: "unicam", formats: []))
    #expect(try machine.survey().contains("libcamerify"))
  }

  @Test func aCameraInUseNamesTheWayToFindByWhom() throws {
    let machine = try pi(
      "Raspberry Pi 4 Model B Rev 1.4", chip: "gpiochip0", label: "pinctrl-bcm2711")
    machine.kernel.open = { $0.hasSuffix("video0") ? -EBUSY : -ENOENT }
    let text = try machine.survey()
    #expect(text.contains("does not answer: Device or resource busy"))
    #expect(text.contains("/dev/video0' and end it"))
  }

  @Test func aUserWhoMayNotIsToldOfTheGroup() throws {
    let folder = try TemporaryFolder()
    chmod(folder.path, 0o755)
    let node = folder.path + "/dev/spidev0.0"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/dev", withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: node))
    let group = try #require(getgrnam("video"))
    #expect(chown(node, 0, group.pointee.gr_gid) == 0 && chmod(node, 0o660) == 0)
    let result = try Command.run(
      [
        "--reuid=65534", "--regid=65534", "--clear-groups", try Command.path, "devices", "--root",
        folder.path,
      ].map { Array($0.utf8) }, executable: "/usr/bin/setpriv")
    #expect(result.status == 0)
    #expect(result.outputText.contains("(root:video 0660, not for you)"))
    #expect(result.outputText.contains("\(node) is not for this user"))
    #expect(result.outputText.contains("-> sudo usermod -aG video nobody, and sign in again"))
  }

  @Test func aReportHasTheSystemsFilesToo() throws {
    let machine = try pi(
      "Raspberry Pi 3 Model B Rev 1.2", chip: "gpiochip0", label: "pinctrl-bcm2835")
    try machine.add("/sys/bus/usb/devices/1-1/idVendor", "046d\n")
    try machine.add("/sys/bus/usb/devices/1-1/idProduct", "0892\n")
    try machine.add("/sys/bus/usb/devices/1-1/product", "HD Pro \u{1b}[2JWebcam\n")
    let path = machine.folder.path + "/report.txt"
    let result = try Command.run(
      "devices", "--root", machine.folder.path, "--report", path)
    #expect(result.status == 0)
    let report = try String(contentsOfFile: path, encoding: .utf8)
    // What was shown, and more; nothing in it commands a terminal.
    #expect(report.hasPrefix(result.outputText))
    #expect(report.contains("  1-1  046d:0892  HD Pro \\x1b[2JWebcam\n"))
    #expect(report.contains("/boot/firmware/config.txt\n  dtparam=spi=on\n  core_freq=250\n"))
  }

  @Test(arguments: ["/dev/full", "/nowhere/report.txt"])
  func aReportThatCannotBeWrittenIsAFailure(path: String) throws {
    let machine = try FakeMachine()
    let result = try Command.run("devices", "--root", machine.folder.path, "--report", path)
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.contains("--report \(path): cannot be written (") == true)
  }

  @Test func thisMachineCanBeLookedAt() throws {
    let result = try Command.run("devices")
    #expect(result.status == 0)
    #expect(result.complaints.isEmpty)
    #expect(result.lines.first == "Receh")
    #expect(result.outputText.contains("\nWhat is wrong\n"))
  }

  @Test func aMistakeInTheConfigurationIsToldAndTheRestIsShown() throws {
    let machine = try FakeMachine(["/receh.conf": "colour = red\n"])
    let result = try Command.run(
      "devices", "--root", machine.folder.path, "--config", machine.folder.path + "/receh.conf")
    #expect(result.status == 2)
    #expect(result.complaints.count == 1)
    #expect(result.outputText.contains("What is wrong"))
  }

  @Test func filesOfAnyContentAreSurvived() throws {
    var dice = Dice(state: 7)
    for _ in 0..<40 {
      let machine = try FakeMachine()
      for path in [
        "/proc/device-tree/model", "/proc/cmdline", "/proc/asound/pcm", "/etc/os-release",
        "/proc/meminfo", "/sys/module/spidev/parameters/bufsiz", "/dev/spidev0.0", "/dev/serial0",
        "/boot/firmware/config.txt", "/sys/class/hwmon/hwmon0/name",
      ] {
        try machine.add(path)
        let count = dice.next() % 3 == 0 ? 6000 : Int(dice.next() % 90)
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
        try Data(bytes).write(to: URL(fileURLWithPath: machine.folder.path + path))
      }
      let text = try machine.survey(isFull: true)
      #expect(text.contains("What is wrong"))
      #expect(text.utf8.allSatisfy { $0 == 10 || $0 >= 0x20 && $0 != 0x7f })
    }
  }
}
