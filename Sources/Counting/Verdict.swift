/// What a coin is held to be, given its evidence.
struct Verdict: BitwiseCopyable, Sendable {
  /// Face value in rupiah, or 0 when it is not named.
  var value: Int32
  /// Whether the coin is a withdrawn one; `false` when it is not named.
  var isWithdrawn: Bool
  /// Probability, 0 to 1, of the likeliest denomination or of "not known".
  var confidence: Float
}
