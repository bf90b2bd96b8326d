/// What looking at a coin has told, kept from picture to picture.
public struct CoinMemory: BitwiseCopyable, Sendable {
  /// Where it lay.
  var outline: Outline
  /// The refiner's logit.
  var coinness: Float
  /// How probable each face is by looks alone.
  var faces: FaceProbabilities
  /// How it looks, as the last look told.
  var embedding = Embedding()

  /// Nothing yet.
  public static let none = CoinMemory(
    outline: Outline(x: 0, y: 0, radius: 1), coinness: 0, faces: FaceProbabilities())

  /// Adds a later look at the same coin, the `count`th: the newest outline, the mean of the faces.
  public mutating func add(_ look: CoinMemory, count: Int) {
    outline = look.outline
    coinness = look.coinness
    embedding = look.embedding
    let weight = 1 / Float(max(1, count))
    for face in 0..<FaceTable.capacity {
      faces.values[face] += weight * (look.faces.values[face] - faces.values[face])
    }
  }
}
