import CModel
import Detection
import Engine

/// The model in use: a file's, or the one linked into the program.
struct TrainedModel: ~Copyable {
  /// The model, whose bytes live as long as this.
  let model: Model
  private let file: MappedFile?

  /// Checks the model.
  ///
  /// - Parameters:
  ///   - path: the value of `--model`, or `nil` for the built-in model.
  ///   - command: who tells of a fault.
  /// - Throws: `ExitStatus.usage` after telling of the fault.
  init(path: Argument?, command: StaticString) throws(ExitStatus) {
    guard let path else {
      let bytes = UnsafeRawBufferPointer(start: cmodel_start(), count: cmodel_size)
      model = try checked(bytes, path: nil, command: command)
      file = nil
      return
    }
    let mapped = try MappedFile(path: path, option: "--model", command: command)
    model = try checked(mapped.bytes, path: path, command: command)
    file = consume mapped
  }
}

/// Tells of a fault in the model of `--model`, or in the built-in one where `path` is `nil`.
///
/// - Parameter write: writes the fault into a buffer and returns how many bytes it took.
func complain(
  ofModel path: Argument?, command: StaticString,
  _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
) {
  complain(command) { line in
    if let path {
      line.write("--model ")
      line.write(name: path)
      line.write(": ")
    } else {
      line.write("built-in ")
    }
    var text = [192 of UInt8](repeating: 0)
    var bytes = text.mutableSpan
    let count = bytes.withUnsafeMutableBufferPointer { write($0) }
    line.write(text.span.extracting(first: count))
  }
}

private func checked(
  _ bytes: UnsafeRawBufferPointer, path: Argument?, command: StaticString
) throws(ExitStatus) -> Model {
  do {
    return try Model(bytes)
  } catch {
    complain(ofModel: path, command: command) { error.write(to: $0) }
    throw .usage
  }
}
