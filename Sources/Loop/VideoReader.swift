import CSystem
import Frames

/// Reads the frames of a YUV4MPEG2 stream one after the other, without ever going back.
public struct VideoReader: ~Copyable {
  /// What the stream says of its frames.
  public let format: VideoFormat

  private let descriptor: Int32

  /// Takes over an open descriptor and reads the header.
  public init(descriptor: Int32) throws(VideoError) {
    self.descriptor = descriptor
    var header = InlineArray<1024, UInt8>(repeating: 0)
    var count = 0
    while true {
      guard let byte = try VideoReader.readByte(descriptor) else {
        throw count < 10 ? .notVideo : .headerEndless
      }
      if byte == UInt8(ascii: "\n") { break }
      if count == 1024 { throw count < 10 ? .notVideo : .headerEndless }
      header[count] = byte
      count += 1
      if count == 9 && !VideoReader.isMagic(header) { throw .notVideo }
    }
    format = try VideoFormat(header: header.span.extracting(first: count))
  }

  deinit {
    close(descriptor)
  }

  /// Reads the next frame.
  /// - Parameter samples: room for `format.frameBytes` bytes.
  /// - Returns: `false` at the end of the stream.
  /// - Throws: `VideoError`, after which nothing more can be read.
  public func read(into samples: UnsafeMutablePointer<UInt8>) throws(VideoError) -> Bool {
    guard try readFrameMark() else { return false }
    var count = 0
    while count < format.frameBytes {
      let received = CSystem.read(descriptor, samples + count, format.frameBytes - count)
      if received == 0 { throw .isTruncated }
      if received < 0 {
        if csystem_errno() == EINTR { continue }
        throw .unreadable(errno: csystem_errno())
      }
      count += received
    }
    return true
  }

  /// Reads `FRAME`, its parameters and the newline; returns `false` at the end of the stream.
  private func readFrameMark() throws(VideoError) -> Bool {
    let mark: StaticString = "FRAME"
    var count = 0
    while count < 1024 {
      guard let byte = try VideoReader.readByte(descriptor) else {
        if count == 0 { return false }
        throw .isTruncated
      }
      if count < 5 {
        if byte != mark.utf8Start[count] { throw .frameMarkMissing }
      } else if byte == UInt8(ascii: "\n") {
        return true
      } else if count == 5 && byte != UInt8(ascii: " ") {
        throw .frameMarkMissing
      }
      count += 1
    }
    throw .frameMarkMissing
  }

  private static func isMagic(_ header: borrowing InlineArray<1024, UInt8>) -> Bool {
    let magic: StaticString = "YUV4MPEG2"
    for index in 0..<9 where header[index] != magic.utf8Start[index] { return false }
    return true
  }

  /// Reads one byte; `nil` at the end.
  private static func readByte(_ descriptor: Int32) throws(VideoError) -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let received = CSystem.read(descriptor, &byte, 1)
      if received == 1 { return byte }
      if received == 0 { return nil }
      if csystem_errno() != EINTR { throw .unreadable(errno: csystem_errno()) }
    }
  }
}
