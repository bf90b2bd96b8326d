/// The colours a strip of lights shows things in.
public struct StripPalette: BitwiseCopyable, Sendable, Equatable {
  /// The digit of the ones.
  public var ones = Color(red: 200, green: 200, blue: 200)
  /// The digit of the tens.
  public var tens = Color(red: 230, green: 200, blue: 0)
  /// The digit of the hundreds.
  public var hundreds = Color(red: 0, green: 220, blue: 40)
  /// The digit of the thousands.
  public var thousands = Color(red: 20, green: 60, blue: 255)
  /// The digit of the ten thousands and of everything above.
  public var tenThousands = Color(red: 180, green: 0, blue: 255)
  /// A digit that is zero.
  public var zero = Color(red: 40, green: 40, blue: 40)
  /// A coin that is not named.
  public var unsure = Color(red: 255, green: 110, blue: 0)
  /// A part that has stopped working.
  public var fault = Color(red: 255, green: 0, blue: 0)
  /// Every light, when the total does not fit.
  public var overflow = Color(red: 60, green: 0, blue: 60)

  /// Makes the usual colours.
  public init() {}

  /// Colour of the digit worth `place` rupiah, a power of ten.
  func color(of place: Int) -> Color {
    switch place {
    case 1: ones
    case 10: tens
    case 100: hundreds
    case 1000: thousands
    default: tenThousands
    }
  }
}
