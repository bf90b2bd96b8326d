import Announcing

/// Reads a WS2812B's bytes back from the bits on the SPI data line.
enum SPIBits {
  /// The bits of bytes, most significant first.
  static func bits(of bytes: [UInt8]) -> [Bool] {
    bytes.flatMap { byte -> [Bool] in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
  }

  /// The bytes between the silences; `nil` if a bit is neither 110 nor 100 or a silence is shorter
  /// than the 280 µs that newer lights want at 2.4 MHz.
  static func decode(_ bytes: [UInt8]) -> [UInt8]? {
    let bits = SPIBits.bits(of: bytes)
    guard let first = bits.firstIndex(of: true), let last = bits.lastIndex(of: true) else {
      return nil
    }
    let silence = Int(280e-6 * 2.4e6)
    if first < silence || bits.count - last < silence { return nil }
    var decoded: [UInt8] = []
    var part: UInt8 = 0
    var count = 0
    var position = first
    while position <= last {
      guard position + 2 < bits.count, bits[position], !bits[position + 2] else { return nil }
      part = part << 1 | (bits[position + 1] ? 1 : 0)
      count += 1
      if count % 8 == 0 { decoded.append(part) }
      position += 3
    }
    return count % 8 == 0 ? decoded : nil
  }
}

/// A chain of APA102 or SK9822 lights.
///
/// Each light takes the first 32 bits that begin with a one after 32 zeros, sends zeros on
/// meanwhile, and hands everything after that on with its clock turned round, which is half a clock
/// late.
enum ClockedChain {
  /// What each light shows after all bits; `nil` for a light that has got none.
  /// - Parameter latchesLate: whether colours show only at the next 32 zero bits, as an SK9822
  ///   does.
  static func show(_ bytes: [UInt8], lights: Int, latchesLate: Bool) -> [Color?] {
    let bits = SPIBits.bits(of: bytes)
    var shown: [Color?] = []
    // Light k sees its first frame after k others of 32 bits, and its last bit k half clocks late.
    for light in 0..<lights {
      let edges = 2 * bits.count - light
      let first = 32 + 32 * light
      let needed = first + 32
      guard needed <= bits.count, 2 * needed <= edges + light % 2,
        bits[first], bits[first + 1], bits[first + 2]
      else {
        shown.append(nil)
        continue
      }
      let frame = bits[first..<needed].reduce(UInt32(0)) { $0 << 1 | ($1 ? 1 : 0) }
      let color = Color(
        red: UInt8(frame & 255), green: UInt8(frame >> 8 & 255), blue: UInt8(frame >> 16 & 255))
      if latchesLate && !hasLatch(bits, after: 32 + 32 * lights, edges: edges) {
        shown.append(nil)
        continue
      }
      shown.append(color)
    }
    return shown
  }

  /// Whether 32 zero bits after the lights' reach a light that has that many edges.
  private static func hasLatch(_ bits: [Bool], after end: Int, edges: Int) -> Bool {
    end + 32 <= bits.count && 2 * (end + 32) <= edges + 1
      && !bits[end..<end + 32].contains(true)
  }
}
