/// Exponential, logarithm, sine and cosine made of IEEE additions, multiplications and divisions
/// only, so that every machine gets the same bits; a system's mathematical library promises none.
///
/// All work in double precision and are within two units in the last place of it.
public enum ElementaryFunctions {
  private static let logarithmOfTwoHigh = 0.693147180369123816490
  private static let logarithmOfTwoLow = 1.90821492927058770002e-10
  private static let quarterTurnHigh = 1.57079632673412561417
  private static let quarterTurnLow = 6.07710050650619224932e-11

  /// The ratio of a circle's circumference to its diameter.
  public static let pi = 3.14159265358979323846

  /// e to the power `x`. Arguments beyond ±700 give the result for ±700.
  public static func exponential(_ x: Double) -> Double {
    let bounded = max(-700, min(700, x))
    let doublings = nearestInteger(bounded * 1.44269504088896340736)
    let count = Double(doublings)
    let rest = (bounded - count * logarithmOfTwoHigh) - count * logarithmOfTwoLow
    // Taylor's series by Horner's rule; |rest| < 0.35, so 14 terms reach the last place.
    var sum = 1.0
    var term = 13.0
    while term >= 1 {
      sum = 1 + sum * rest / term
      term -= 1
    }
    return sum * Double(bitPattern: UInt64(1023 + doublings) << 52)
  }

  /// The natural logarithm of `x`. Precondition: `x` is positive, finite and normal.
  public static func logarithm(_ x: Double) -> Double {
    precondition(x >= Double.leastNormalMagnitude && x.isFinite)
    var exponent = Int(x.bitPattern >> 52) - 1023
    var mantissa = Double(bitPattern: (x.bitPattern & 0x000f_ffff_ffff_ffff) | (1023 << 52))
    if mantissa > 1.41421356237309504880 {
      mantissa *= 0.5
      exponent += 1
    }
    let ratio = (mantissa - 1) / (mantissa + 1)
    let square = ratio * ratio
    // ln m = 2 artanh((m - 1) / (m + 1)); |ratio| < 0.172, so 12 terms reach the last place.
    var sum = 0.0
    var odd = 23.0
    while odd >= 3 {
      sum = (sum + 1 / odd) * square
      odd -= 2
    }
    let count = Double(exponent)
    return count * logarithmOfTwoHigh + (count * logarithmOfTwoLow + 2 * ratio * (1 + sum))
  }

  /// Sine and cosine of `angle` in radians. Precondition: `abs(angle) < 1e5`.
  public static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
    precondition(abs(angle) < 1e5)
    let quarters = nearestInteger(angle * 0.63661977236758134308)
    let count = Double(quarters)
    let rest = (angle - count * quarterTurnHigh) - count * quarterTurnLow
    let square = rest * rest
    var sine = 1.0
    var cosine = 1.0
    var order = 16.0
    while order >= 2 {
      sine = 1 - sine * square / (order * (order + 1))
      cosine = 1 - cosine * square / (order * (order - 1))
      order -= 2
    }
    sine *= rest
    switch quarters & 3 {
    case 0: return (sine, cosine)
    case 1: return (cosine, -sine)
    case 2: return (-sine, -cosine)
    default: return (-cosine, sine)
    }
  }

  /// The logistic function 1 / (1 + e^-x): the probability a logit stands for.
  public static func probability(ofLogit x: Double) -> Double {
    1 / (1 + exponential(-x))
  }

  /// The integer nearest to `x`, halves upwards. Precondition: `x` fits an `Int`.
  public static func nearestInteger(_ x: Double) -> Int {
    floor(x + 0.5)
  }

  /// The greatest integer not above `x`. Precondition: `x` fits an `Int`.
  public static func floor(_ x: Double) -> Int {
    let truncated = Int(x)
    return Double(truncated) > x ? truncated - 1 : truncated
  }
}
