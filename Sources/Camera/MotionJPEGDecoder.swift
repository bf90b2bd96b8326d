import CMotionJPEG
import CSystem

/// Decodes the JPEG pictures of a camera in memory of its own that never grows.
struct MotionJPEGDecoder: ~Copyable {
  private let decoder: OpaquePointer
  private let memory: UnsafeMutableRawPointer

  /// Makes a decoder; `nil` when memory is short.
  init?() {
    guard let memory = aligned_alloc(64, Int(CMOTIONJPEG_MEMORY)) else { return nil }
    guard let decoder = cmotionjpeg_make(memory) else {
      free(memory)
      return nil
    }
    self.memory = memory
    self.decoder = decoder
  }

  deinit {
    cmotionjpeg_free(decoder)
    free(memory)
  }

  /// Decodes a picture to red, green, blue without gaps between rows; returns whether it is whole
  /// and of that size. Allocates nothing.
  func decode(
    _ bytes: UnsafePointer<UInt8>, count: Int, width: Int, height: Int,
    into pixels: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    cmotionjpeg_decode(
      decoder, bytes, count, UInt32(width), UInt32(height), pixels, 3 * width)
      == CMOTIONJPEG_WHOLE
  }

  /// Most bytes of its memory used so far.
  var memoryUsed: Int { cmotionjpeg_memory_used(decoder) }
}
