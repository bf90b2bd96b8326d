import Detection
import Engine

/// What a coin that the classifier does not name costs besides, once coins have been taught: its look
/// is compared with every look of as many taught kinds as there may be, turned each way.
public struct TaughtWork: ~Copyable {
  private var coins = TaughtCoins()
  private let look: Embedding

  /// Makes looks of noise, as large as the model's.
  ///
  /// - Throws: `ModelError` when the model does not tell how coins look.
  public init(_ model: Model, _ kernels: Kernels) throws(ModelError) {
    let need = try Graph.memory(model, "classifier", kernels)
    let classifier = try Graph(
      model, "classifier", kernels,
      constants: .allocate(byteCount: need.constants, alignment: 64),
      arena: .allocate(byteCount: need.arena, alignment: 64))
    let likeness = try classifier.output("likeness")
    let features = likeness.height * likeness.channels
    precondition(Embedding.fits(angles: likeness.width, features: features))
    var state: UInt32 = 1
    look = TaughtWork.look(likeness.width, features, &state)
    for number in 0..<TaughtCoins.capacity {
      var kind = TaughtKind()
      // Every kind needs a name of its own.
      let letters: [UInt8] = [UInt8(ascii: "a") + UInt8(number)]
      kind.name = CoinName(letters.span) ?? CoinName()
      for _ in 0..<TaughtKind.viewCapacity {
        kind.add(TaughtWork.look(likeness.width, features, &state))
      }
      coins.add(kind)
    }
  }

  /// Compares one coin.
  public func run() {
    _ = coins.kind(of: look, millimetres: 0, within: 0.5, unsized: 0.5)
  }

  private static func look(_ angles: Int, _ features: Int, _ state: inout UInt32) -> Embedding {
    var look = Embedding(angles: angles, features: features)
    for place in 0..<angles * features {
      state = state &* 1_664_525 &+ 1_013_904_223
      look.values[place] = Int8(truncatingIfNeeded: max(-127, Int32(state >> 24) - 128))
    }
    return look
  }
}
