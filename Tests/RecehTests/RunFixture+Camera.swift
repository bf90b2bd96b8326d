import Foundation
import TestSupport
import Testing

extension RunFixture {
  /// Writes a file of frames for the simulated camera.
  func cameraFrames(_ frames: [[UInt8]]) throws -> String {
    var bytes: [UInt8] = []
    for frame in frames {
      let size = UInt32(frame.count)
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + frame
    }
    return try folder.file("camera.frames", bytes)
  }

  /// A frame of discs as YUYV in limited range.
  static func yuyv(_ discs: [Disc]) -> [UInt8] {
    let samples = DiscPicture.samples(discs, width: 640, height: 480)
    var frame = [UInt8](repeating: 0, count: 640 * 480 * 2)
    for pixel in 0..<640 * 480 {
      let red = Double(samples[3 * pixel])
      let green = Double(samples[3 * pixel + 1])
      let blue = Double(samples[3 * pixel + 2])
      let luma = 0.299 * red + 0.587 * green + 0.114 * blue
      frame[2 * pixel] = UInt8(16 + luma * 219 / 255)
      let chroma = pixel % 2 == 0 ? (blue - luma) * 0.564 : (red - luma) * 0.713
      frame[2 * pixel + 1] = UInt8(min(240, max(16, 128 + chroma * 224 / 255)))
    }
    return frame
  }

  /// What has the command find the simulated camera, with these frames.
  static func camera(_ frames: String, _ more: [String: String] = [:]) throws -> [String: String] {
    let library =
      (try Command.path as NSString).deletingLastPathComponent + "/libCameraSimulator.so"
    try #require(FileManager.default.fileExists(atPath: library))
    return ["LD_PRELOAD": library, "RECEH_CAMERA_FRAMES": frames].merging(more) { $1 }
  }
}
