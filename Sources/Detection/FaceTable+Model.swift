import Engine

extension FaceTable {
  /// Reads the labels of a model, in the order of the classifier's logits.
  ///
  /// A label of the kind "not-a-coin" is no coin; any other without a value is a coin not named.
  init(_ model: Model) throws(FinderError) {
    self.init()
    var hasForeign = false
    var hasNoCoin = false
    for index in 0..<model.labelCount {
      let label = model.label(index)
      let isAdded: Bool
      if label.value != 0 {
        isAdded = addFace(
          value: Int(label.value), isWithdrawn: label.isWithdrawn, diameter: label.diameter)
      } else {
        let isNoCoin = label.kind == "not-a-coin"
        isAdded = addUnnamed(isNoCoin: isNoCoin)
        if isNoCoin { hasNoCoin = true } else { hasForeign = true }
      }
      guard isAdded else { throw .labelUnusable(index) }
    }
    guard hasForeign else { throw .labelMissing("foreign") }
    guard hasNoCoin else { throw .labelMissing("not-a-coin") }
  }
}
