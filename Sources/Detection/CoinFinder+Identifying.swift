import Engine
import Frames

extension CoinFinder {
  /// Finds the exact outline of a located coin, or drops it when it is none; does nothing to a coin
  /// that has been refined already.
  ///
  /// Precondition: `0 <= index < locatedCount`, and `image` is what `locate` saw.
  public mutating func refine(_ index: Int, in image: ImageView) {
    guard coins[index].state == .located else { return }
    // A patch that is off centre may hide what a coin it is: judge by the second one.
    let rough = coins[index].outline
    takePatch(of: rough, in: image)
    let first = runRefiner(on: rough)
    let circle = Outline(x: first.x, y: first.y, radius: first.radius)
    takePatch(of: circle, in: image)
    coins[index].outline = runRefiner(on: circle)
    coins[index].coinness = networks.coinness[0, 0, 0]
    let isCoin =
      Double(coins[index].coinness) >= Self.logit(parameters.refinerThreshold)
      && coins[index].coinness + coins[index].heat >= coins[index].leastSum
    coins[index].state = isCoin ? .refined : .dropped
    coins[index].isDoubtful =
      !isCoin && Double(coins[index].coinness) >= Self.logit(Self.leastTaughtCoinness)
  }

  /// Probability of being one coin-like disc, by the refiner, from which on something is looked at
  /// in case it was taught: then its looks, and not its outline, decide that it is a coin.
  static let leastTaughtCoinness: Float = 0.1

  /// Finds how probable each face is for a located coin, refining it first where that is due.
  ///
  /// Precondition: `0 <= index < locatedCount`, and `image` is what `locate` saw.
  ///
  /// - Parameters:
  ///   - look: how often the same coin has been looked at before: with an effort of one unwrap each
  ///     look is unwrapped a little differently, so that looks add up to more.
  ///   - trials: what has been made of its outline before.
  public mutating func identify(
    _ index: Int, in image: ImageView, effort: Effort = .live, look: Int = 0,
    trials: OutlineTrials = OutlineTrials()
  ) {
    refine(index, in: image)
    let isDoubtful = coins[index].isDoubtful && taught.count > 0 && effort.looksCloser
    if isDoubtful { classify(index, in: image, effort: effort, look: look) }
    guard coins[index].state == .refined else { return }
    coins[index].trials = trials
    coins[index].outline = coins[index].outline.applying(trials.inset)
    classify(index, in: image, effort: effort, look: look)
    coins[index].state = .identified
  }

  /// Tries smaller outlines, one round of them, and keeps the one through which the coin is seen
  /// much clearer; what was seen through the other is void then. Returns whether a round was tried:
  /// there may be none left, or nothing likelier than a stranger to be seen.
  ///
  /// It has to show the same value, because one of many outlines may show another by chance.
  /// Precondition: the coin has been identified in `image` with an effort of one unwrap.
  public mutating func tryInsets(_ index: Int, in image: ImageView) -> Bool {
    let round = coins[index].trials.rounds
    guard coins[index].state == .identified, round < Inset.shares.count else { return false }
    var looks = probabilities[index]
    let seen = Verdict(looks, table: faces, leastConfidence: 0)
    if seen.value == 0 { return false }
    coins[index].trials.rounds = round + 1
    var best = coins[index]
    var embedding = embeddings[index]
    var most = max(seen.confidence + Self.leastGain, parameters.unsure)
    let measured = best.outline.removing(best.trials.inset)
    for trial in 0...Inset.directions {
      let inset = trial < Inset.directions ? Inset(round: round, index: trial) : .none
      coins[index].outline = measured.applying(inset)
      classify(index, in: image, effort: .live, look: 0)
      let verdict = Verdict(probabilities[index], table: faces, leastConfidence: 0)
      let isSame = verdict.value == seen.value && verdict.isWithdrawn == seen.isWithdrawn
      if !isSame || verdict.confidence < most { continue }
      most = verdict.confidence
      best.trials.inset = inset
      best.outline = coins[index].outline
      best.isRestated = true
      looks = probabilities[index]
      embedding = embeddings[index]
    }
    coins[index] = best
    probabilities[index] = looks
    embeddings[index] = embedding
    return true
  }

  /// How much surer a look through an inset must be: looks through one outline differ by 0.03 from
  /// frame to frame.
  static let leastGain: Float = 0.04

  /// Finds how probable each face is for what lies within a coin's outline.
  private mutating func classify(_ index: Int, in image: ImageView, effort: Effort, look: Int) {
    let outline = coins[index].outline
    takePatch(of: outline, in: image)
    var sums = InlineArray<64, Float>(repeating: 0)
    let isDescribed = describesCoins || taught.count > 0
    var looks = EmbeddingSum()
    for unwrap in 0..<effort.unwraps {
      let jitter =
        effort.unwraps == 1
        ? Jitter(index: look % Self.differentLooks, of: Self.differentLooks)
        : Jitter(index: unwrap, of: effort.unwraps)
      let centre = Float(SquarePatch.side) / 2
      var elements = networks.classifierInput.elements
      polar.unwrap(
        patchBytes, x: centre + jitter.x * SquarePatch.coinRadius,
        y: centre + jitter.y * SquarePatch.coinRadius,
        radius: SquarePatch.coinRadius * jitter.growth, stretch: outline.stretch,
        turn: jitter.turn, into: &elements)
      networks.classify(isDescribed: isDescribed)
      for face in 0..<faces.count { sums[face] += networks.logits[0, 0, face] }
      if isDescribed, let likeness = networks.likeness { looks.add(likeness, turn: jitter.turn) }
    }
    embeddings[index] = looks.embedding
    probabilities[index] = FaceProbabilities.softmax(
      sums, count: faces.count, temperature: parameters.temperature,
      divisor: Float(effort.unwraps))
  }

