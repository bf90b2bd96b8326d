import Engine
import Frames

/// What is where on a coin, as the classifier's output `relief` has it: features of some radii for each
/// of some angles around the coin.
public struct Relief: BitwiseCopyable, Sendable {
  /// Most elements: 20 angles of 6 radii with 16 channels each.
  public static let capacity = 1920
  /// How much of a feature's mean over all angles is taken away: what all coins have in common
  /// would hide what tells them apart.
  static let commonShare: Float = 0.9

  /// The elements, those of an angle next to each other, scaled so that the largest is 127 or -127;
  /// 0 beyond `count`.
  public var values = InlineArray<1920, Int8>(repeating: 0)
  /// How many elements there are, 0 to `capacity`, a multiple of `angles`.
  public private(set) var count: Int32
  /// How many angles there are, at least 1.
  public private(set) var angles: Int32

  /// Elements that are all 0; unlike anything.
  ///
  /// Precondition: `0 <= count <= capacity`, `angles >= 1`, and `count` is a multiple of `angles`.
  public init(count: Int = 0, angles: Int = 1) {
    precondition(count >= 0 && count <= Relief.capacity && angles >= 1 && count % angles == 0)
    self.count = Int32(count)
    self.angles = Int32(angles)
  }

  /// The relief in a network's output, whose columns are angles.
  ///
  /// Precondition: it has at most `capacity` elements.
  init(_ output: OutputTensor) {
    self.init(count: output.count, angles: output.width)
    var largest: Float = 0
    for row in 0..<output.height {
      for channel in 0..<output.channels {
        let common = Relief.common(output, row, channel)
        for angle in 0..<output.width {
          largest = max(largest, abs(output[row, angle, channel] - common))
        }
      }
    }
    if largest == 0 { return }
    for row in 0..<output.height {
      for channel in 0..<output.channels {
        let common = Relief.common(output, row, channel)
        for angle in 0..<output.width {
          let value = (output[row, angle, channel] - common) / largest * 127
          values[(angle * output.height + row) * output.channels + channel] = Int8(
            ElementaryFunctions.nearestInteger(Double(value)))
        }
      }
    }
  }

  /// What is taken away from a feature at every angle.
  private static func common(_ output: OutputTensor, _ row: Int, _ channel: Int) -> Float {
    var sum: Float = 0
    for angle in 0..<output.width { sum += output[row, angle, channel] }
    return commonShare * sum / Float(output.width)
  }

  /// How far apart two reliefs are when one coin is turned to lie like the other: 0 where they are
  /// one, 1 where they have nothing in common, 2 where they are opposite.
  public func distance(to other: Relief) -> Float {
    if count != other.count || angles != other.angles { return 1 }
    let own = product(with: self, shift: 0)
    let theirs = other.product(with: other, shift: 0)
    if own == 0 || theirs == 0 { return 1 }
    var most = Int32.min
    for angle in 0..<Int(angles) {
      most = max(most, product(with: other, shift: angle * Int(count / angles)))
    }
    // Products of two such sums do not fit 32 bits.
    let lengths = (Double(own) * Double(theirs)).squareRoot()
    return Float(1 - Double(most) / lengths)
  }

  /// The sum of products with the elements of `other` that are `shift` places further around.
  ///
  /// Precondition: `0 <= shift < max(1, count)`, and `other` has as many elements.
  private func product(with other: Relief, shift: Int) -> Int32 {
    let first = values.span
    let second = other.values.span
    let wrapped = Int(count) - shift
    var sum: Int32 = 0
    for index in 0..<wrapped {
      sum &+= Int32(first[unchecked: index]) &* Int32(second[unchecked: index + shift])
    }
    for index in wrapped..<Int(count) {
      sum &+= Int32(first[unchecked: index]) &* Int32(second[unchecked: index - wrapped])
    }
    return sum
  }
}
