/// Why a model cannot be loaded or a graph cannot be made of it.
public struct ModelError: Error, Equatable, Sendable {
  /// Which part of the model is at fault.
  public enum Part: UInt8, Sendable {
    case file, section, graph, tensor, port, graphOperator, label, parameter, memory
  }

  /// What is wrong with it.
  public enum Problem: UInt8, Sendable {
    case notAModel, wrongVersion, truncated, trailingBytes, damaged
    case sectionOutside, sectionMisplaced, tooMany
    case reservedNotZero, nameMalformed, nameRepeated
    case rangeOutside, noPorts, capacityExceeded
    case sizeOutOfRange, scaleNotPositive, tensorUnknown, tensorUnwritten, tensorRewritten
    case kindUnknown, windowMalformed, shapeMismatch, quantisationMismatch, clampMalformed
    case arrayOutside, arrayMisaligned, weightOutOfRange, multiplierOutOfRange, shiftOutOfRange
    case accumulatorOverflow, valueNotFinite, flagUnknown
    case notFound, memoryTooSmall, memoryMisaligned
  }

  /// Which part of the model is at fault.
  public let part: Part
  /// The number of the graph concerned, counted from 0, or -1.
  public let graph: Int
  /// The number of the section, tensor, port, operator, label or parameter, or -1. Tensors, ports
  /// and operators are counted within their graph.
  public let index: Int
  /// What is wrong.
  public let problem: Problem

  init(_ part: Part, _ problem: Problem, graph: Int = -1, index: Int = -1) {
    self.part = part
    self.graph = graph
    self.index = index
    self.problem = problem
  }

  /// Writes the error as one line of text, without a line feed: the thing, what is wrong with it,
  /// and the way out. Text beyond the buffer's end is left out.
  ///
  /// - Parameter buffer: where to write; 160 bytes hold every message.
  /// - Returns: how many bytes were written.
  public func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var line = LineWriter(buffer: buffer)
    line.append("model")
    if graph >= 0 {
      line.append(", graph ")
      line.append(graph)
    }
    if part.name.utf8CodeUnitCount > 0 && part != .graph {
      line.append(", ")
      line.append(part.name)
      if index >= 0 {
        line.append(" ")
        line.append(index)
      }
    }
    line.append(": ")
    line.append(problem.text)
    line.append(problem.remedy)
    return line.count
  }
}

extension ModelError.Part {
  fileprivate var name: StaticString {
    switch self {
    case .file, .graph: ""
    case .section: "section"
    case .tensor: "tensor"
    case .port: "port"
    case .graphOperator: "operator"
    case .label: "label"
    case .parameter: "parameter"
    case .memory: "memory"
    }
  }
}

extension ModelError.Problem {
  fileprivate var text: StaticString {
    switch self {
    case .notAModel: "is not a model file"
    case .wrongVersion: "has a version this program does not read"
    case .truncated: "ends too early"
    case .trailingBytes: "is longer than it says"
    case .damaged: "is damaged (its checksum differs)"
    case .sectionOutside: "lies outside the file"
    case .sectionMisplaced: "is misaligned, or overlaps the one before"
    case .tooMany: "has too many records"
    case .reservedNotZero: "has a reserved field in use"
    case .nameMalformed: "has a name that is empty, unterminated or not printable ASCII"
    case .nameRepeated: "has a name that another one has"
    case .rangeOutside: "refers to records outside their section"
    case .noPorts: "has no input or no output"
    case .capacityExceeded: "has too many tensors or operators"
    case .sizeOutOfRange: "has a size of 0 or one that is too large"
    case .scaleNotPositive: "has a scale that is not a positive number"
    case .tensorUnknown: "refers to a tensor there is not"
    case .tensorUnwritten: "reads, or is, a tensor that nothing has written"
    case .tensorRewritten: "writes a tensor that is already written"
    case .kindUnknown: "is of a kind this program does not know"
    case .windowMalformed: "has a kernel, stride or padding out of range"
    case .shapeMismatch: "has tensors whose shapes do not fit it"
    case .quantisationMismatch: "must keep scale and zero point and does not"
    case .clampMalformed: "has a minimum above its maximum"
    case .arrayOutside: "has arrays outside the weights section"
    case .arrayMisaligned: "has an array at a misaligned offset"
    case .weightOutOfRange: "has a weight of -128"
    case .multiplierOutOfRange: "has a multiplier out of range"
    case .shiftOutOfRange: "has a shift out of range"
    case .accumulatorOverflow: "has weights or a bias so large that sums could overflow"
    case .valueNotFinite: "has a value that is not finite, or negative where it must not be"
    case .flagUnknown: "has a flag this program does not know"
    case .notFound: "is not in the model"
    case .memoryTooSmall: "is smaller than asked for"
    case .memoryMisaligned: "is not aligned to 64 bytes"
    }
  }

  fileprivate var remedy: StaticString {
    switch self {
    case .notFound: "; use a model that was trained for this program"
    case .memoryTooSmall, .memoryMisaligned: "; give what `Graph.memory` says"
    case .wrongVersion: "; use the model and the program of one release"
    case .truncated, .trailingBytes, .damaged, .notAModel: "; copy it again, or export it again"
    default: "; export it again"
    }
  }
}

#if !hasFeature(Embedded)
  extension ModelError: CustomStringConvertible {
    /// The line `write(to:)` writes.
    public var description: String {
      String(unsafeUninitializedCapacity: 160) { write(to: $0) }
    }
  }
#endif
