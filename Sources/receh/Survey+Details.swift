import Announcing
import CSystem

extension Survey {
  /// The system's own files that a report has at length.
  private static var files: [StaticString] {
    [
      "/proc/version", "/proc/cmdline", "/proc/uptime", "/proc/loadavg", "/proc/meminfo",
      "/proc/modules", "/proc/mounts", "/proc/asound/cards", "/boot/firmware/config.txt",
      "/boot/firmware/cmdline.txt", "/etc/receh.conf",
    ]
  }

  /// Writes the system's own files and the USB devices, for a report.
  mutating func writeDetails() {
    head("USB devices")
    for name in tree.names(in: "/sys/bus/usb/devices", beginning: "") {
      let vendor = tree.read(tree.path("/sys/bus/usb/devices/", name, "/idVendor"))
      let product = tree.read(tree.path("/sys/bus/usb/devices/", name, "/idProduct"))
      guard let vendor, let product else { continue }
      output.write("  ")
      output.write(printable: name)
      output.write("  ")
      output.write(printable: vendor)
      output.write(":")
      output.write(printable: product)
      if let words = tree.read(tree.path("/sys/bus/usb/devices/", name, "/product")) {
        output.write("  ")
        output.write(printable: words)
      }
      output.write("\n")
    }
    for file in Survey.files {
      guard let text = tree.read(tree.path(file)) else { continue }
      output.write("\n")
      output.write(file)
      output.write("\n")
      writeLines(text)
    }
  }

  private mutating func writeLines(_ text: Text<4096>) {
    var line = Text<4096>()
    for index in 0...text.count {
      if index < text.count && text[index] != 10 {
        line.append(byte: text[index])
        continue
      }
      output.write("  ")
      output.write(printable: line)
      output.write("\n")
      line.removeAll()
    }
    if text.count == 4096 { output.write("  (cut here)\n") }
  }
}
