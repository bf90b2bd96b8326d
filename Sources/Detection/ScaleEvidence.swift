import Frames

/// One coin as scale evidence sees it.
struct SizedCoin: BitwiseCopyable {
  /// Centre, in halves of the picture's longer side from some common point.
  var x: Double
  var y: Double
  /// ln of the longer axis in pixels.
  var logDiameter: Double
  /// How probable each diameter of the table is, by the coin's looks alone.
  var diameters: InlineArray<24, Float>
}

/// How sizes are weighed.
struct ScaleParameters: BitwiseCopyable, Equatable {
  /// Standard deviation of ln diameter as measured, 0.002 to 0.5.
  var sigma: Double
  /// Share of measurements that are far off, 0 to 1.
  var outliers: Double
  /// Standard deviation of the slope of ln scale across half the picture; 0 for a camera that
  /// looks straight down.
  var tilt: Double
  /// ln of pixels a millimetre where that is known, and its standard deviation.
  var known: Double?
  var knownSpread = 0.0
}

/// What coins lying side by side say of each other's diameters.
///
/// All coins of a picture share a scale, pixels in a millimetre, which is known of a calibrated
/// tray and otherwise of none, and which changes evenly across the picture where the camera looks
/// at a slant. Both are summed over a grid, weighed by how well every *other* coin fits, so a coin
/// alone learns nothing. A coin's measured size may be far off; then it neither misleads the others
/// nor is misled.
struct ScaleEvidence: ~Copyable {
  /// Points of the grid over ln scale.
  static let gridCount = 256
  /// The most coins weighed together.
  static let capacity = coinCapacity
  /// Diameters less probable by looks are left as they are.
  static let leastProbability: Float = 1e-5
  /// Bytes of working memory, aligned to 16, that is used while coins are weighed.
  static let memoryBytes = capacity * gridCount * MemoryLayout<Float>.stride

  private var coins = FixedList<64, SizedCoin>(
    filler: SizedCoin(x: 0, y: 0, logDiameter: 0, diameters: InlineArray(repeating: 0)))
  private var evidence = InlineArray<64, InlineArray<24, Double>>(
    repeating: InlineArray(repeating: 0))
  private let memory: UnsafeMutableRawPointer

  /// Makes one that works in `memory`, which must outlive it; what lies there between one `weigh`
  /// and the next is of no concern.
  ///
  /// Precondition: `memory` has `memoryBytes` bytes.
  init(memory: UnsafeMutableRawPointer) { self.memory = memory }

  /// For each coin and grid point, how well the coin fits that scale.
  private var fits: UnsafeMutablePointer<Float> { memory.assumingMemoryBound(to: Float.self) }

  mutating func removeAll() { coins.removeAll() }

  /// Adds a coin; returns `false` when there are too many.
  @discardableResult
  mutating func add(_ coin: SizedCoin) -> Bool { coins.append(coin) }

  /// What the others say for the coin at `index` having the diameter: a factor for its
  /// probability, 1 on average over diameters that are equally likely by looks.
  func factor(coin index: Int, diameter: Int) -> Float { Float(evidence[index][diameter]) }

  /// Weighs all coins added since `removeAll`.
  mutating func weigh(_ table: borrowing FaceTable, _ parameters: ScaleParameters) {
    for index in 0..<coins.count { evidence[index] = InlineArray(repeating: 1) }
    // Where the scale is known, one coin can be measured by it.
    if coins.count < (parameters.known == nil ? 2 : 1) { return }
    for index in 0..<coins.count { evidence[index] = InlineArray(repeating: 0) }
    memory.bindMemory(to: Float.self, capacity: Self.capacity * Self.gridCount)
    var grid = ScaleGrid(coins: coins.span, table: table, parameters: parameters)
    centre()
    // Slopes of -2, -1, 0, 1 and 2 standard deviations each way, by the normal distribution.
    let weights: InlineArray<5, Double> = [0.0545, 0.2442, 0.4026, 0.2442, 0.0545]
    if parameters.tilt > 0 {
      for slopeX in 0..<5 {
        for slopeY in 0..<5 {
          grid.slopeX = Double(slopeX - 2) * parameters.tilt
          grid.slopeY = Double(slopeY - 2) * parameters.tilt
          accumulate(table, grid, weight: weights[slopeX] * weights[slopeY])
        }
      }
    } else {
      accumulate(table, grid, weight: 1)
    }
    normalise(table)
  }

  /// Moves the point that places are relative to into the middle of the coins.
  private mutating func centre() {
    var x = 0.0
    var y = 0.0
    for index in 0..<coins.count {
      x += coins[index].x / Double(coins.count)
      y += coins[index].y / Double(coins.count)
    }
    for index in 0..<coins.count {
      coins[index].x -= x
      coins[index].y -= y
    }
  }

