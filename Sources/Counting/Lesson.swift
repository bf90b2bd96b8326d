import Detection

/// A step of teaching a coin.
public struct Lesson: BitwiseCopyable, Sendable {
  /// What the step is.
  public enum Step: BitwiseCopyable, Sendable, Equatable {
    /// The coin is to be laid down alone.
    case begin
    /// A view has been taken; the coin is to be turned a little or laid elsewhere.
    case view(face: Int, number: Int)
    /// All views of the first face have been taken; the coin is to be turned over.
    case flip
    /// More than one coin lies there.
    case several
    /// The classifier names the coin by itself, with this value: nothing is to be taught.
    case known(Int32)
    /// The coin is learned, from so many views, and kept if it is on the disk.
    case learned(views: Int, isSaved: Bool)
    /// There is no room for another kind.
    case full
    /// It ended before enough views were taken.
    case ended(views: Int)
  }

  /// What the step is.
  public var step: Step
  /// The name that is taught; empty for rupiah.
  public var name: CoinName
  /// The value that is taught in rupiah; 0 for any other coin.
  public var value: Int32

  /// Makes a step.
  public init(_ step: Step, name: CoinName, value: Int32) {
    self.step = step
    self.name = name
    self.value = value
  }
}
