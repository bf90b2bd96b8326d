import Detection

/// How many coins there are of each kind the user has taught that is no rupiah.
public struct NamedCounts: BitwiseCopyable, Sendable, Equatable {
  /// Most kinds: as many as can be taught.
  public static let capacity = TaughtCoins.capacity

  private var names = InlineArray<8, CoinName>(repeating: CoinName())
  private var numbers = InlineArray<8, Int32>(repeating: 0)
  /// How many kinds there are.
  public private(set) var count = 0

  /// No coins.
  public init() {}

  /// The name of a kind. Precondition: `0 <= index < count`.
  public func name(_ index: Int) -> CoinName {
    precondition(index >= 0 && index < count)
    return names[index]
  }

  /// How many coins there are of a kind. Precondition: `0 <= index < count`.
  public func coins(_ index: Int) -> Int32 {
    precondition(index >= 0 && index < count)
    return numbers[index]
  }

  /// How many coins there are of all kinds.
  public var total: Int32 {
    var sum: Int32 = 0
    for index in 0..<count { sum += numbers[index] }
    return sum
  }

  /// Adds coins of a name, or takes them off; a kind of which none are left is left out. Returns
  /// `false`, changing nothing, when there is no room for another name.
  @discardableResult
  public mutating func add(_ name: CoinName, _ number: Int32) -> Bool {
    for index in 0..<count where names[index] == name {
      numbers[index] += number
      if numbers[index] == 0 {
        count -= 1
        names[index] = names[count]
        numbers[index] = numbers[count]
      }
      return true
    }
    if count == NamedCounts.capacity { return false }
    names[count] = name
    numbers[count] = number
    count += 1
    return true
  }

  /// Whether both have as many coins of every name, in whatever order.
  public static func == (first: NamedCounts, second: NamedCounts) -> Bool {
    if first.count != second.count { return false }
    for index in 0..<first.count {
      var other = 0
      while other < second.count && second.names[other] != first.names[index] { other += 1 }
      if other == second.count || second.numbers[other] != first.numbers[index] { return false }
    }
    return true
  }
}
