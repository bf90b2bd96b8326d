import Engine

/// What is where on a coin, as the classifier's output `relief` has it: for each of some angles around
/// the coin and each feature, whether there is more of the feature than all around on average.
///
/// One bit a feature says nearly as much as a number would, and a coin takes 320 bytes.
public struct Relief: BitwiseCopyable, Sendable {
  /// Most angles.
  public static let angleCapacity = 20
  /// Most features of an angle: 8 radii with 16 channels each.
  public static let featureCapacity = 128
  /// Words of 64 bits.
  public static let wordCount = 40

  /// The bits, two words an angle, the first feature in the lowest bit; 0 beyond the features.
  public var words = InlineArray<40, UInt64>(repeating: 0)
  /// How many angles there are, 0 where nothing is known, up to `angleCapacity`.
  public private(set) var angles: Int32
  /// How many features an angle has, up to `featureCapacity`.
  public private(set) var features: Int32

  /// No bit set. Precondition: both are at least 0 and within their capacities.
  public init(angles: Int = 0, features: Int = 0) {
    precondition(angles >= 0 && angles <= Relief.angleCapacity)
    precondition(features >= 0 && features <= Relief.featureCapacity)
    self.angles = Int32(angles)
    self.features = Int32(features)
  }

  /// Whether a network's output can be taken: its columns are angles.
  static func fits(_ output: OutputTensor) -> Bool {
    output.width <= angleCapacity && output.height * output.channels <= featureCapacity
  }

  /// The relief in a network's output. Precondition: it fits.
  init(_ output: OutputTensor) {
    self.init(angles: output.width, features: output.height * output.channels)
    for row in 0..<output.height {
      for channel in 0..<output.channels {
        let feature = row * output.channels + channel
        let first = row * output.width * output.channels + channel
        var sum: Int32 = 0
        for angle in 0..<output.width {
          sum += Int32(output.base[first + angle * output.channels])
        }
        for angle in 0..<output.width
        where Int32(output.base[first + angle * output.channels]) * Int32(output.width) > sum {
          words[2 * angle + feature / 64] |= 1 << UInt64(feature % 64)
        }
      }
    }
  }

  /// How far apart two reliefs are when one coin is turned to lie like the other: 0 where they are
  /// one, 1 where they have nothing in common, 2 where they are opposite.
  public func distance(to other: Relief) -> Float {
    if angles == 0 || features == 0 || angles != other.angles || features != other.features {
      return 1
    }
    var least = Int.max
    for shift in 0..<Int(angles) { least = min(least, differences(from: other, shift: shift)) }
    return 2 * Float(least) / Float(angles * features)
  }

  /// How many bits differ from those of `other` that are `shift` angles further around.
  private func differences(from other: Relief, shift: Int) -> Int {
    var count = 0
    for angle in 0..<Int(angles) {
      let place = (angle + shift) % Int(angles)
      count += (words[2 * angle] ^ other.words[2 * place]).nonzeroBitCount
      count += (words[2 * angle + 1] ^ other.words[2 * place + 1]).nonzeroBitCount
    }
    return count
  }
}
