import Frames

/// A small change of outline and turn, so that several looks at a coin are not one.
struct Jitter: BitwiseCopyable {
  /// Move of the centre, in radii.
  var x: Float = 0
  var y: Float = 0
  /// Factor of the radius.
  var growth: Float = 1
  /// Turn of the first column, in radians.
  var turn: Float = 0

  /// The `index`th of `count` looks: the first is the outline itself; the others move a fortieth
  /// of a radius in directions spread evenly, in turns a fiftieth larger and smaller.
  ///
  /// Turns are spread over eight columns of the unwrap, the stride at which the classifier's
  /// convolutions step around the coin.
  init(index: Int, of count: Int) {
    if index == 0 { return }
    let place = Double(index - 1) / Double(max(1, count - 1))
    let direction = ElementaryFunctions.sineAndCosine(2 * ElementaryFunctions.pi * place)
    x = 0.025 * Float(direction.cosine)
    y = 0.025 * Float(direction.sine)
    growth = index % 2 == 0 ? 1.02 : 0.98
    let columns = 8 * Double(index) / Double(count)
    turn = Float(2 * ElementaryFunctions.pi * columns / Double(PolarUnwrap.angleCount))
  }
}
