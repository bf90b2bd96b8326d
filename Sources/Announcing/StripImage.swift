import Counting
import Frames

/// Colour of one light, each part 0 to 255.
public struct Color: BitwiseCopyable, Sendable, Equatable {
  /// Red part.
  public var red: UInt8
  /// Green part.
  public var green: UInt8
  /// Blue part.
  public var blue: UInt8

  /// Makes a colour from its parts.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// A light that is off.
  public static let off = Color(red: 0, green: 0, blue: 0)

  /// This colour at a share of its brightness, 0 to 100 percent.
  func scaled(to percent: Int) -> Color {
    Color(
      red: UInt8(Int(red) * percent / 100), green: UInt8(Int(green) * percent / 100),
      blue: UInt8(Int(blue) * percent / 100))
  }
}

/// What a strip of lights shows of a total, digit by digit.
///
/// From the first light on, each digit of the total is a run of as many lights as it says, in the
/// colour of its place (usually ten thousands violet, thousands blue, hundreds green, tens yellow,
/// ones white); a zero is a single faint white light; one dark light parts the digits. Coins that
/// are not named are orange lights counted from the other end, and there a red last light means a
/// part has stopped working. A hold shows the last total at a quarter of its brightness. A total
/// that does not fit is never shown in part: then every light is faint violet.
public struct StripImage: ~Copyable {
  /// Most lights a strip can have.
  public static let capacity = 144

  private var colors: FixedList<144, Color>
  private let length: Int
  private let brightness: Int
  private let palette: StripPalette

  /// Begins with all lights off.
  /// - Parameters:
  ///   - length: lights of the strip, 8 to 144.
  ///   - brightness: percent of full brightness, 1 to 100.
  ///   - palette: what is shown in which colour.
  public init(length: Int, brightness: Int, palette: StripPalette = StripPalette()) {
    precondition(length >= 8 && length <= StripImage.capacity)
    precondition(brightness >= 1 && brightness <= 100)
    self.length = length
    self.brightness = brightness
    self.palette = palette
    colors = FixedList(filler: .off)
    clear()
  }

  /// The lights, first to last.
  public var span: Span<Color> {
    @_lifetime(borrow self)
    borrowing get { colors.span }
  }

  /// Shows a total.
  public mutating func show(_ total: Total, isHolding: Bool, hasFault: Bool) {
    clear()
    let level = isHolding ? max(1, brightness / 4) : brightness
    let faults = hasFault ? 1 : 0
    let digits = total.coins == 0 ? 0 : width(of: Int(total.total))
    if digits + Int(total.unsure) + faults + 1 > length {
      for index in 0..<length { colors[index] = palette.overflow.scaled(to: level) }
    } else {
      if total.coins > 0 { draw(Int(total.total), level: level) }
      for index in 0..<Int(total.unsure) {
        colors[length - 1 - faults - index] = palette.unsure.scaled(to: level)
      }
    }
    if hasFault { colors[length - 1] = palette.fault.scaled(to: level) }
  }

  /// Makes every light dark.
  public mutating func clear() {
    colors.removeAll()
    for _ in 0..<length { colors.append(.off) }
  }

  /// The largest power of ten not above `number`; 1 for 0.
  private func highestPlace(of number: Int) -> Int {
    var place = 1
    while number / place >= 10 { place *= 10 }
    return place
  }

  /// How many lights the digits of `number` take.
  private func width(of number: Int) -> Int {
    var place = highestPlace(of: number)
    var width = -1
    while place > 0 {
      width += 1 + max(1, number / place % 10)
      place /= 10
    }
    return width
  }

  private mutating func draw(_ number: Int, level: Int) {
    var place = highestPlace(of: number)
    var index = 0
    while place > 0 {
      let digit = number / place % 10
      let shade = digit == 0 ? palette.zero : palette.color(of: place)
      for _ in 0..<max(1, digit) {
        colors[index] = shade.scaled(to: level)
        index += 1
      }
      index += 1
      place /= 10
    }
  }
}
