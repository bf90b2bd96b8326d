import Engine

/// Why a model cannot be used to find coins.
public enum FinderError: Error, Sendable {
  /// The engine refused a graph or the memory it was given.
  case engine(ModelError)
  /// The model has no graph of that name.
  case graphMissing(StaticString)
  /// The graph has no input or output of that name.
  case portMissing(graph: StaticString, port: StaticString)
  /// The input or output has another shape than this program works with.
  case wrongShape(graph: StaticString, port: StaticString)
  /// The graph's input does not stand for (pixel - 128) / 128.
  case wrongInputScale(graph: StaticString)
  /// The model has no parameter of that name.
  case parameterMissing(StaticString)
  /// The parameter has a value that makes no sense.
  case parameterOutOfRange(StaticString)
  /// The classifier has more or fewer outputs than the model has labels.
  case labelCountDiffers
  /// The label at that place has a value or diameter no coin has, or is one too many.
  case labelUnusable(Int)
  /// No label stands for "a coin not known", or none for "not a coin".
  case labelMissing(StaticString)
  /// The memory given is smaller than `CoinFinder.memory` says, or not aligned to 64 bytes.
  case memoryUnsuitable

  /// Writes the error as one line of text, without a line feed: the thing, what is wrong with it,
  /// and the way out. Text beyond the buffer's end is left out.
  ///
  /// - Parameter buffer: where to write; 160 bytes hold every message.
  /// - Returns: how many bytes were written.
  public func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if case .engine(let error) = self { return error.write(to: buffer) }
    var line = LineWriter(buffer: buffer)
    line.append("model: ")
    switch self {
    case .engine: break
    case .graphMissing(let graph):
      line.append("has no graph ")
      line.append(graph)
    case .portMissing(let graph, let port):
      line.append("graph ")
      line.append(graph)
      line.append(" has no input or output ")
      line.append(port)
    case .wrongShape(let graph, let port):
      line.append("graph ")
      line.append(graph)
      line.append(" has a ")
      line.append(port)
      line.append(" of another shape than this program works with")
    case .wrongInputScale(let graph):
      line.append("graph ")
      line.append(graph)
      line.append(" has an input that is not (pixel - 128) / 128")
    case .parameterMissing(let name):
      line.append("has no parameter ")
      line.append(name)
    case .parameterOutOfRange(let name):
      line.append("parameter ")
      line.append(name)
      line.append(" is out of range")
    case .labelCountDiffers:
      line.append("has not one label for each output of the classifier")
    case .labelUnusable(let index):
      line.append("label ")
      line.append(index)
      line.append(" has a value or diameter no coin has, or is one too many")
    case .labelMissing(let kind):
      line.append("has no label of the kind ")
      line.append(kind)
    case .memoryUnsuitable:
      line.append("the memory is too small or misaligned; give what `CoinFinder.memory` says")
      return line.count
    }
    line.append("; use a model that was trained for this program")
    return line.count
  }
}

#if !hasFeature(Embedded)
  extension FinderError: CustomStringConvertible {
    /// The line `write(to:)` writes.
    public var description: String {
      String(unsafeUninitializedCapacity: 160) { write(to: $0) }
    }
  }
#endif
