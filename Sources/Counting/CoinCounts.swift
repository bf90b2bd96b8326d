import Detection

/// How many coins there are of each kind.
public struct CoinCounts: BitwiseCopyable, Sendable, Equatable {
  /// Coins that are legal tender, in the order of `Detection.values`.
  public var current = InlineArray<5, Int32>(repeating: 0)
  /// Coins withdrawn from circulation, in the order of `Detection.values`.
  public var withdrawn = InlineArray<5, Int32>(repeating: 0)
  /// Coins that are not named.
  public var unsure: Int32 = 0
  /// Coins the user has taught that are no rupiah.
  public var named = NamedCounts()

  /// No coins.
  public init() {}

  /// How many coins there are of all kinds.
  public var coins: Int32 {
    var sum = unsure + named.total
    for index in 0..<5 { sum += current[index] + withdrawn[index] }
    return sum
  }

  /// What they are worth in rupiah.
  /// - Parameter countsWithdrawn: whether withdrawn coins add to the sum.
  public func total(countsWithdrawn: Bool) -> Int {
    var sum = 0
    for index in 0..<5 {
      let coins = current[index] + (countsWithdrawn ? withdrawn[index] : 0)
      sum += Int(coins) * Int(Detection.values[index])
    }
    return sum
  }

  /// Adds the coins of `other`.
  public static func += (counts: inout CoinCounts, other: CoinCounts) {
    for index in 0..<5 {
      counts.current[index] += other.current[index]
      counts.withdrawn[index] += other.withdrawn[index]
    }
    counts.unsure += other.unsure
    for index in 0..<other.named.count {
      let coins = other.named.coins(index)
      if !counts.named.add(other.named.name(index), coins) { counts.unsure += coins }
    }
  }

  /// Whether both have as many coins of every kind.
  public static func == (first: CoinCounts, second: CoinCounts) -> Bool {
    for index in 0..<5 {
      if first.current[index] != second.current[index] { return false }
      if first.withdrawn[index] != second.withdrawn[index] { return false }
    }
    return first.unsure == second.unsure && first.named == second.named
  }
}
