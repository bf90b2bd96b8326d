import Frames

/// Parts of a picture to look at enlarged: `count` by `count` of them, overlapping.
struct CloserLooks: BitwiseCopyable {
  /// Parts along each axis.
  var count: Int
  /// Side of a part over the picture's.
  var share: Float

  /// From a little closer to much closer: 1.7, 2.5, 4 and 6.7 times. Parts overlap by a fifth, a
  /// tenth, a sixteenth and a thirty-third of the picture, more than coins that need them are wide.
  static let levels: InlineArray<4, CloserLooks> = [
    CloserLooks(count: 2, share: 0.6), CloserLooks(count: 3, share: 0.4),
    CloserLooks(count: 5, share: 0.25), CloserLooks(count: 8, share: 0.15),
  ]

  /// The median coin, in input pixels of the whole picture, below which a level is worth looking.
  static let widest: InlineArray<4, Float> = [36, 20, 13, 9]
  /// How many levels are looked at where the whole picture shows nothing.
  static let levelsForNothing = 2
  /// How far coins found in closer looks may be from the median of those that the whole
  /// picture showed, as a factor of their diameter.
  static let range: Float = 2.2
  /// What heat and coinness must add up to where the whole picture showed other coins: less than
  /// one in twenty coins stays below, and two of three round things that are none.
  static let leastSum: Float = 2.5
  /// The same where the whole picture showed nothing, and so most likely there is nothing: one coin
  /// in five stays below, and 98 of 100 things that are none.
  static let leastSumForNothing: Float = 4
  /// The widest coin, in heights of the input, above which a picture is also looked at smaller.
  static let fills: Float = 0.55

  /// Where a part begins and how long it is, along an axis of `length` pixels.
  func part(_ index: Int, of length: Int) -> (start: Int, length: Int) {
    let size = max(1, min(length, Int(Float(length) * share + 0.5)))
    if count < 2 { return (0, size) }
    return ((length - size) * index / (count - 1), size)
  }
}
