import Counting
import Detection
import Frames
import Pictures

/// What was counted in one picture.
struct PictureCount: ~Copyable {
  /// The coins, from top to bottom, in pixels of the file's picture.
  private(set) var coins: DetectionList
  /// Their sum, and how many there are of each sort.
  private(set) var total: Total

  /// Sums up the coins found in a decoded picture.
  ///
  /// - Parameters:
  ///   - found: the coins, in pixels of the decoded picture.
  ///   - reduction: how much smaller it is than the file's.
  ///   - countsWithdrawn: whether coins withdrawn from circulation are in the total.
  init(_ found: borrowing DetectionList, reduction: Reduction, countsWithdrawn: Bool) {
    coins = DetectionList(filler: .none)
    total = Total()
    for index in 0..<found.count {
      var coin = found[index]
      coin.x = reduction.inFile(coin.x)
      coin.y = reduction.inFile(coin.y)
      coin.diameter = reduction.inFile(coin.diameter)
      insert(coin)
      total.add(
        value: coin.value, isWithdrawn: coin.isWithdrawn, countsWithdrawn: countsWithdrawn,
        name: coin.name)
    }
  }

  /// Puts a coin behind those above it and, at the same height, left of it.
  private mutating func insert(_ coin: Detection) {
    var place = coins.count
    coins.append(coin)
    while place > 0 && isBefore(coin, coins[place - 1]) {
      coins[place] = coins[place - 1]
      place -= 1
    }
    coins[place] = coin
  }
}

private func isBefore(_ one: Detection, _ other: Detection) -> Bool {
  one.y == other.y ? one.x < other.x : one.y < other.y
}
