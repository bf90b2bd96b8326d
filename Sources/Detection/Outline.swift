import Frames

/// A coin's outline: an ellipse in a picture.
public struct Outline: BitwiseCopyable, Sendable, Equatable {
  /// Centre, in pixels of the picture; the top left pixel's centre is (0.5, 0.5).
  public var x: Float
  /// Centre, in pixels of the picture, downwards.
  public var y: Float
  /// Radius of the circle of the same area, in pixels.
  public var radius: Float
  /// ln(a/b) cos 2φ for semi-axes a ≥ b, the longer one at the angle φ from +x towards +y.
  public var cosineStrain: Float
  /// ln(a/b) sin 2φ.
  public var sineStrain: Float

  /// Makes an outline; without strains, a circle.
  public init(
    x: Float, y: Float, radius: Float, cosineStrain: Float = 0, sineStrain: Float = 0
  ) {
    self.x = x
    self.y = y
    self.radius = radius
    self.cosineStrain = cosineStrain
    self.sineStrain = sineStrain
  }

  /// The longer axis, in pixels.
  public var longerAxis: Float {
    let strain =
      (Double(cosineStrain) * Double(cosineStrain) + Double(sineStrain) * Double(sineStrain))
      .squareRoot()
    return 2 * radius * Float(ElementaryFunctions.exponential(0.5 * strain))
  }

  /// What makes the circle of `radius` the outline.
  public var stretch: Stretch { Stretch(cosineStrain: cosineStrain, sineStrain: sineStrain) }

  /// The outline as corrected by the refiner, whose patch was taken for this outline's circle.
  ///
  /// Corrections beyond what the refiner is trained for are cut back: the centre moves by at most
  /// 0.75 radii along each axis, the radius changes by at most a factor of 2, and the longer axis
  /// is at most e times the shorter.
  public func corrected(by correction: OutlineCorrection) -> Outline {
    let strain =
      (Double(correction.cosineStrain) * Double(correction.cosineStrain)
      + Double(correction.sineStrain) * Double(correction.sineStrain)).squareRoot()
    let bound = Float(strain > 1 ? 1 / strain : 1)
    let growth = ElementaryFunctions.exponential(
      Double(max(-0.6931, min(0.6931, correction.logRadius))))
    return Outline(
      x: x + radius * max(-0.75, min(0.75, correction.x)),
      y: y + radius * max(-0.75, min(0.75, correction.y)),
      radius: radius * Float(growth),
      cosineStrain: correction.cosineStrain * bound,
      sineStrain: correction.sineStrain * bound)
  }
}

/// What the refiner says of a coin, relative to the circle its patch was taken for.
public struct OutlineCorrection: BitwiseCopyable, Sendable {
  /// Where the centre is, in radii of the circle, along x.
  public var x: Float
  /// Where the centre is, in radii of the circle, along y.
  public var y: Float
  /// ln of the mean radius over the circle's.
  public var logRadius: Float
  /// See `Outline.cosineStrain`.
  public var cosineStrain: Float
  /// See `Outline.sineStrain`.
  public var sineStrain: Float

  /// Makes a correction of the refiner's five outputs.
  public init(x: Float, y: Float, logRadius: Float, cosineStrain: Float, sineStrain: Float) {
    self.x = x
    self.y = y
    self.logRadius = logRadius
    self.cosineStrain = cosineStrain
    self.sineStrain = sineStrain
  }
}
