/// What became of one picture.
public struct FindReport: BitwiseCopyable, Sendable, Equatable {
  /// How many coins were found, named or not.
  public var coins: Int
  /// How often the detector ran.
  public var passes: Int
  /// Whether there was more that looked like a coin than a list holds, so that some was left out.
  public var isTruncated: Bool
}
