import Announcing
import CSystem
import Console

extension Survey {
  /// The serial ports, and what else uses them.
  mutating func writeSerial() {
    head("Serial")
    var count = 0
    for prefix in Survey.prefixes {
      for name in tree.names(in: "/dev", beginning: prefix) where isPort(name) {
        let path = tree.path("/dev/", name)
        let target = tree.link(path)
        node(path, part: "serial", group: "dialout") { line in
          guard let target else { return }
          line.write("is ")
          line.write(printable: target)
        }
        count += 1
      }
    }
    if count == 0 { output.write("  none\n") }
    item("console") { [configuration] line in
      configuration.console.device.asCString { line.write(name: $0) }
      line.write(configuration.console.use == .off ? ", off" : ", ")
      if configuration.console.use == .off { return }
      line.write(configuration.console.baud)
      line.write(" baud")
    }
    if configuration.console.use == .off { return }
    lookAtConsole()
  }

  private static var prefixes: [StaticString] {
    ["serial", "ttyAMA", "ttyS", "ttyUSB", "ttyACM"]
  }

  /// Whether a name is that of a port with hardware behind it; the kernel keeps empty places for
  /// `ttyS`, of type 0.
  private func isPort(_ name: Text<256>) -> Bool {
    if !name.begins(with: "ttyS") { return true }
    guard let type = tree.number(tree.path("/sys/class/tty/", name, "/type")) else { return true }
    return type != 0
  }

  /// What is wrong with the port of the serial console.
  private mutating func lookAtConsole() {
    let device = configuration.console.device
    var path = PathText()
    path.append(cString: tree.root)
    device.asCString { path.append(cString: $0) }
    path.append(byte: 0)
    if !tree.has(path) {
      if !board.isPi && configuration.console.use == .auto { return }
      let fixed: StaticString =
        board == .pi5
        ? "add dtparam=uart0=on to config.txt, restart, and use /dev/ttyAMA0"
        : board.isPi
          ? "add enable_uart=1 to config.txt and restart"
          : "name a port that is there as device in [console]"
      trouble("serial") { what, fix in
        what.append("the serial console's port ")
        device.asCString { what.append(cString: $0) }
        what.append(" is not there")
        fix.append(fixed)
      }
      return
    }
    lookAtLink(tree.link(path), device)
    lookAtKernelConsole(tree.link(path), device)
  }

  private mutating func lookAtLink(_ target: Text<256>?, _ device: Text<128>) {
    guard let target else { return }
    if board == .pi5 && target.contains("ttyAMA10") {
      trouble(
        "serial", "serial0 is the debug connector of this board, not the header's pins 8 and 10",
        fix: "add dtparam=uart0=on to config.txt, restart, and set device = /dev/ttyAMA0")
    }
    if board == .pi3 && target.contains("ttyS0") {
      let text =
        tree.read(tree.path("/boot/firmware/config.txt"))
        ?? tree.read(tree.path("/boot/config.txt"))
      if let text, text.value(of: "core_freq=", "\n").count > 0 { return }
      trouble(
        "serial", "serial0 is the small UART, whose rate drifts with the processor's clock",
        fix: "add dtoverlay=miniuart-bt, or core_freq=250, to config.txt and restart")
    }
  }

  /// Whether the kernel writes its own messages to the port.
  private mutating func lookAtKernelConsole(_ target: Text<256>?, _ device: Text<128>) {
    guard let words = tree.read(tree.path("/proc/cmdline")) else { return }
    if !Survey.names(words, of: device) {
      guard var target else { return }
      target.append(byte: 0)
      if !Survey.names(words, of: target) { return }
    }
    trouble(
      "serial", "the kernel writes its messages to the serial console's port, too",
      fix: "remove console=serial0,115200 from /boot/firmware/cmdline.txt and restart")
  }

  /// Whether `console=` of a command line of the kernel names the last part of a path.
  private static func names<let Capacity: Int>(
    _ words: Text<4096>, of path: Text<Capacity>
  ) -> Bool {
    var name = Text<256>()
    path.asCString { name.append(cString: $0) }
    var start = name.count
    while start > 0 && name[start - 1] != UInt8(ascii: "/") { start -= 1 }
    let key: StaticString = "console="
    var position = 0
    while position + key.utf8CodeUnitCount <= words.count {
      var index = 0
      while index < 8 && words[position + index] == key.utf8Start[index] { index += 1 }
      if index == 8 && (position == 0 || words[position - 1] == 32) {
        var letter = 0
        while start + letter < name.count && position + 8 + letter < words.count
          && words[position + 8 + letter] == name[start + letter]
        {
          letter += 1
        }
        let end = position + 8 + letter
        let isWhole = end == words.count || words[end] == 44 || words[end] == 32
        if start + letter == name.count && letter > 0 && isWhole { return true }
      }
      position += 1
    }
    return false
  }
}
