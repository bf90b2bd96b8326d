import Frames

/// A coin the user has taught: its name or value, and how it looks.
public struct TaughtKind: BitwiseCopyable, Sendable {
  /// Most views of a kind: five of each face, and room for two more.
  public static let viewCapacity = 12

  /// Its name; empty when it is a rupiah coin.
  public var name = CoinName()
  /// Its value in rupiah, one of `Detection.values`, or 0 for any other coin.
  public var value: Int32 = 0
  /// How many views there are.
  public private(set) var viewCount = 0
  private var views = InlineArray<12, Embedding>(repeating: Embedding())

  /// A kind without views.
  public init() {}

  /// A view. Precondition: `0 <= index < viewCount`.
  public func view(_ index: Int) -> Embedding {
    precondition(index >= 0 && index < viewCount)
    return views[index]
  }

  /// Adds a view; returns `false`, changing nothing, when there is no room.
  @discardableResult
  public mutating func add(_ view: Embedding) -> Bool {
    if viewCount == TaughtKind.viewCapacity { return false }
    views[viewCount] = view
    viewCount += 1
    return true
  }

  /// How far `embedding` is from the nearest view.
  public func distance(to embedding: Embedding) -> Float {
    var least = Float.infinity
    for index in 0..<viewCount { least = min(least, views[index].distance(to: embedding)) }
    return least
  }
}

/// The coins a user has taught, at most `capacity`, in fixed memory.
///
/// A coin the classifier does not name is of the kind of the nearest view of all, unless it is
/// farther from it than `radius`, or nearly as near to a view of another kind. What the
/// classifier names is never renamed, so that teaching cannot spoil what is known.
public struct TaughtCoins: BitwiseCopyable, Sendable {
  /// Most kinds.
  public static let capacity = 8
  /// How far from the nearest view a coin may look. Of some three thousand coins of other kinds, drawn
  /// and photographed, the nearest were 0.47 away.
  static let radius: Float = 0.46
  /// How much nearer the nearest kind must be than the next.
  static let margin: Float = 0.9

  private var kinds = InlineArray<8, TaughtKind>(repeating: TaughtKind())
  /// How many kinds there are.
  public private(set) var count = 0

  /// Nothing taught.
  public init() {}

  /// A kind. Precondition: `0 <= index < count`.
  public subscript(index: Int) -> TaughtKind {
    precondition(index >= 0 && index < count)
    return kinds[index]
  }

  /// Adds a kind, in the place of one of the same name and value; returns `false`, changing
  /// nothing, when there is no room.
  @discardableResult
  public mutating func add(_ kind: TaughtKind) -> Bool {
    for index in 0..<count where kinds[index].name == kind.name && kinds[index].value == kind.value
    {
      kinds[index] = kind
      return true
    }
    if count == TaughtCoins.capacity { return false }
    kinds[count] = kind
    count += 1
    return true
  }

  /// Forgets the kind of that name and value; returns whether there was one.
  @discardableResult
  public mutating func remove(name: CoinName, value: Int32) -> Bool {
    for index in 0..<count where kinds[index].name == name && kinds[index].value == value {
      count -= 1
      for place in index..<count { kinds[place] = kinds[place + 1] }
      return true
    }
    return false
  }

  /// The kind of the coin that looks so, as its place; `nil` for none of them.
  public func kind(of embedding: Embedding) -> (index: Int, distance: Float)? {
    var best = -1
    var nearest = Float.infinity
    var second = Float.infinity
    for index in 0..<count {
      let distance = kinds[index].distance(to: embedding)
      if distance < nearest {
        second = nearest
        nearest = distance
        best = index
      } else {
        second = min(second, distance)
      }
    }
    if best < 0 || nearest > TaughtCoins.radius || nearest > TaughtCoins.margin * second {
      return nil
    }
    return (best, nearest)
  }
}
