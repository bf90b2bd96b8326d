import Frames

/// What the classifier makes of a coin before it names it: a direction in as many dimensions as its
/// output `embedding` has, and what is where on the coin. Coins that look alike have like directions
/// and reliefs.
public struct Embedding: BitwiseCopyable, Sendable {
  /// Most dimensions.
  public static let capacity = 64
  /// What the direction weighs beside the relief. The direction knows metal and the kinds the model
  /// has learned; of kinds it has never seen the relief tells more.
  static let directionWeight: Float = 0.6

  /// The direction, scaled so that the largest element is 127 or -127; 0 beyond the network's
  /// dimensions.
  public var values = InlineArray<64, Int8>(repeating: 0)
  /// What is where on the coin; without angles where the model does not tell.
  public var relief = Relief()

  /// No direction.
  public init() {}

  /// The direction of sums of the network's outputs, in real numbers.
  init(sums: borrowing InlineArray<64, Float>) {
    var largest: Float = 0
    for index in 0..<Embedding.capacity { largest = max(largest, abs(sums[index])) }
    if largest == 0 { return }
    for index in 0..<Embedding.capacity {
      values[index] = Int8(ElementaryFunctions.nearestInteger(Double(sums[index] / largest * 127)))
    }
  }

  /// How far apart two looks are: 0 where they are one, about 1 where they have nothing in common, 2
  /// where they are opposite.
  public func distance(to other: Embedding) -> Float {
    let direction = angle(to: other)
    if relief.angles == 0 && other.relief.angles == 0 { return direction }
    let weight = Embedding.directionWeight
    return (relief.distance(to: other.relief) + weight * direction) / (1 + weight)
  }

  /// How far apart two directions are: 0 where they are one, 1 at a right angle, 2 opposite.
  private func angle(to other: Embedding) -> Float {
    var product: Int32 = 0
    var own: Int32 = 0
    var theirs: Int32 = 0
    for index in 0..<Embedding.capacity {
      let a = Int32(values[index])
      let b = Int32(other.values[index])
      product += a * b
      own += a * a
      theirs += b * b
    }
    if own == 0 || theirs == 0 { return 1 }
    // Products of two such sums do not fit 32 bits.
    let lengths = (Double(own) * Double(theirs)).squareRoot()
    return Float(1 - Double(product) / lengths)
  }
}
