import Announcing
import CSystem

extension Survey {
  /// Sizes of a format that are shown; no camera that is bought has more.
  private static let sizeLimit: UInt32 = 16
  /// Formats of a camera that are shown.
  private static let formatLimit: UInt32 = 32

  /// The cameras, with formats and rates.
  mutating func writeCameras() {
    head("Cameras")
    var cameras = 0
    var sensors = 0
    for name in tree.names(in: "/dev", beginning: "video") {
      let path = tree.path("/dev/", name)
      var video = csystem_video()
      let descriptor = path.asCString { csystem_device_open($0, O_RDWR | O_NONBLOCK) }
      let failure = descriptor < 0 ? csystem_errno() : 0
      defer { if descriptor >= 0 { _ = csystem_device_close(descriptor) } }
      if descriptor < 0 || !csystem_video_ask(descriptor, &video) {
        let code = failure == 0 ? csystem_errno() : failure
        node(path, part: "camera", group: "video") { line in
          line.write("does not answer: ")
          line.write(error: code)
        }
        if failure == EBUSY { busy(path) }
        continue
      }
      // Codecs and outputs have nodes, too.
      if !video.captures || !video.streams { continue }
      let isSensor = Survey.isSensor(&video)
      if isSensor { sensors += 1 } else { cameras += 1 }
      node(path, part: "camera", group: "video") { line in
        withUnsafePointer(to: &video.card) { line.write(field: $0) }
        line.write(", ")
        withUnsafePointer(to: &video.driver) { line.write(field: $0) }
        line.write(", ")
        withUnsafePointer(to: &video.bus) { line.write(field: $0) }
      }
      if !isSensor { writeFormats(descriptor, video, path) }
    }
    if cameras > 0 { return }
    output.write(sensors > 0 ? "  no camera that gives pictures by itself\n" : "  none\n")
    if sensors > 0 {
      trouble(
        "camera", "the camera at the ribbon cable gives raw samples that libcamera must develop",
        fix: "install libcamera-tools and start receh by libcamerify, or connect a USB camera")
    } else {
      trouble(
        "camera", "there is no camera",
        fix: "connect a USB camera; if it is connected, try another socket and look at dmesg")
    }
  }

  private mutating func busy(_ path: PathText) {
    trouble("camera") { what, fix in
      path.asCString { what.append(cString: $0) }
      what.append(" is in use by another program")
      fix.append("find it by 'sudo fuser -v ")
      path.asCString { fix.append(cString: $0) }
      fix.append("' and end it")
    }
  }

  /// Whether a node is a sensor's on a Raspberry Pi, or its image processor's.
  private static func isSensor(_ video: inout csystem_video) -> Bool {
    withUnsafePointer(to: &video.driver) { driver in
      let driver = UnsafeRawPointer(driver).assumingMemoryBound(to: CChar.self)
      return matches(driver, "unicam") || matches(driver, "rp1-cfe")
        || matches(driver, "bcm2835-isp") || matches(driver, "pispbe")
    }
  }

  private mutating func writeFormats(_ descriptor: Int32, _ video: csystem_video, _ path: PathText)
  {
    var highest: UInt32 = 0
    var isKnown = false
    var index: UInt32 = 0
    var format = csystem_video_format()
    while index < Survey.formatLimit
      && csystem_video_format_ask(descriptor, video.is_multiplanar, index, &format)
    {
      output.write("    ")
      withUnsafePointer(to: &format.code) { output.write(field: $0) }
      var size = csystem_video_size()
      var number: UInt32 = 0
      while number < Survey.sizeLimit
        && csystem_video_size_ask(descriptor, format.number, number, &size)
      {
        output.write(size.is_most ? "  up to " : "  ")
        output.write(Int(size.width))
        output.write("x")
        output.write(Int(size.height))
        if size.rate > 0 {
          output.write(" ")
          output.write(rate: size.rate)
          isKnown = true
        }
        if size.width >= 640 && size.height >= 480 { highest = max(highest, size.rate) }
        number += 1
      }
      output.write("\n")
      index += 1
    }
    if index == 0 {
      noFormats(path)
    } else if isKnown && highest < 30_000 {
      slow(path, highest)
    }
  }

  private mutating func noFormats(_ path: PathText) {
    trouble("camera") { what, fix in
      path.asCString { what.append(cString: $0) }
      what.append(" offers no format")
      fix.append("pull the camera out and plug it in again, without a hub")
    }
  }

  private mutating func slow(_ path: PathText, _ rate: UInt32) {
    trouble("camera") { what, fix in
      path.asCString { what.append(cString: $0) }
      what.append(" gives at most ")
      what.append(Int(rate / 1000))
      what.append(" frames a second at 640x480 or above")
      fix.append("counting works and is slower to settle; a camera with 30 is better")
    }
  }
}

extension Output {
  /// Writes a C array of characters that ends in a NUL.
  mutating func write<Field>(field: UnsafePointer<Field>) {
    write(name: UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
  }

  /// Writes a rate of thousandths of a frame a second: `30/s` or `7.5/s`.
  mutating func write(rate: UInt32) {
    write(Int(rate / 1000))
    if rate % 1000 >= 100 {
      write(".")
      write(Int(rate % 1000 / 100))
    }
    write("/s")
  }
}
