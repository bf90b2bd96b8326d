import CConversion
import CSystem
import CVideo
import Devices

/// libv4l's converter for a camera whose formats are its own, and two pictures to convert into.
///
/// It belongs to the camera's thread, because libv4l allocates as it likes.
struct ForeignConverter: ~Copyable {
  /// The format the camera is to be set to.
  private(set) var source = v4l2_format()
  private let converter: OpaquePointer
  private var pictures: UnsafeMutablePointer<UInt8>?
  private var pictureBytes = 0

  /// Makes a converter; `nil` where memory is short or the node is multi-planar, which libv4l does
  /// not know.
  init?(_ node: borrowing VideoNode) {
    guard node.type == 1, let converter = cconversion_make(node.file.descriptor) else {
      return nil
    }
    self.converter = converter
  }

  deinit {
    cconversion_free(converter)
    free(pictures)
  }

  /// The code of the camera's format libv4l finds best; `nil` where there is none.
  mutating func choose(width: UInt32, height: UInt32) -> UInt32? {
    if !cconversion_choose(converter, width, height, &source) { return nil }
    let code = source.fmt.pix.pixelformat
    return code == 0 ? nil : code
  }

  /// Prepares for frames of the format the driver has set; returns `false` where memory is short.
  mutating func prepare(_ format: v4l2_format) -> Bool {
    source = format
    pictureBytes = 3 * Int(format.fmt.pix.width) * Int(format.fmt.pix.height)
    free(pictures)
    pictures = malloc(2 * pictureBytes)?.assumingMemoryBound(to: UInt8.self)
    return pictures != nil
  }

  /// Converts a frame into one of the two pictures, 0 or 1; `nil` when the frame is damaged.
  func convert(_ bytes: UnsafeRawPointer, count: Int, into picture: Int) -> UnsafeRawPointer? {
    guard let pictures else { return nil }
    let destination = pictures + picture * pictureBytes
    let isWhole = withUnsafePointer(to: source) { source in
      cconversion_convert(
        converter, source, bytes.assumingMemoryBound(to: UInt8.self), Int32(count), destination,
        Int32(pictureBytes))
    }
    return isWhole ? UnsafeRawPointer(destination) : nil
  }
}
