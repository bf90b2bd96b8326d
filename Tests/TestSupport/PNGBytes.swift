/// Builds PNG files of every kind from samples, without a PNG library: the oracle of the decoder.
package struct PNGBytes {
  /// What the samples of a pixel are, as the file numbers it.
  package enum Color: UInt8 {
    case grey = 0
    case rgb = 2
    case palette = 3
    case greyOpacity = 4
    case rgbOpacity = 6

    var channels: Int {
      switch self {
      case .grey, .palette: 1
      case .greyOpacity: 2
      case .rgb: 3
      case .rgbOpacity: 4
      }
    }
  }

  package var width: Int
  package var height: Int
  package var color: Color
  package var depth: Int
  package var isInterlaced: Bool
  /// Chunks put before the pixels, and after them.
  package var before: [(name: String, data: [UInt8])]
  package var after: [(name: String, data: [UInt8])] = []

  /// A picture of 8-bit red, green and blue unless other fields say so.
  package init(
    width: Int, height: Int, color: Color = .rgb, depth: Int = 8, isInterlaced: Bool = false,
    before: [(name: String, data: [UInt8])] = []
  ) {
    self.width = width
    self.height = height
    self.color = color
    self.depth = depth
    self.isInterlaced = isInterlaced
    self.before = before
  }

  /// The file whose sample of column, row and channel is what `sample` says.
  package func file(_ sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int) -> [UInt8] {
    var pixels: [UInt8] = []
    for pass in isInterlaced ? Self.passes : [(0, 0, 1, 1)] {
      let columns = Array(stride(from: pass.0, to: width, by: pass.2))
      if columns.isEmpty { continue }
      for y in stride(from: pass.1, to: height, by: pass.3) {
        pixels.append(0)
        pixels += row(columns.flatMap { x in (0..<color.channels).map { sample(x, y, $0) } })
      }
    }
    return Self.mark + chunk("IHDR", headerData) + before.flatMap { chunk($0.name, $0.data) }
      + chunk("IDAT", Self.stored(pixels)) + after.flatMap { chunk($0.name, $0.data) }
      + chunk("IEND", [])
  }

  /// The content of the chunk IHDR.
  package var headerData: [UInt8] {
    bigEndian(width) + bigEndian(height)
      + [UInt8(depth), color.rawValue, 0, 0, isInterlaced ? 1 : 0]
  }

  /// What every file begins with.
  package static let mark: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]
  private static let passes = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
    (0, 1, 1, 2),
  ]

  /// Packs samples of `depth` bits into the bytes of a row.
  private func row(_ samples: [Int]) -> [UInt8] {
    if depth == 16 { return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
    if depth == 8 { return samples.map { UInt8($0) } }
    var bytes = [UInt8](repeating: 0, count: (samples.count * depth + 7) / 8)
    for (index, value) in samples.enumerated() {
      let bit = index * depth
      bytes[bit / 8] |= UInt8(value << (8 - depth - bit % 8))
    }
    return bytes
  }

  /// A zlib stream that stores its bytes as they are.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var position = 0
    repeat {
      let size = min(65535, bytes.count - position)
      let isLast = position + size == bytes.count
      stream += [isLast ? 1 : 0, UInt8(size & 255), UInt8(size >> 8)]
      stream += [UInt8(~size & 255), UInt8(~size >> 8 & 255)]
      stream += bytes[position..<position + size]
      position += size
    } while position < bytes.count
    var low = 1
    var high = 0
    for byte in bytes {
      low = (low + Int(byte)) % 65521
      high = (high + low) % 65521
    }
    return stream + bigEndian(high << 16 | low)
  }
}

/// A chunk with its length and checksum.
package func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
  let body = Array(name.utf8) + data
  var register: UInt32 = 0xffff_ffff
  for byte in body {
    register ^= UInt32(byte)
    for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0xedb8_8320 : register >> 1 }
  }
  return bigEndian(data.count) + body + bigEndian(Int(~register))
}

/// The four bytes of a number, highest first.
package func bigEndian(_ value: Int) -> [UInt8] {
  [UInt8(value >> 24 & 255), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
}
