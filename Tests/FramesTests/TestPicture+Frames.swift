import Frames
import TestSupport

extension TestPicture {
  /// The picture of `frames_reference.py`.
  static func reference(width: Int, height: Int, gap: Int = 0) -> TestPicture {
    TestPicture(width: width, height: height, gap: gap) { x, y, channel in
      x * 3 + y * 5 + channel * 40 + x * y / 7
    }
  }

  func letterboxed(_ box: Letterbox) -> [UInt8] {
    var output = [Int8](repeating: 77, count: 3 * box.width * box.height)
    var span = output.mutableSpan
    view.draw(box, into: &span)
    return output.map { UInt8(bitPattern: $0) ^ 0x80 }
  }

  func patch(x: Float, y: Float, diameter: Float) -> [UInt8] {
    var output = [UInt8](repeating: 77, count: SquarePatch.byteCount)
    var span = output.mutableSpan
    view.takePatch(x: x, y: y, diameter: diameter, into: &span)
    return output
  }
}
