import Frames

/// A smaller circle that touches a coin's outline from within, tried in its place.
///
/// The refiner may take a dark coin's shadow for a part of it. The outline is then too wide on one
/// side, and the classifier sees the coin off its middle.
struct Inset: BitwiseCopyable, Equatable {
  /// Move of the centre, in radii of the outline.
  var x: Float = 0
  /// Move of the centre, in radii of the outline, downwards.
  var y: Float = 0
  /// Factor of the radius.
  var growth: Float = 1

  /// The outline itself.
  static let none = Inset()
  /// How many insets a round tries: one towards every eighth of the turn.
  static let directions = 8
  /// By how much smaller the circles of each round are. Outlines were measured up to 0.18 too wide;
  /// coins of which a tenth was taken off were read then too, and a circle still smaller begins to
  /// cut digits off, so that Rp1000 looks like Rp100.
  static let shares: InlineArray<2, Float> = [0.05, 0.1]

  private init() {}

  /// One of the insets of a round.
  ///
  /// Precondition: `0 <= round < shares.count` and `0 <= index < directions`.
  init(round: Int, index: Int) {
    let share = Inset.shares[round]
    let turn = Double(index) / Double(Inset.directions)
    let direction = ElementaryFunctions.sineAndCosine(2 * ElementaryFunctions.pi * turn)
    x = share * Float(direction.cosine)
    y = share * Float(direction.sine)
    growth = 1 - share
  }
}

/// What has been made of a coin's outline in the place of the refiner's.
public struct OutlineTrials: BitwiseCopyable, Sendable {
  /// What was best.
  var inset = Inset.none
  /// How many rounds of insets have been tried.
  var rounds = 0

  /// Nothing has been tried, as where another coin may lie, or in other light.
  public init() {}
}

extension Outline {
  /// The outline made smaller.
  func applying(_ inset: Inset) -> Outline {
    Outline(
      x: x + inset.x * radius, y: y + inset.y * radius, radius: radius * inset.growth,
      cosineStrain: cosineStrain, sineStrain: sineStrain)
  }

  /// What this was before `applying(inset)`.
  func removing(_ inset: Inset) -> Outline {
    let before = radius / inset.growth
    return Outline(
      x: x - inset.x * before, y: y - inset.y * before, radius: before,
      cosineStrain: cosineStrain, sineStrain: sineStrain)
  }
}