  /// Adds what one slope has to say, times `weight`.
  private mutating func accumulate(
    _ table: borrowing FaceTable, _ grid: ScaleGrid, weight: Double
  ) {
    var products = InlineArray<256, Double>(repeating: weight)
    for point in 0..<Self.gridCount { products[point] *= grid.prior(point) }
    for coin in 0..<coins.count {
      let sized = coins[coin]
      let seen = grid.seen(sized)
      let row = fits + coin * Self.gridCount
      for point in 0..<Self.gridCount { row[point] = 0 }
      for diameter in 0..<table.diameterCount
      where sized.diameters[diameter] >= Self.leastProbability {
        let bell = grid.bell(table, diameter)
        for point in 0..<Self.gridCount {
          row[point] += sized.diameters[diameter] * Float(bell.value(seen - grid.scale(point)))
        }
      }
      for point in 0..<Self.gridCount {
        // No coin may rule a scale out, and products of 64 of these fit a Double.
        row[point] = max(1e-4, row[point])
        products[point] *= Double(row[point])
      }
    }
    for coin in 0..<coins.count {
      let sized = coins[coin]
      let seen = grid.seen(sized)
      let row = fits + coin * Self.gridCount
      for diameter in 0..<table.diameterCount
      where sized.diameters[diameter] >= Self.leastProbability {
        let bell = grid.bell(table, diameter)
        var sum = 0.0
        for point in 0..<Self.gridCount {
          sum += products[point] / Double(row[point]) * bell.value(seen - grid.scale(point))
        }
        evidence[coin][diameter] += sum
      }
    }
  }

  /// Scales each coin's factors so that its probabilities keep their sum.
  private mutating func normalise(_ table: borrowing FaceTable) {
    for coin in 0..<coins.count {
      var mean = 0.0
      for diameter in 0..<table.diameterCount
      where coins[coin].diameters[diameter] >= Self.leastProbability {
        mean += Double(coins[coin].diameters[diameter]) * evidence[coin][diameter]
      }
      for diameter in 0..<table.diameterCount {
        let isWeighed = coins[coin].diameters[diameter] >= Self.leastProbability && mean > 0
        evidence[coin][diameter] = isWeighed ? evidence[coin][diameter] / mean : 1
      }
    }
  }
}

/// The grid over ln scale, and how likely sizes are on it.
private struct ScaleGrid {
  private let first: Double
  private let step: Double
  private let sigma: Double
  private let outliers: Double
  private let known: Double?
  private let knownInverse: Double
  var slopeX = 0.0
  var slopeY = 0.0

  /// Spans every scale at which some coin has some diameter, with room for errors and slopes.
  init(coins: Span<SizedCoin>, table: borrowing FaceTable, parameters: ScaleParameters) {
    var least = coins[0].logDiameter
    var most = least
    for index in 1..<coins.count {
      least = min(least, coins[index].logDiameter)
      most = max(most, coins[index].logDiameter)
    }
    var smallest = table.logDiameter(0)
    var largest = smallest
    for index in 1..<table.diameterCount {
      smallest = min(smallest, table.logDiameter(index))
      largest = max(largest, table.logDiameter(index))
    }
    if let known = parameters.known {
      least = min(least, known + largest)
      most = max(most, known + smallest)
    }
    let room = 0.1 + 5 * parameters.sigma + 2 * parameters.tilt
    first = least - largest - room
    step = (most - smallest + room - first) / Double(ScaleEvidence.gridCount - 1)
    // A bell narrower than the grid would fall between its points.
    sigma = max(parameters.sigma, step)
    outliers = parameters.outliers
    known = parameters.known
    knownInverse = 1 / max(parameters.knownSpread, step)
  }

  /// How probable the scale of a point is before any coin is looked at.
  ///
  /// Never less than a hundredth of the most probable one's: a camera may have been moved, and then
  /// coins that agree with each other must be able to outweigh what was known.
  func prior(_ point: Int) -> Double {
    guard let known else { return 1 }
    let off = (scale(point) - known) * knownInverse
    let base = 1 / (1 + 0.2 * off * off)
    return max(0.01, base * base * base * base)
  }

  func scale(_ point: Int) -> Double { first + Double(point) * step }

  /// ln of the coin's size as it would be in the middle of the coins.
  func seen(_ coin: SizedCoin) -> Double {
    coin.logDiameter - slopeX * coin.x - slopeY * coin.y
  }

  /// How likely a coin of that diameter is measured some way above the scale.
  func bell(_ table: borrowing FaceTable, _ diameter: Int) -> SizeBell {
    let spread = table.spread(diameter)
    return spread > 0
      ? SizeBell(centre: table.logDiameter(diameter), deviation: spread, outliers: 0)
      : SizeBell(centre: table.logDiameter(diameter), deviation: sigma, outliers: outliers)
  }
}

/// A bell with a broad one under it, for what is measured far off; both have the area 1.
///
/// The bells are Student's distribution with seven degrees of freedom: nearly the normal one, with
/// tails, and made of a division and products.
private struct SizeBell {
  private let centre: Double
  private let inverse: Double
  private let height: Double
  private let broadHeight: Double

  private static let broadInverse = 4.0

  init(centre: Double, deviation: Double, outliers: Double) {
    self.centre = centre
    inverse = 1 / deviation
    height = (1 - outliers) * 0.45552 * inverse
    broadHeight = outliers * 0.45552 * Self.broadInverse
  }

  @inline(__always)
  func value(_ x: Double) -> Double {
    let off = x - centre
    let broad = broadHeight > 0 ? broadHeight * Self.shape(off * Self.broadInverse) : 0
    return height * Self.shape(off * inverse) + broad
  }

  @inline(__always)
  private static func shape(_ ratio: Double) -> Double {
    let base = 1 / (1 + 0.2 * ratio * ratio)
    let square = base * base
    return square * square
  }
}