  /// Looks at the same coin until they repeat.
  static let differentLooks = 5

  /// Takes a located coin for one of earlier pictures, so that it need not be looked at again.
  ///
  /// Precondition: `0 <= index < locatedCount`.
  ///
  /// - Parameter isRefused: whether it has been looked at and held to be no coin.
  public mutating func recall(_ index: Int, as memory: CoinMemory, isRefused: Bool = false) {
    coins[index].isRefused = isRefused
    coins[index].outline = memory.outline
    coins[index].coinness = memory.coinness
    coins[index].trials = memory.trials
    coins[index].isRecalled = true
    coins[index].state = .identified
    probabilities[index] = memory.faces
    embeddings[index] = memory.look
  }

  /// Adds the look just taken to what earlier ones have told of the same coin, so that it is named
  /// by all of them.
  ///
  /// Precondition: `0 <= index < locatedCount`, and the coin is identified.
  /// - Parameters:
  ///   - memory: what is known from before.
  ///   - count: how many looks that was, at least 0.
  public mutating func combine(_ index: Int, with memory: CoinMemory, count: Int) {
    let weight = 1 / Float(count + 1)
    for face in 0..<faces.count {
      let before = memory.faces.values[face]
      probabilities[index].values[face] =
        before + weight * (probabilities[index].values[face] - before)
    }
    if memory.look.angles == 0 || count == 0 { return }
    var sum = EmbeddingSum()
    sum.add(memory.look, times: count)
    sum.add(embeddings[index])
    embeddings[index] = sum.embedding
  }

  /// Whether the last look has changed a coin's outline. Precondition: `0 <= index < locatedCount`.
  public func isRestated(at index: Int) -> Bool { coins[index].isRestated }

  /// Takes back `recall`. Precondition: `0 <= index < locatedCount`.
  public mutating func forget(_ index: Int) {
    if !coins[index].isRecalled { return }
    coins[index].outline = coins[index].circle
    coins[index].coinness = 0
    coins[index].isRecalled = false
    coins[index].state = .located
  }

  /// Leaves a located coin out. Precondition: `0 <= index < locatedCount`.
  public mutating func drop(_ index: Int) { coins[index].state = .dropped }

  /// What is known of an identified coin. Precondition: `0 <= index < locatedCount`.
  public func memory(of index: Int) -> CoinMemory {
    CoinMemory(
      outline: coins[index].outline, coinness: coins[index].coinness,
      faces: probabilities[index], trials: coins[index].trials, look: embeddings[index])
  }

  /// Drops coins that refining has shown to be others of the list.
  mutating func dropDuplicates() {
    for index in 0..<coins.count where coins[index].state != .dropped {
      for other in 0..<coins.count where other != index && coins[other].state != .dropped {
        let one = coins[index].outline
        let two = coins[other].outline
        let isSame = CircleSuppression.isSame(
          x: one.x, y: one.y, radius: one.radius, x: two.x, y: two.y, radius: two.radius)
        if isSame && coins[other].precedes(coins[index]) {
          coins[index].state = .dropped
          break
        }
      }
    }
  }

  private var patch: UnsafeMutablePointer<UInt8> {
    scratch.assumingMemoryBound(to: UInt8.self)
  }

  private var patchBytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      _overrideLifetime(
        Span(_unsafeStart: patch, count: SquarePatch.byteCount), borrowing: self)
    }
  }

  private mutating func takePatch(of outline: Outline, in image: ImageView) {
    let patch = scratch.bindMemory(to: UInt8.self, capacity: SquarePatch.byteCount)
    var bytes = MutableSpan(_unsafeStart: patch, count: SquarePatch.byteCount)
    image.takePatch(x: outline.x, y: outline.y, diameter: 2 * outline.radius, into: &bytes)
  }

  /// The outline of the coin in the patch, which was taken for `circle`.
  private mutating func runRefiner(on circle: Outline) -> Outline {
    var elements = networks.refinerInput.elements
    SquarePatch.halve(patchBytes, into: &elements)
    networks.refiner.run()
    let outline = networks.outline
    func value(_ place: Int) -> Float {
      outline.scale * Float(Int32(outline.base[place]) - Int32(outline.zeroPoint))
    }
    return circle.corrected(
      by: OutlineCorrection(
        x: value(0), y: value(1), logRadius: value(2), cosineStrain: value(3),
        sineStrain: value(4)))
  }
}
