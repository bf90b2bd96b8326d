/// What makes the rows of a graph's input, one at a time, when the graph asks for them: then the whole
/// input need never be in memory.
public struct RowSource {
  /// Makes one row.
  ///
  /// The arguments are the context; the row, each after those above it and not all asked for; where
  /// it goes; from there bytes from one pixel to the next, as many as a pixel has elements or, of
  /// pixels with three, four, of which the last does not matter; and what each element is
  /// exclusively ored with. No other bytes may be written.
  public typealias Write =
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int8>?, Int, UInt8) -> Void

  let context: UnsafeMutableRawPointer
  let write: Write

  /// - Parameters:
  ///   - context: handed to `write`; what it points to must live for as long as the graph runs.
  ///   - write: makes one row.
  public init(context: UnsafeMutableRawPointer, write: @escaping Write) {
    self.context = context
    self.write = write
  }
}
