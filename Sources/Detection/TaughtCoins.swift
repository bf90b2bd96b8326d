import Frames

/// A coin the user has taught: its name or value, and how it looks.
public struct TaughtKind: BitwiseCopyable, Sendable {
  /// Most views of a kind: five of each face, and room for two more.
  public static let viewCapacity = 12
  /// Views of the first face; those that follow are of the other.
  public static let viewsPerFace = 5

  /// Its name; empty when it is a rupiah coin.
  public var name = CoinName()
  /// Its value in rupiah, one of `Detection.values`, or 0 for any other coin.
  public var value: Int32 = 0
  /// Its diameter in millimetres; 0 where it was taught on a tray that had not been calibrated.
  public var millimetres: Float = 0
  /// How many views there are.
  public private(set) var viewCount = 0
  private var views = InlineArray<12, Embedding>(repeating: Embedding())
  /// What the views of each face have in common: noise and light of single ones are less in it.
  private var faces = InlineArray<2, Embedding>(repeating: Embedding())

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
    let face = viewCount <= TaughtKind.viewsPerFace ? 0 : 1
    var sum = EmbeddingSum()
    for index in (face * TaughtKind.viewsPerFace)..<viewCount { sum.add(views[index]) }
    faces[face] = sum.embedding
    return true
  }

  /// How far `embedding` is from the nearest view, or from what the views of a face have in common.
  public func distance(to embedding: Embedding) -> Float {
    var least = min(faces[0].distance(to: embedding), faces[1].distance(to: embedding))
    for index in 0..<viewCount { least = min(least, views[index].distance(to: embedding)) }
    return least
  }
}

/// The coins a user has taught, at most `capacity`, in fixed memory.
///
/// A coin the classifier does not name is of the kind of the nearest view of all, unless it is
/// farther from it than a radius, or nearly as near to a view of another kind. What the
/// classifier names is never renamed, so that teaching cannot spoil what is known.
public struct TaughtCoins: ~Copyable {
  /// Most kinds.
  public static let capacity = 8
  /// How much nearer the nearest kind must be than the next.
  static let margin: Float = 0.9
  /// Factor by which a coin may be measured larger or smaller than the kind it is of. Outlines are
  /// found to 1 or 2 %, and a scale by single coins is not better.
  static let sizeTolerance: Float = 1.045

  private var kinds = FixedList<8, TaughtKind>(filler: TaughtKind())

  /// Nothing taught.
  public init() {}

  /// How many kinds there are.
  public var count: Int { kinds.count }

  /// A kind. Precondition: `0 <= index < count`.
  public subscript(index: Int) -> TaughtKind { kinds[index] }

  /// Adds a kind, in the place of one of the same name and value; returns `false`, changing
  /// nothing, when there is no room.
  @discardableResult
  public mutating func add(_ kind: TaughtKind) -> Bool {
    for index in 0..<count where kinds[index].name == kind.name && kinds[index].value == kind.value
    {
      kinds[index] = kind
      return true
    }
    return kinds.append(kind)
  }

  /// Forgets all kinds.
  public mutating func removeAll() { kinds.removeAll() }

  /// Forgets the kind of that name and value; returns whether there was one.
  @discardableResult
  public mutating func remove(name: CoinName, value: Int32) -> Bool {
    for index in 0..<count where kinds[index].name == name && kinds[index].value == value {
      for place in index..<(count - 1) { kinds[place] = kinds[place + 1] }
      kinds.swapRemove(at: count - 1)
      return true
    }
    return false
  }

  /// The kind of the coin that looks so, as its place; `nil` for none of them.
  ///
  /// A coin that is larger or smaller than a kind is none of it. Where both sizes are known it may
  /// look less like the kind than otherwise: few kinds are of one size.
  /// - Parameters:
  ///   - embedding: how the coin looks.
  ///   - millimetres: its diameter; 0 where it is not known.
  ///   - radius: how far from the nearest view it may look where both sizes are known.
  ///   - unsizedRadius: how far where they are not.
  public func kind(
    of embedding: Embedding, millimetres: Float, within radius: Float, unsized unsizedRadius: Float
  ) -> (index: Int, distance: Float)? {
    var best = -1
    // Distances over the radius they may have.
    var nearest = Float.infinity
    var second = Float.infinity
    for index in 0..<count {
      let own = kinds[index].millimetres
      let isSized = millimetres > 0 && own > 0
      if isSized
        && (millimetres > own * TaughtCoins.sizeTolerance
          || own > millimetres * TaughtCoins.sizeTolerance)
      {
        continue
      }
      let most = isSized ? radius : unsizedRadius
      if most <= 0 { continue }
      let distance = kinds[index].distance(to: embedding) / most
      if distance < nearest {
        second = nearest
        nearest = distance
        best = index
      } else {
        second = min(second, distance)
      }
    }
    if best < 0 || nearest > 1 || nearest > TaughtCoins.margin * second { return nil }
    return (best, nearest)
  }
}
