import EngineChecks

@testable import Engine

/// A random channel's scaling by the rule, and the accumulators at which another way of scaling is
/// held to it.
struct ScalingCase {
  let multiplier: Int32
  let shift: Int32
  /// The results, less the zero point, beyond which all are the same.
  let results: ClosedRange<Int32>

  init(shifts: ClosedRange<Int>, _ random: inout RandomNumbers) {
    multiplier = Int32(
      random.oneIn(4) ? random.pick([1 << 30, 1 << 31 - 1]) : random.int(1 << 30...1 << 31 - 1))
    shift = Int32(random.int(shifts))
    let lowest = random.int(-255...0)
    results = Int32(lowest)...Int32(random.int(lowest...lowest + 255))
  }

  /// Those around each change of the result, the extremes, and some between.
  func accumulators(_ random: inout RandomNumbers) -> [Int32] {
    var all: [Int32] = [-1 << 30, 1 << 30, 0, -1, 1]
    for result in results {
      let middle = (Double(result) - 0.5) * Double(1 << (31 + Int(shift))) / Double(multiplier)
      let near = Int32(middle)
      for distance: Int32 in -3...3 { all.append(near + distance) }
    }
    for _ in 0..<50 { all.append(Int32(random.int(-1 << 30...1 << 30))) }
    return all
  }

  /// Whether a result is the rule's, or beyond the same bound.
  func isRight(_ result: Int32, _ accumulator: Int32) -> Bool {
    let expected = requantised(accumulator, multiplier, shift)
    let bounded = { min(max($0, results.lowerBound), results.upperBound) }
    return bounded(result) == bounded(expected)
  }
}
