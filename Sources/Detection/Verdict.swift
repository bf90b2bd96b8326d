/// What the probabilities of a coin's faces say of its value.
struct Verdict: BitwiseCopyable {
  /// Rupiah, or 0 for a coin that is not named.
  var value: Int32 = 0
  var isWithdrawn = false
  /// Probability that `value`, or "a coin" where it is 0, is right.
  var confidence: Float = 0
  /// See `Detection.posterior`.
  var posterior = InlineArray<6, Float>(repeating: 0)
  /// Probability that it is no coin at all.
  var noCoin: Float = 0

  /// Adds the faces up by value and status; names the likeliest pair when it is at least
  /// `leastConfidence` probable.
  ///
  /// A value is never named on the strength of faces of which some are withdrawn and some are
  /// not: which of the two it is decides whether it counts.
  init(
    _ faces: borrowing FaceProbabilities, table: borrowing FaceTable, leastConfidence: Float
  ) {
    var current = InlineArray<5, Float>(repeating: 0)
    var withdrawn = InlineArray<5, Float>(repeating: 0)
    var unnamed: Float = 0
    for face in 0..<table.count {
      let kind = table[face]
      let probability = faces.values[face]
      if kind.valueIndex >= 0 {
        if kind.isWithdrawn {
          withdrawn[Int(kind.valueIndex)] += probability
        } else {
          current[Int(kind.valueIndex)] += probability
        }
      } else {
        unnamed += probability
        if kind.isNoCoin { noCoin += probability }
      }
    }
    var best: Float = -1
    for index in 0..<5 {
      posterior[index] = current[index] + withdrawn[index]
      if current[index] > best {
        best = current[index]
        value = Detection.values[index]
        isWithdrawn = false
      }
      if withdrawn[index] > best {
        best = withdrawn[index]
        value = Detection.values[index]
        isWithdrawn = true
      }
    }
    posterior[5] = unnamed
    if best >= leastConfidence && best > unnamed {
      confidence = min(1, best)
    } else {
      value = 0
      isWithdrawn = false
      confidence = max(0, min(1, 1 - noCoin))
    }
  }
}
