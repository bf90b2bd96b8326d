/// What looking at a coin has told, kept from picture to picture.
public struct CoinMemory: BitwiseCopyable, Sendable {
  /// Where it lay.
  var outline: Outline
  /// The refiner's logit.
  var coinness: Float
  /// How probable each face is by all looks, size aside.
  var faces: FaceProbabilities
  /// What has been made of its outline.
  public internal(set) var trials = OutlineTrials()
  /// How it looks by all looks, as far as coins were taught.
  var look = Embedding()

  /// Nothing yet.
  public static let none = CoinMemory(
    outline: Outline(x: 0, y: 0, radius: 1), coinness: 0, faces: FaceProbabilities())
}
