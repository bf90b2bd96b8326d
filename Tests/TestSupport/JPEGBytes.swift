import CTurboJPEG

/// Builds JPEG files from pixels, and puts marker segments into them.
package enum JPEGBytes {
  /// Encodes interleaved samples; `format` says how many there are in a pixel.
  package static func file(
    width: Int, height: Int, format: TJPF = TJPF_RGB, subsampling: TJSAMP = TJSAMP_444,
    flags: Int32 = 0, _ sample: (_ x: Int, _ y: Int, _ channel: Int) -> UInt8
  ) throws -> [UInt8] {
    let channels = format == TJPF_CMYK ? 4 : format == TJPF_GRAY ? 1 : 3
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<channels { pixels.append(sample(x, y, channel)) }
      }
    }
    return try encoded(
      pixels, width: width, height: height, format: format, subsampling: subsampling, flags: flags)
  }

  /// A grey picture of one level.
  package static func grey(width: Int, height: Int, level: UInt8) throws -> [UInt8] {
    try encoded(
      [UInt8](repeating: level, count: width * height), width: width, height: height,
      format: TJPF_GRAY, subsampling: TJSAMP_GRAY, flags: 0)
  }

  private static func encoded(
    _ pixels: [UInt8], width: Int, height: Int, format: TJPF, subsampling: TJSAMP, flags: Int32
  ) throws -> [UInt8] {
    let compressor = tjInitCompress()
    defer { tjDestroy(compressor) }
    var encoded: UnsafeMutablePointer<UInt8>?
    var size: UInt = 0
    let status = tjCompress2(
      compressor, pixels, Int32(width), 0, Int32(height), format.rawValueAsInt, &encoded, &size,
      Int32(subsampling.rawValue), 97, flags)
    defer { tjFree(encoded) }
    guard status == 0, let encoded else { throw EncodingFailure() }
    return Array(UnsafeBufferPointer(start: encoded, count: Int(size)))
  }

  package struct EncodingFailure: Error {}

  /// A marker segment.
  package static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
    [0xff, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 255)] + data
  }

  /// `file` with `segment` as its first.
  package static func file(_ file: [UInt8], with segment: [UInt8]) -> [UInt8] {
    Array(file[..<2]) + segment + Array(file[2...])
  }

  /// `file` without its first segment of kind `marker`.
  package static func file(_ file: [UInt8], without marker: UInt8) -> [UInt8] {
    guard let start = offset(of: marker, in: file) else { return file }
    let length = Int(file[start + 2]) << 8 | Int(file[start + 3])
    return Array(file[..<start]) + Array(file[(start + 2 + length)...])
  }

  /// Where the first segment of kind `marker` begins.
  package static func offset(of marker: UInt8, in file: [UInt8]) -> Int? {
    var position = 2
    while position + 4 <= file.count && file[position] == 0xff {
      if file[position + 1] == marker { return position }
      position += 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
    }
    return nil
  }
}

extension TJPF {
  fileprivate var rawValueAsInt: Int32 { Int32(rawValue) }
}

/// Exif data that says nothing but the orientation.
package func exif(orientation: Int, isBigEndian: Bool = true) -> [UInt8] {
  func short(_ value: Int) -> [UInt8] {
    let bytes = [UInt8(value >> 8), UInt8(value & 255)]
    return isBigEndian ? bytes : bytes.reversed()
  }
  func long(_ value: Int) -> [UInt8] {
    isBigEndian ? short(0) + short(value) : short(value) + short(0)
  }
  return Array((isBigEndian ? "MM" : "II").utf8) + short(42) + long(8) + short(2)
    + short(256) + short(4) + long(1) + long(640)
    + short(274) + short(3) + long(1) + short(orientation) + short(0) + long(0)
}

/// `exif` as the marker segment of a JPEG file.
package func exifSegment(orientation: Int, isBigEndian: Bool = true) -> [UInt8] {
  JPEGBytes.segment(
    0xe1,
    Array("Exif\0\0".utf8) + exif(orientation: orientation, isBigEndian: isBigEndian))
}
