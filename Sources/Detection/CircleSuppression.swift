import Frames

/// Tells whether two circles are the same coin.
///
/// Coins may touch and lie on one another: of two equal ones at most 45 % covered, the centres
/// are more than 0.87 radii apart. So circles whose centres are nearer than 0.6 of the larger
/// radius are one coin seen twice, among them the inner ring of a coin and its rim.
enum CircleSuppression {
  /// The distance of centres, in radii of the larger circle, below which circles are one coin.
  static let nearest: Float = 0.6

  /// Whether the circles stand for the same coin.
  static func isSame(
    x firstX: Float, y firstY: Float, radius firstRadius: Float,
    x secondX: Float, y secondY: Float, radius secondRadius: Float
  ) -> Bool {
    let right = firstX - secondX
    let down = firstY - secondY
    let reach = nearest * max(firstRadius, secondRadius)
    return right * right + down * down < reach * reach
  }

  /// Whether the first circle lies within the second, give or take a tenth of its radius, and is
  /// less than half as wide: something on a coin, such as its eagle, rather than a coin.
  static func isDetail(
    x firstX: Float, y firstY: Float, radius firstRadius: Float,
    of secondX: Float, _ secondY: Float, _ secondRadius: Float
  ) -> Bool {
    if firstRadius >= 0.5 * secondRadius { return false }
    let right = firstX - secondX
    let down = firstY - secondY
    let reach = secondRadius - 0.9 * firstRadius
    return right * right + down * down < reach * reach
  }

  /// Sorts the candidates, surest first, and keeps those that no surer one stands for.
  ///
  /// One that stands for others needs no more evidence than the least demanding of them.
  static func reduce(_ candidates: inout CandidateList) {
    candidates.sort()
    var kept = 0
    for index in 0..<candidates.count {
      let candidate = candidates[index]
      var standIn = -1
      var other = 0
      while other < kept && standIn < 0 {
        let earlier = candidates[other]
        let isSame = isSame(
          x: candidate.x, y: candidate.y, radius: candidate.radius, x: earlier.x, y: earlier.y,
          radius: earlier.radius)
        if isSame { standIn = other }
        other += 1
      }
      if standIn >= 0 {
        candidates.ease(standIn, as: index)
      } else {
        candidates.move(index, to: kept)
        kept += 1
      }
    }
    candidates.keepFirst(kept)
  }
}
