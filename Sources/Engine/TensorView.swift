/// An input tensor to be filled: int8, height x width x channels, in the graph's arena.
public struct InputTensor {
  /// The first element; channels are next to each other, then columns, then rows. Not to be written
  /// to unless `isWhole`.
  public let base: UnsafeMutablePointer<Int8>
  /// Whether all elements are in memory: else they come by `Graph.run(reading:)`.
  public let isWhole: Bool
  /// Rows, at least 1.
  public let height: Int
  /// Columns, at least 1.
  public let width: Int
  /// Channels, at least 1.
  public let channels: Int
  /// What one step of an element is worth.
  public let scale: Float
  /// The element that stands for 0.
  public let zeroPoint: Int8

  /// How many elements there are.
  public var count: Int { height * width * channels }
}

/// An output tensor to be read: int8, height x width x channels, in the graph's arena.
public struct OutputTensor {
  /// The first element; channels are next to each other, then columns, then rows.
  public let base: UnsafePointer<Int8>
  /// Rows, at least 1.
  public let height: Int
  /// Columns, at least 1.
  public let width: Int
  /// Channels, at least 1.
  public let channels: Int
  /// What one step of an element is worth.
  public let scale: Float
  /// The element that stands for 0.
  public let zeroPoint: Int8

  /// How many elements there are.
  public var count: Int { height * width * channels }

  /// The real number at a place. Preconditions: inside the tensor.
  @inlinable
  public subscript(row: Int, column: Int, channel: Int) -> Float {
    precondition(row >= 0 && row < height && column >= 0 && column < width)
    precondition(channel >= 0 && channel < channels)
    let element = base[(row * width + column) * channels + channel]
    return scale * Float(Int32(element) - Int32(zeroPoint))
  }
}
