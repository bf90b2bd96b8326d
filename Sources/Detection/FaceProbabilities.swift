import Frames

/// How probable each face of one coin is. Sums to 1 over the table's faces.
struct FaceProbabilities: BitwiseCopyable {
  var values = InlineArray<64, Float>(repeating: 0)

  /// The probabilities of logits, divided first by `temperature` times `divisor`, the number of
  /// outputs that were added up to make them.
  ///
  /// Precondition: `count` is 1 to 64 and both divisors are positive.
  static func softmax(
    _ logits: borrowing InlineArray<64, Float>, count: Int, temperature: Float, divisor: Float
  ) -> FaceProbabilities {
    precondition(count >= 1 && count <= FaceTable.capacity && temperature > 0 && divisor > 0)
    var highest = logits[0]
    for face in 1..<count { highest = max(highest, logits[face]) }
    let divider = Double(temperature) * Double(divisor)
    var result = FaceProbabilities()
    var sum = 0.0
    for face in 0..<count {
      let weight = ElementaryFunctions.exponential(Double(logits[face] - highest) / divider)
      result.values[face] = Float(weight)
      sum += weight
    }
    for face in 0..<count { result.values[face] = Float(Double(result.values[face]) / sum) }
    return result
  }
}
