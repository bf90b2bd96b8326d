import Announcing
import CSystem

extension Survey {
  /// Bytes that spidev must take at a time for the longest strip of WS2812B: nine for each light
  /// and as many again of silence.
  private static let spiBytes = 32_768

  /// The GPIO chips, by label.
  mutating func writeGPIO() {
    head("GPIO")
    var hasHeader = false
    var isSilent = false
    let chips = tree.names(in: "/dev", beginning: "gpiochip")
    for name in chips {
      let path = tree.path("/dev/", name)
      var chip = csystem_gpio_chip()
      let descriptor = path.asCString { csystem_device_open($0, O_RDONLY) }
      let isAnswered = descriptor >= 0 && csystem_gpio_ask(descriptor, &chip)
      let code = csystem_errno()
      if descriptor >= 0 { _ = csystem_device_close(descriptor) }
      if !isAnswered { isSilent = true }
      let isHeader = isAnswered && Survey.isHeader(&chip)
      if isHeader { hasHeader = true }
      node(path, part: "GPIO", group: "gpio") { line in
        if !isAnswered {
          line.write("does not answer: ")
          line.write(error: code)
          return
        }
        line.write("label ")
        withUnsafePointer(to: &chip.label) { line.write(field: $0) }
        line.write(", ")
        line.write(Int(chip.lines))
        line.write(" lines")
        if isHeader { line.write(", the pins of the header") }
      }
    }
    if chips.isEmpty { output.write("  none; lights at pins need a board that has them\n") }
    if board.isPi && !hasHeader && !isSilent {
      trouble(
        "GPIO", "no chip is the header's (pinctrl-rp1, pinctrl-bcm2711 or pinctrl-bcm2835)",
        fix: "update the kernel and its device trees: sudo apt full-upgrade")
    }
  }

  private static func isHeader(_ chip: inout csystem_gpio_chip) -> Bool {
    withUnsafePointer(to: &chip.label) { label in
      let label = UnsafeRawPointer(label).assumingMemoryBound(to: CChar.self)
      return matches(label, "pinctrl-rp1") || matches(label, "pinctrl-bcm2711")
        || matches(label, "pinctrl-bcm2835")
    }
  }

  /// The SPI devices that strips of lights hang on.
  mutating func writeSPI() {
    head("SPI")
    let devices = tree.names(in: "/dev", beginning: "spidev")
    for name in devices { node(tree.path("/dev/", name), part: "SPI", group: "spi") { _ in } }
    if devices.isEmpty {
      output.write("  none\n")
      if board.isPi {
        trouble(
          "SPI", "there is no SPI device, which strips of lights need",
          fix: "add the line dtparam=spi=on to /boot/firmware/config.txt and restart")
      }
      return
    }
    if let bytes = tree.number(tree.path("/sys/module/spidev/parameters/bufsiz")) {
      item("at a time") { line in
        line.write(bytes)
        line.write(" bytes")
      }
      if bytes < Survey.spiBytes {
        trouble(
          "SPI", "SPI takes too little at a time for a long strip of WS2812B",
          fix: "add spidev.bufsiz=32768 to the line of /boot/firmware/cmdline.txt and restart")
      }
    }
    lookAtClock()
  }

  /// The clock of SPI on a Raspberry Pi 3 and 4 changes with the processor's unless it is pinned.
  private mutating func lookAtClock() {
    let text =
      tree.read(tree.path("/boot/firmware/config.txt"))
      ?? tree.read(tree.path("/boot/config.txt"))
    guard let text, board == .pi3 || board == .pi4 else { return }
    if text.value(of: "core_freq=", "\n").count > 0 { return }
    trouble(
      "SPI", "the clock of SPI follows the processor's, which breaks the colours of WS2812B",
      fix: board == .pi3
        ? "add the line core_freq=250 to config.txt and restart"
        : "add the lines core_freq=500 and core_freq_min=500 to config.txt and restart")
  }
}
