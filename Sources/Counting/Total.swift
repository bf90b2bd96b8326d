import Detection

/// What lies on the tray.
public struct Total: BitwiseCopyable, Sendable, Equatable {
  /// Sum in rupiah of the coins that are named and count.
  public var total: Int32
  /// How many coins lie there, named or not.
  public var coins: Int32
  /// How many of them are not named; while there are any, the money may be more than `total`.
  public var unsure: Int32
  /// How many of them are named but withdrawn from circulation.
  public var withdrawn: Int32

  /// Coins the user has taught that are no rupiah.
  public var named = NamedCounts()

  /// Makes a total from its parts.
  public init(total: Int32 = 0, coins: Int32 = 0, unsure: Int32 = 0, withdrawn: Int32 = 0) {
    self.total = total
    self.coins = coins
    self.unsure = unsure
    self.withdrawn = withdrawn
  }

  /// Adds a coin.
  /// - Parameters:
  ///   - value: face value in rupiah, or 0 for a coin that is not named.
  ///   - isWithdrawn: whether it has been withdrawn from circulation.
  ///   - countsWithdrawn: whether withdrawn coins add to the sum.
  ///   - name: the name the user has given to its kind; empty for none and for rupiah.
  public mutating func add(
    value: Int32, isWithdrawn: Bool, countsWithdrawn: Bool, name: CoinName = CoinName()
  ) {
    coins += 1
    if value == 0 && name.count > 0 && named.add(name, 1) { return }
    if value == 0 {
      unsure += 1
      return
    }
    if isWithdrawn { withdrawn += 1 }
    if countsWithdrawn || !isWithdrawn { total += value }
  }
}
