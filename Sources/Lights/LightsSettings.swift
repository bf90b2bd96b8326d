import Announcing

/// Which lights there are and where.
public struct LightsSettings: BitwiseCopyable, Sendable, Equatable {
  /// The lights that stand alone.
  public var lamps = LampSettings()
  /// The strip.
  public var strip = StripSettings()

  /// Makes settings without any light.
  public init() {}

  /// Whether there is any light at all.
  public var hasLights: Bool { lamps.count > 0 || strip.kind != .none }
}

/// The lights that stand alone, each on a GPIO line.
public struct LampSettings: BitwiseCopyable, Sendable, Equatable {
  /// Most lights of the bar: as many addresses as fit a line of the configuration.
  public static let barCapacity = 10

  /// Lit while the program counts.
  public var ready: LineAddress?
  /// Lit while the tray is being judged: something moves, or a change has not settled yet.
  public var counting: LineAddress?
  /// Lit while coins lie there that are not named.
  public var unsure: LineAddress?
  /// Lit while a part does not work.
  public var fault: LineAddress?
  /// Lights that show the total's share of the target, the lowest first.
  public private(set) var bar = [10 of LineAddress?](repeating: nil)
  /// How many lights the bar has, 0 to `barCapacity`.
  public private(set) var barCount = 0
  /// The total in rupiah at which the whole bar is lit, at least 1.
  public var target = 10_000
  /// Whether a light is lit by the line's low level.
  public var isActiveLow = false

  /// Makes settings without lights.
  public init() {}

  /// How many lights there are.
  public var count: Int {
    barCount + (ready == nil ? 0 : 1) + (counting == nil ? 0 : 1) + (unsure == nil ? 0 : 1)
      + (fault == nil ? 0 : 1)
  }

  /// Adds a light at the upper end of the bar; returns `false` when it is full.
  public mutating func appendToBar(_ address: LineAddress) -> Bool {
    if barCount == LampSettings.barCapacity { return false }
    bar[barCount] = address
    barCount += 1
    return true
  }

  /// Takes the bar away.
  public mutating func removeBar() {
    barCount = 0
    bar = [10 of LineAddress?](repeating: nil)
  }

  /// Whether both mean the same lights.
  public static func == (first: LampSettings, second: LampSettings) -> Bool {
    if first.ready != second.ready || first.counting != second.counting
      || first.unsure != second.unsure || first.fault != second.fault
      || first.barCount != second.barCount || first.target != second.target
      || first.isActiveLow != second.isActiveLow
    {
      return false
    }
    for index in 0..<first.barCount where first.bar[index] != second.bar[index] { return false }
    return true
  }
}

/// The strip of lights and what it is connected to.
public struct StripSettings: BitwiseCopyable, Sendable, Equatable {
  /// The kinds of strip.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// There is none.
    case none
    /// APA102, also sold as DotStar: clock and data.
    case apa102
    /// SK9822: wired as APA102, but shows a frame only when the next one begins.
    case sk9822
    /// WS2812B, also sold as NeoPixel: data alone.
    case ws2812b
  }

  /// The order in which a light takes its colours.
  public enum Order: UInt8, BitwiseCopyable, Sendable {
    /// As the kind usually has it: blue, green, red for APA102 and SK9822; green, red, blue for
    /// WS2812B.
    case usual
    /// Red, green, blue.
    case rgb
    /// Red, blue, green.
    case rbg
    /// Green, red, blue.
    case grb
    /// Green, blue, red.
    case gbr
    /// Blue, red, green.
    case brg
    /// Blue, green, red.
    case bgr
  }

  /// The kind of strip.
  public var kind = Kind.none
  /// Lights of the strip, 8 to 144.
  public var length = 60
  /// Percent of the lights' full brightness, 1 to 100.
  public var brightness = 60
  /// The order of colours.
  public var order = Order.usual
  /// Path of the spidev node, with its NUL.
  public var device: Text<128>
  /// The clock line of an APA102 or SK9822 that is not on SPI.
  public var clock: LineAddress?
  /// The data line of an APA102 or SK9822 that is not on SPI.
  public var data: LineAddress?
  /// Clock of the SPI bus for APA102 and SK9822 in hertz, 100,000 to 20,000,000.
  public var speed = 4_000_000
  /// What is shown in which colour.
  public var palette = StripPalette()

  /// Makes settings without a strip.
  public init() {
    device = Text()
    device.append("/dev/spidev0.0")
    device.append(byte: 0)
  }
}
