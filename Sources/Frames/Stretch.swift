/// The symmetric matrix that maps a circle onto an ellipse of the same area.
public struct Stretch: BitwiseCopyable, Sendable, Equatable {
  /// First row, first column.
  public var xx: Float
  /// First row, second column, and second row, first column.
  public var xy: Float
  /// Second row, second column.
  public var yy: Float

  /// No stretch: the circle stays one.
  public static let none = Stretch(xx: 1, xy: 0, yy: 1)

  /// Makes a stretch of its three entries.
  public init(xx: Float, xy: Float, yy: Float) {
    self.xx = xx
    self.xy = xy
    self.yy = yy
  }

  /// The stretch of an ellipse with semi-axes a ≥ b and its longer axis at the angle φ, from +x
  /// towards +y, given ln(a/b) cos 2φ and ln(a/b) sin 2φ.
  ///
  /// It is the exponential of half that traceless strain: its eigenvalues are the square roots
  /// of a/b and of b/a.
  public init(cosineStrain: Float, sineStrain: Float) {
    let cosine = 0.5 * Double(cosineStrain)
    let sine = 0.5 * Double(sineStrain)
    let amount = (cosine * cosine + sine * sine).squareRoot()
    if amount < 1e-9 {
      self = .none
      return
    }
    let growth = ElementaryFunctions.exponential(amount)
    let even = 0.5 * (growth + 1 / growth)
    let odd = 0.5 * (growth - 1 / growth) / amount
    xx = Float(even + odd * cosine)
    xy = Float(odd * sine)
    yy = Float(even - odd * cosine)
  }
}
