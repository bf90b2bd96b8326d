import Engine
import Frames

/// How a coin looks, as the classifier's output `likeness` has it: some features of each of some
/// angles around the coin.
///
/// Looks at coins of one kind have like features at like angles once one coin is turned to lie like
/// the other, whatever the light and the wear; the network was trained for that on kinds of its
/// own.
public struct Embedding: BitwiseCopyable, Sendable {
  /// Most features of all angles together.
  public static let capacity = 320
  /// Most angles.
  public static let angleCapacity = 40

  /// The features of the first angle, then of the next; scaled so that the largest is 127 or -127,
  /// and 0 beyond the last angle.
  public var values = InlineArray<320, Int8>(repeating: 0)
  /// How many angles there are, 0 where nothing is known.
  public private(set) var angles: Int32
  /// How many features an angle has.
  public private(set) var features: Int32

  /// Features that are all 0.
  ///
  /// Precondition: neither is negative, there are at most `angleCapacity` angles and `capacity`
  /// features of all of them.
  public init(angles: Int = 0, features: Int = 0) {
    precondition(Embedding.fits(angles: angles, features: features))
    self.angles = Int32(angles)
    self.features = Int32(features)
  }

  /// Whether so many can be kept.
  public static func fits(angles: Int, features: Int) -> Bool {
    angles >= 0 && features >= 0 && angles <= angleCapacity && features <= capacity
      && angles * features <= capacity
  }

  /// How far apart two looks are when one coin is turned to lie like the other: 0 where they are
  /// one, 1 where they have nothing in common, 2 where they are opposite.
  public func distance(to other: Embedding) -> Float {
    if angles == 0 || angles != other.angles || features != other.features { return 1 }
    let own = product(with: self, turned: 0)
    let lengths = Double(own) * Double(other.product(with: other, turned: 0))
    if lengths == 0 { return 1 }
    return Float(1 - Double(bestTurn(of: other).product) / lengths.squareRoot())
  }

  /// By how many angles `other` is further around when it lies as this one does, as well as can be,
  /// and the sum of products then.
  ///
  /// Precondition: both have as many angles and features.
  func bestTurn(of other: Embedding) -> (turn: Int, product: Int32) {
    precondition(angles == other.angles && features == other.features)
    var best = (turn: 0, product: Int32.min)
    for turn in 0..<Int(angles) {
      let product = product(with: other, turned: turn)
      if product > best.product { best = (turn, product) }
    }
    return best
  }

  /// The sum of the products of features with those of `other` that are `turned` angles further
  /// around.
  @inline(never)
  private func product(with other: Embedding, turned: Int) -> Int32 {
    let count = Int(angles) * Int(features)
    let shift = turned * Int(features)
    var sum: Int32 = 0
    for index in 0..<(count - shift) {
      sum &+= Int32(values[unchecked: index]) &* Int32(other.values[unchecked: index &+ shift])
    }
    for index in (count - shift)..<count {
      let place = index &+ shift &- count
      sum &+= Int32(values[unchecked: index]) &* Int32(other.values[unchecked: place])
    }
    return sum
  }
}

/// Several looks at one coin, added up.
struct EmbeddingSum: BitwiseCopyable {
  private var sums = InlineArray<320, Int32>(repeating: 0)
  private var angles = 0
  private var features = 0
  /// The first of the looks added as embeddings.
  private var first = Embedding()

  /// Whether a network's output can be taken: its columns are angles.
  static func fits(_ output: OutputTensor) -> Bool {
    output.width > 0
      && Embedding.fits(angles: output.width, features: output.height * output.channels)
  }

  /// Adds a look. Precondition: it fits and is as large as those before.
  /// - Parameters:
  ///   - output: the network's output.
  ///   - turn: angle in radians at which its first column begins.
  mutating func add(_ output: OutputTensor, turn: Float) {
    angles = output.width
    features = output.height * output.channels
    let columns = Double(turn) * Double(angles) / (2 * ElementaryFunctions.pi)
    let shift = ((ElementaryFunctions.nearestInteger(columns) % angles) + angles) % angles
    let zero = Int32(output.zeroPoint)
    for row in 0..<output.height {
      for angle in 0..<angles {
        let source = (row * angles + angle) * output.channels
        let place = (angle + shift) % angles * features + row * output.channels
        for channel in 0..<output.channels {
          sums[place + channel] += Int32(output.base[source + channel]) - zero
        }
      }
    }
  }

  /// Adds a look, turned as the first one lies; one of other angles or features is left out.
  ///
  /// Precondition: `times` of all looks add up to at most 1000.
  mutating func add(_ look: Embedding, times: Int = 1) {
    if first.angles == 0 { first = look }
    if look.angles != first.angles || look.features != first.features || look.angles == 0 { return }
    angles = Int(look.angles)
    features = Int(look.features)
    let shift = first.bestTurn(of: look).turn * features
    let count = angles * features
    for index in 0..<count {
      sums[index] += Int32(times) * Int32(look.values[(index + shift) % count])
    }
  }

  /// What they look like together.
  var embedding: Embedding {
    var result = Embedding(angles: angles, features: features)
    var largest: Int32 = 0
    for index in 0..<(angles * features) { largest = max(largest, abs(sums[index])) }
    if largest == 0 { return result }
    for index in 0..<(angles * features) {
      result.values[index] = Int8(
        ElementaryFunctions.nearestInteger(Double(sums[index]) / Double(largest) * 127))
    }
    return result
  }
}
