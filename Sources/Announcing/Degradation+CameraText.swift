import Counting

extension Degradation {
  /// Why the camera does not work, and the way out, in English; empty for faults of other parts.
  var cameraReason: StaticString {
    switch self {
    case .cameraMissing:
      "there is no camera; connect one, it is taken as soon as it is there"
    case .cameraBusy:
      "another program uses the camera; close it, 'fuser /dev/video*' names it"
    case .cameraForbidden:
      "no permission for the camera; add this user to the group video and log in anew"
    case .cameraIsNone:
      "the device is no camera; 'receh devices' tells which are"
    case .cameraFormatUnusable:
      "the camera has no picture format that can be read; on a CSI camera use libcamerify"
    case .cameraFieldsApart:
      "the camera sends interlaced fields apart; set it to progressive or use another"
    case .cameraUnplugged:
      "the camera was disconnected; connect it again, it is found at any socket"
    case .cameraFailing:
      "the camera does not answer as it should; it is opened anew, check cable and power supply"
    case .cameraFormatChanged:
      "the camera's source has changed its format; it is opened anew"
    case .cameraSilent:
      "the camera has stopped sending pictures; it is opened anew, check cable and power supply"
    case .cameraDamaged:
      "the camera sends only damaged pictures; it is opened anew, check cable and USB hub"
    case .cameraSlow:
      "the camera sends fewer pictures than it promised; add light, or fix [camera] exposure"
    case .cameraControlMissing:
      "the camera has no such exposure, white balance or focus; leave the key out of [camera]"
    default: ""
    }
  }

  /// Why the camera does not work, in Indonesian; empty for faults of other parts.
  var indonesianCameraReason: StaticString {
    switch self {
    case .cameraMissing: "tidak ada kamera; sambungkan kamera"
    case .cameraBusy: "kamera dipakai program lain; tutup program itu"
    case .cameraForbidden: "kamera tidak boleh dibuka; masukkan pengguna ke grup video"
    case .cameraIsNone: "perangkat ini bukan kamera; lihat 'receh devices'"
    case .cameraFormatUnusable: "format gambar kamera tidak dikenal; ganti kamera"
    case .cameraFieldsApart: "kamera mengirim gambar selang-seling; ganti kamera"
    case .cameraUnplugged: "kamera terlepas; sambungkan lagi"
    case .cameraFailing: "kamera bermasalah dan dibuka ulang; periksa kabel dan catu daya"
    case .cameraFormatChanged: "format gambar kamera berubah; kamera dibuka ulang"
    case .cameraSilent:
      "kamera berhenti mengirim gambar dan dibuka ulang; periksa kabel dan catu daya"
    case .cameraDamaged: "gambar kamera rusak semua; periksa kabel dan hub USB"
    case .cameraSlow: "kamera lambat; tambah cahaya atau tetapkan exposure di [camera]"
    case .cameraControlMissing:
      "kamera tidak punya pengaturan exposure, white-balance atau focus ini"
    default: ""
    }
  }
}
