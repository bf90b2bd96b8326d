import CTurboJPEG
import TestSupport
import Testing

@testable import Camera

@Suite struct MotionJPEGTests {
  static let width = 96
  static let height = 64

  /// What decoding gives: the pixels, or `nil` for a damaged picture.
  private func decode(
    _ bytes: [UInt8], by decoder: borrowing MotionJPEGDecoder, width: Int = width,
    height: Int = height
  ) -> [UInt8]? {
    var pixels = [UInt8](repeating: 7, count: 3 * width * height)
    let isWhole = pixels.withUnsafeMutableBufferPointer { to in
      bytes.withUnsafeBufferPointer { from in
        guard let source = from.baseAddress, let destination = to.baseAddress else { return false }
        return decoder.decode(
          source, count: from.count, width: width, height: height, into: destination)
      }
    }
    return isWhole ? pixels : nil
  }

  private func picture(_ subsampling: TJSAMP = TJSAMP_422, flags: Int32 = 0) throws -> [UInt8] {
    try JPEGBytes.file(
      width: Self.width, height: Self.height, subsampling: subsampling, flags: flags
    ) { x, y, channel in
      UInt8(truncatingIfNeeded: channel == 0 ? 2 * x : channel == 1 ? 3 * y : x + y)
    }
  }

  /// The same picture through the library's other interface.
  private func expected(_ bytes: [UInt8]) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: 3 * Self.width * Self.height)
    let decompressor = tjInitDecompress()
    defer { tjDestroy(decompressor) }
    _ = tjDecompress2(
      decompressor, bytes, UInt(bytes.count), &pixels, Int32(Self.width), 0, Int32(Self.height),
      Int32(TJPF_RGB.rawValue), Int32(TJFLAG_ACCURATEDCT))
    return pixels
  }

  private func decoder() throws -> MotionJPEGDecoder {
    guard let decoder = MotionJPEGDecoder() else { throw OutOfMemory() }
    return decoder
  }

  struct OutOfMemory: Error {}

  @Test(arguments: [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_GRAY])
  func everySamplingEqualsTheLibrarysOwnDecoder(_ subsampling: TJSAMP) throws {
    let decoder = try decoder()
    let bytes = try picture(subsampling)
    #expect(decode(bytes, by: decoder) == expected(bytes))
    #expect(decode(bytes, by: decoder) == expected(bytes))
  }

  @Test func aMillionPicturesWouldUseNoMoreMemoryThanOne() throws {
    let decoder = try decoder()
    let bytes = try picture()
    _ = decode(bytes, by: decoder)
    let used = decoder.memoryUsed
    for _ in 0..<50 { _ = decode(bytes, by: decoder) }
    let after = decoder.memoryUsed
    #expect(after == used && used > 0)
  }

  @Test func aFullHighDefinitionPictureFitsItsMemory() throws {
    let decoder = try decoder()
    let bytes = try JPEGBytes.grey(width: 1920, height: 1080, level: 99)
    let pixels = decode(bytes, by: decoder, width: 1920, height: 1080)
    #expect(pixels?[3 * 1920 * 1079] == 99)
    let colour = try JPEGBytes.file(width: 1920, height: 16, subsampling: TJSAMP_420) { x, _, _ in
      UInt8(truncatingIfNeeded: x)
    }
    #expect(decode(colour, by: decoder, width: 1920, height: 16) != nil)
    let used = decoder.memoryUsed
    #expect(used < 1 << 19)
  }

  @Test func tablesThatMotionJPEGLeavesOutAreTheUsualOnes() throws {
    let decoder = try decoder()
    let bytes = try picture()
    var bare = bytes
    for _ in 0..<4 { bare = JPEGBytes.file(bare, without: 0xc4) }
    #expect(bare.count < bytes.count)
    #expect(decode(bare, by: decoder) == expected(bytes))
  }

  @Test func bytesAfterTheEndAndAFewBeforeItAreOrdinary() throws {
    let decoder = try decoder()
    let bytes = try picture()
    let expected = expected(bytes)
    #expect(decode(bytes + [UInt8](repeating: 0, count: 5000), by: decoder) == expected)
    let padded = Array(bytes.dropLast(2)) + [0, 0, 0] + bytes.suffix(2)
    #expect(decode(padded, by: decoder) == expected)
    let stuffed = Array(bytes.dropLast(2)) + [UInt8](repeating: 1, count: 400) + bytes.suffix(2)
    #expect(decode(stuffed, by: decoder) == nil)
  }

  @Test func everyTruncationIsDamageAndTheNextPictureIsWhole() throws {
    let decoder = try decoder()
    let bytes = try picture()
    for count in stride(from: 1, to: bytes.count, by: 7) {
      #expect(decode(Array(bytes.prefix(count)), by: decoder) == nil)
    }
    #expect(decode(bytes, by: decoder) == expected(bytes))
  }

  @Test func damageOfAnyKindNeverCrashesAndNeverLasts() throws {
    let decoder = try decoder()
    let bytes = try picture()
    var dice = Dice(state: 5)
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        damaged[Int.random(in: 0..<damaged.count, using: &dice)] = UInt8.random(
          in: 0...255, using: &dice)
      }
      _ = decode(damaged, by: decoder)
    }
    for _ in 0..<100 {
      _ = decode((0..<300).map { _ in UInt8.random(in: 0...255, using: &dice) }, by: decoder)
    }
    #expect(decode(bytes, by: decoder) == expected(bytes))
  }

  @Test func aPictureOfAnotherSizeIsRefused() throws {
    let decoder = try decoder()
    #expect(
      decode(try JPEGBytes.grey(width: 32, height: 32, level: 9), by: decoder) == nil)
  }

  @Test func progressivePicturesWhichNoCameraSendsAreRefused() throws {
    let decoder = try decoder()
    let bytes = try picture(TJSAMP_420, flags: Int32(TJFLAG_PROGRESSIVE))
    #expect(decode(bytes, by: decoder) == nil)
    #expect(decode(try picture(), by: decoder) != nil)
  }
}
