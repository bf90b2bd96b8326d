/// A borrowed int8 tensor with what its numbers mean: real = scale * (q - zeroPoint).
struct QuantisedMap: ~Escapable {
  let values: Span<Int8>
  let rows: Int
  let columns: Int
  let channels: Int
  let scale: Float
  let zeroPoint: Int

  /// Precondition: `values` has `rows * columns * channels` elements, channels next to each other.
  @_lifetime(copy values)
  init(
    values: Span<Int8>, rows: Int, columns: Int, channels: Int, scale: Float, zeroPoint: Int
  ) {
    precondition(values.count == rows * columns * channels)
    self.values = values
    self.rows = rows
    self.columns = columns
    self.channels = channels
    self.scale = scale
    self.zeroPoint = zeroPoint
  }

  /// The real number at a place. Precondition: the place is in the map.
  func real(_ row: Int, _ column: Int, _ channel: Int) -> Float {
    scale * Float(Int(values[(row * columns + column) * channels + channel]) - zeroPoint)
  }

  /// The least quantised value whose real number is at least `limit`; 128 when there is none.
  func quantised(atLeast limit: Double) -> Int {
    var value = -128
    while value < 128 && Double(scale) * Double(value - zeroPoint) < limit { value += 1 }
    return value
  }
}
