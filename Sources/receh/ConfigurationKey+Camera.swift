import Announcing
import Camera

extension ConfigurationKey {
  /// The keys of `[camera]`.
  static var camera: [ConfigurationKey] {
    [
      ConfigurationKey(section: "camera", name: "device") { value, configuration in
        configuration.camera.device.removeAll()
        if matches(value, "auto") { return nil }
        return path(
          value, &configuration.camera.device,
          or: .notOneOf("auto or the path of a node, such as /dev/video0"))
      },
      ConfigurationKey(section: "camera", name: "format") { value, configuration in
        configuration.camera.format = 0
        if matches(value, "auto") { return nil }
        guard let code = parseCode(value) else {
          return .notOneOf("auto or four letters of V4L2, such as YUYV")
        }
        configuration.camera.format = code
        return nil
      },
      ConfigurationKey(section: "camera", name: "rate") { value, configuration in
        var rate = 0
        let fault = number(value, 1, 120, &rate)
        configuration.camera.rate = UInt32(rate)
        return fault
      },
      ConfigurationKey(section: "camera", name: "exposure") {
        control(
          $0, 1, 10_000, &$1.camera.exposure,
          "camera, auto or tenths of a millisecond, 1 to 10000")
      },
      ConfigurationKey(section: "camera", name: "white-balance") {
        control($0, 1000, 20_000, &$1.camera.whiteBalance, "camera, auto or kelvins, 1000 to 20000")
      },
      ConfigurationKey(section: "camera", name: "focus") {
        control($0, 0, 100_000, &$1.camera.focus, "camera, auto or a number from 0 to 100000")
      },
      ConfigurationKey(section: "camera", name: "mains") { value, configuration in
        configuration.camera.mains = matches(value, "50") ? 50 : matches(value, "60") ? 60 : 0
        return configuration.camera.mains != 0 || matches(value, "camera")
          ? nil : .notOneOf("50, 60 or camera")
      },
      ConfigurationKey(section: "camera", name: "timeout") { value, configuration in
        var timeout = 0
        let fault = number(value, 500, 60_000, &timeout)
        configuration.camera.timeout = Int64(timeout)
        return fault
      },
    ]
  }
}

/// Takes over `camera`, `auto`, or a whole number from `least` to `most`.
private func control(
  _ value: Argument, _ least: Int, _ most: Int, _ destination: inout CameraSettings.Control,
  _ choices: StaticString
) -> ConfigurationFault.Kind? {
  if matches(value, "camera") {
    destination = .untouched
  } else if matches(value, "auto") {
    destination = .automatic
  } else if let number = parseNumber(value), number >= least, number <= most {
    destination = .fixed(Int32(number))
  } else {
    return .notOneOf(choices)
  }
  return nil
}

/// V4L2's code of four printable characters; shorter ones are filled up with blanks, as V4L2 does.
private func parseCode(_ value: Argument) -> UInt32? {
  var code: UInt32 = 0
  var count: UInt32 = 0
  while value[Int(count)] != 0 {
    let byte = UInt8(bitPattern: value[Int(count)])
    if count == 4 || byte <= 32 || byte > 126 { return nil }
    code |= UInt32(byte) << (8 * count)
    count += 1
  }
  if count == 0 { return nil }
  while count < 4 {
    code |= 32 << (8 * count)
    count += 1
  }
  return code
}
