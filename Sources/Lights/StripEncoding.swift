import Announcing

/// Bytes that make a strip show its lights.
///
/// Room for the longest strip of the kind that takes most: 144 lights of 9 bytes between two
/// pauses.
public typealias StripBytes = Text<1500>

/// Turns the colours of a strip into the bytes its kind wants.
public enum StripEncoding {
  /// Clock of the SPI bus for WS2812B in hertz: three bits of 417 ns for each bit of a colour.
  static let ws2812bSpeed = 2_400_000
  /// Bytes of silence before and after a WS2812B's colours: 300 µs, of which newer ones need 280 to
  /// take the colours over.
  static let ws2812bPause = 90

  /// Appends the bytes of one picture of the strip.
  /// - Parameters:
  ///   - colors: the lights, first to last, at most 144.
  ///   - kind: the strip's kind, not `none`.
  ///   - order: the order in which a light takes its colours.
  ///   - current: share of the full current of each light in 31sts, 1 to 31, where the kind has
  ///     such a setting.
  public static func append(
    _ colors: Span<Color>, kind: StripSettings.Kind, order: StripSettings.Order, current: Int,
    to bytes: inout StripBytes
  ) {
    switch kind {
    case .none: break
    case .apa102, .sk9822:
      appendClocked(
        colors, order: order == .usual ? .bgr : order, current: UInt8(current), to: &bytes)
    case .ws2812b:
      appendTimed(colors, order: order == .usual ? .grb : order, to: &bytes)
    }
  }

  /// A start of 32 zero bits; for each light a byte of its current and three of its colours; and an
  /// end.
  ///
  /// The end is made for both kinds. An SK9822 takes its colours over at the next 32 zero bits.
  /// Each light hands on what follows half a clock later, so that the last of n gets its bits only
  /// after n/2 more edges than were sent for it: n/2 more bits. They are zeros, because ones would
  /// light whatever hangs on the strip beyond the length that is set.
  private static func appendClocked(
    _ colors: Span<Color>, order: StripSettings.Order, current: UInt8, to bytes: inout StripBytes
  ) {
    for _ in 0..<4 { bytes.append(byte: 0) }
    for index in 0..<colors.count {
      bytes.append(byte: 0xe0 | current)
      let (first, second, third) = colors[index].parts(in: order)
      bytes.append(byte: first)
      bytes.append(byte: second)
      bytes.append(byte: third)
    }
    for _ in 0..<4 { bytes.append(byte: 0) }
    for _ in 0..<(colors.count + 15) / 16 { bytes.append(byte: 0) }
  }

  /// Silence; each bit of each colour as three bits, 110 for a one and 100 for a zero; silence.
  private static func appendTimed(
    _ colors: Span<Color>, order: StripSettings.Order, to bytes: inout StripBytes
  ) {
    // A bus whose data line rests at one would spoil the first light without the leading silence.
    for _ in 0..<ws2812bPause { bytes.append(byte: 0) }
    for index in 0..<colors.count {
      let (first, second, third) = colors[index].parts(in: order)
      append(timed: first, to: &bytes)
      append(timed: second, to: &bytes)
      append(timed: third, to: &bytes)
    }
    for _ in 0..<ws2812bPause { bytes.append(byte: 0) }
  }

  private static func append(timed part: UInt8, to bytes: inout StripBytes) {
    var bits: UInt32 = 0
    for shift in stride(from: 7, through: 0, by: -1) {
      bits = bits << 3 | (part >> UInt8(shift) & 1 == 1 ? 0b110 : 0b100)
    }
    bytes.append(byte: UInt8(truncatingIfNeeded: bits >> 16))
    bytes.append(byte: UInt8(truncatingIfNeeded: bits >> 8))
    bytes.append(byte: UInt8(truncatingIfNeeded: bits))
  }
}

extension Color {
  /// The three parts in the order a light takes them; `usual` stands for red, green, blue here.
  fileprivate func parts(in order: StripSettings.Order) -> (UInt8, UInt8, UInt8) {
    switch order {
    case .usual, .rgb: (red, green, blue)
    case .rbg: (red, blue, green)
    case .grb: (green, red, blue)
    case .gbr: (green, blue, red)
    case .brg: (blue, red, green)
    case .bgr: (blue, green, red)
    }
  }
}
