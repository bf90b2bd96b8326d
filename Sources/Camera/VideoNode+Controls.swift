import CVideo
import Devices

extension VideoNode {
  /// Sets exposure, white balance, focus and mains frequency where the camera has them.
  /// - Returns: whether everything asked for with a value could be set.
  func apply(_ settings: CameraSettings) -> Bool {
    if settings.mains != 0 {
      // V4L2 numbers them so: 1 for 50 Hz, 2 for 60 Hz.
      _ = set(cvideo_control_power_line, settings.mains == 50 ? 1 : 2)
    }
    // The menu of modes: 0 automatic, 1 manual, 2 shutter first, 3 aperture first. Cameras have 1
    // and one of 3 and 0.
    var isDone = true
    switch settings.exposure {
    case .untouched: break
    case .automatic:
      if !set(cvideo_control_exposure_mode, 3) { _ = set(cvideo_control_exposure_mode, 0) }
      // Or the camera would halve its rate in dim light.
      _ = set(cvideo_control_exposure_priority, 0)
    case .fixed(let time):
      _ = set(cvideo_control_exposure_mode, 1)
      isDone = set(cvideo_control_exposure, time)
    }
    let hasWhite = apply(
      settings.whiteBalance, switch: cvideo_control_white_balance_auto,
      value: cvideo_control_white_balance)
    let hasFocus = apply(
      settings.focus, switch: cvideo_control_focus_auto, value: cvideo_control_focus)
    return isDone && hasWhite && hasFocus
  }

  private func apply(
    _ control: CameraSettings.Control, switch automatic: UInt32, value: UInt32
  ) -> Bool {
    switch control {
    case .untouched: return true
    case .automatic:
      _ = set(automatic, 1)
      return true
    case .fixed(let number):
      _ = set(automatic, 0)
      return set(value, number)
    }
  }

  /// Sets a control, held within its range; returns whether the camera has it and took it.
  private func set(_ control: UInt32, _ value: Int32) -> Bool {
    var query = v4l2_queryctrl()
    query.id = control
    do throws(SystemError) {
      try file.control(UInt(cvideo_queryctrl), &query)
      if query.flags & cvideo_control_off != 0 { return false }
      var setting = v4l2_control()
      setting.id = control
      setting.value = min(max(value, query.minimum), query.maximum)
      try file.control(UInt(cvideo_s_ctrl), &setting)
    } catch {
      return false
    }
    return true
  }
}
