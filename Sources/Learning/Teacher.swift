import Counting
import Detection

/// Gives a lesson: takes views of one coin, first of one face and then of the other.
///
/// A view is taken when the coin lies still, and the next one only after it has been moved, so that
/// all views differ. Coins the classifier names by itself are not taught.
public struct Teacher: BitwiseCopyable, Sendable {
  /// Views taken of each face.
  public static let viewsPerFace = TaughtKind.viewsPerFace
  /// Fewest views from which a coin can be learned, if the lesson ends early.
  public static let fewestViews = 3
  /// Named views after which the coin is held to be known: three of them are no accident.
  static let knownViews = 3

  /// What is taught: name or value, and the views so far.
  public private(set) var kind: TaughtKind
  /// Frames for which the coin must lie still.
  private let stillFrames: Int
  private var namedViews = 0
  private var namedValue: Int32 = 0
  /// Whether the coin has been moved since the last view.
  private var hasMoved = true
  private var still = 0
  private var x: Float = 0
  private var y: Float = 0
  private var hasToldOfSeveral = false
  /// Millimetres of the coin in all views so far, and in how many of them its size was known.
  private var millimetres: Float = 0
  private var sizedViews = 0

  /// Makes a teacher.
  /// - Parameters:
  ///   - name: the coin's name; empty for rupiah.
  ///   - value: the coin's value in rupiah, one of `Detection.values`; 0 for any other.
  ///   - stillFrames: frames for which the coin must lie still, at least 1; with 1 every frame is
  ///     taken for a view of its own, as in a folder of photographs.
  public init(name: CoinName, value: Int32, stillFrames: Int) {
    precondition(stillFrames >= 1)
    kind = TaughtKind()
    kind.name = name
    kind.value = value
    self.stillFrames = stillFrames
  }

  /// Whether all views have been taken.
  public var isComplete: Bool { kind.viewCount >= 2 * Teacher.viewsPerFace }

  /// Whether the coin turned out to be known.
  public var isKnown: Bool { namedViews >= Teacher.knownViews }

  /// Takes in the coins of one frame; returns the step to tell of, if any.
  /// - Parameters:
  ///   - coins: what was found.
  ///   - isMoving: whether the scene is in motion.
  ///   - pixelsPerMillimetre: of the picture; 0 where the tray has not been calibrated.
  ///   - look: gives how a coin of `coins` looks.
  public mutating func take(
    _ coins: Span<Detection>, isMoving: Bool, pixelsPerMillimetre: Float = 0,
    look: (Detection) -> Embedding
  ) -> Lesson.Step? {
    if coins.count != 1 || (isMoving && stillFrames > 1) {
      still = 0
      hasMoved = true
      if coins.count < 2 || isMoving || hasToldOfSeveral { return nil }
      hasToldOfSeveral = true
      return .several
    }
    hasToldOfSeveral = false
    let coin = coins[0]
    let distance = (coin.x - x) * (coin.x - x) + (coin.y - y) * (coin.y - y)
    let isElsewhere = distance > 0.01 * coin.diameter * coin.diameter
    if isElsewhere || stillFrames == 1 {
      hasMoved = true
      still = 0
    }
    x = coin.x
    y = coin.y
    still += 1
    if !hasMoved || still < stillFrames { return nil }
    hasMoved = false
    let size = pixelsPerMillimetre > 0 ? coin.diameter / pixelsPerMillimetre : 0
    return takeView(coin, look(coin), millimetres: size)
  }

  private mutating func takeView(
    _ coin: Detection, _ look: Embedding, millimetres size: Float
  ) -> Lesson.Step {
    // What was taught before under this name may be taught anew.
    if coin.value != 0 && coin.kind == 0 {
      namedViews += 1
      namedValue = coin.value
      if isKnown { return .known(namedValue) }
    }
    kind.add(look)
    if size > 0 {
      millimetres += size
      sizedViews += 1
    }
    kind.millimetres = sizedViews == kind.viewCount ? millimetres / Float(sizedViews) : 0
    let number = kind.viewCount
    if number == Teacher.viewsPerFace { return .flip }
    let face = number <= Teacher.viewsPerFace ? 1 : 2
    return .view(face: face, number: face == 1 ? number : number - Teacher.viewsPerFace)
  }
}
