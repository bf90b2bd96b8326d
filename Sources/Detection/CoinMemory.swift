/// What looking at a coin has told, kept from picture to picture.
public struct CoinMemory: BitwiseCopyable, Sendable {
  /// Where it lay.
  var outline: Outline
  /// The refiner's logit.
  var coinness: Float
  /// How probable each face is by all looks, size aside.
  var faces: FaceProbabilities

  /// Nothing yet.
  public static let none = CoinMemory(
    outline: Outline(x: 0, y: 0, radius: 1), coinness: 0, faces: FaceProbabilities())
}
