import Announcing
import CSystem
import Counting
import Devices

/// What a strip hangs on: a spidev node, or two GPIO lines that are clocked one bit at a time.
struct StripPort: ~Copyable {
  private let settings: StripSettings
  private var bus: DeviceFile?
  private var clock = OutputLine()
  private var data = OutputLine()
  /// The level last put on the data line.
  private var isDataHigh = false

  /// Makes a port that is not open yet. The settings are those of a strip that there is.
  init(_ settings: StripSettings) {
    self.settings = settings
  }

  /// Whether the strip hangs on GPIO lines, which take long to move bit by bit.
  var isClockedByHand: Bool { settings.clock != nil }

  /// Whether bytes can be sent.
  var isOpen: Bool { bus != nil || (clock.isOpen && data.isOpen) }

  /// Opens the node, or requests the lines.
  /// - Throws: why it cannot be had.
  mutating func open() throws(Degradation) {
    if let clockAddress = settings.clock, let dataAddress = settings.data {
      do throws(Degradation) {
        if !clock.isOpen { try clock.open(clockAddress) }
        if !data.isOpen { try data.open(dataAddress) }
        isDataHigh = false
      } catch {
        close()
        throw error.ofStripLine
      }
      return
    }
    do throws(SystemError) {
      let opened = try settings.device.withCString { path throws(SystemError) in
        try DeviceFile(path: path, flags: O_RDWR)
      }
      var mode: UInt8 = 0
      var bits: UInt8 = 8
      var speed = UInt32(
        settings.kind == .ws2812b ? StripEncoding.ws2812bSpeed : settings.speed)
      try opened.control(csystem_spi_set_mode, &mode)
      try opened.control(csystem_spi_set_bits, &bits)
      try opened.control(csystem_spi_set_speed, &speed)
      bus = consume opened
    } catch {
      throw Degradation(strip: error)
    }
  }

  /// Sends bytes; closes the port when they cannot be sent.
  /// - Throws: `stripLost` or `stripUnfit` when they cannot.
  mutating func send(_ bytes: borrowing StripBytes) throws(Degradation) {
    if isClockedByHand { return try clockOut(bytes) }
    var fault: Degradation?
    do throws(SystemError) {
      // spidev sends all or nothing.
      let sent = try bus?.write(bytes.span) ?? 0
      if sent != bytes.count { fault = .stripLost }
    } catch {
      fault = error.code == EMSGSIZE ? .stripTooLong : .stripLost
    }
    guard let fault else { return }
    close()
    throw fault
  }

  /// Gives the node or the lines back as they are.
  mutating func close() {
    bus = nil
    clock.close()
    data.close()
  }

  /// Puts each bit on the data line, most significant first, and pulses the clock.
  private mutating func clockOut(_ bytes: borrowing StripBytes) throws(Degradation) {
    do throws(Degradation) {
      for index in 0..<bytes.count {
        let byte = bytes[index]
        for shift in stride(from: 7, through: 0, by: -1) {
          let isHigh = byte >> UInt8(shift) & 1 == 1
          if isHigh != isDataHigh {
            try data.set(isHigh)
            isDataHigh = isHigh
          }
          try clock.set(true)
          try clock.set(false)
        }
      }
    } catch {
      close()
      throw .stripLost
    }
  }
}
