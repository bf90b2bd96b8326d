import Announcing
import CModel
import CSystem
import Detection
import Engine

/// Where the model in use comes from.
enum ModelOrigin {
  /// Linked into the program.
  case builtIn
  /// The value of `--model`.
  case option(Argument)
  /// The value of `model` in the configuration.
  case setting(Argument)

  /// The option goes before the configuration, and that before the built-in model.
  init(option: Argument?, configuration: Configuration) {
    if let option {
      self = .option(option)
    } else if configuration.model.count == 0 {
      self = .builtIn
    } else {
      // Kept until the process ends, for error lines.
      let path = UnsafeMutablePointer<CChar>.allocate(capacity: configuration.model.count)
      for index in 0..<configuration.model.count {
        path[index] = CChar(bitPattern: configuration.model[index])
      }
      self = .setting(path)
    }
  }

  /// The file, if the model is not built in.
  fileprivate var path: Argument? {
    switch self {
    case .builtIn: nil
    case .option(let path), .setting(let path): path
    }
  }
}

/// The model in use, checked.
struct TrainedModel: ~Copyable {
  /// The model, whose bytes live as long as this.
  let model: Model
  private let bytes: UnsafeRawBufferPointer
  private let file: MappedFile?
  private let origin: ModelOrigin
  private let command: StaticString

  /// Maps and checks the model.
  ///
  /// - Parameters:
  ///   - origin: where it comes from.
  ///   - command: who tells of a fault.
  /// - Throws: `ExitStatus.usage` after telling of the fault.
  init(_ origin: ModelOrigin, command: StaticString) throws(ExitStatus) {
    self.origin = origin
    self.command = command
    guard let path = origin.path else {
      let bytes = UnsafeRawBufferPointer(start: cmodel_start(), count: cmodel_size)
      model = try checked(bytes, origin, command: command)
      self.bytes = bytes
      file = nil
      return
    }
    let mapped = try MappedFile(path: path, command: command) { $0.write(origin) }
    model = try checked(mapped.bytes, origin, command: command)
    bytes = mapped.bytes
    file = consume mapped
  }

  /// Makes what finds coins with the model; its memory is kept until the process ends.
  ///
  /// - Throws: `ExitStatus.usage` after telling what the model lacks.
  borrowing func makeFinder() throws(ExitStatus) -> CoinFinder {
    do throws(FinderError) {
      let size = (try CoinFinder.memory(model, .fastest) + 63) / 64 * 64
      guard let memory = aligned_alloc(64, size) else { throw .memoryUnsuitable }
      let finder = try CoinFinder(
        model, .fastest, memory: UnsafeMutableRawBufferPointer(start: memory, count: size))
      giveBackPages()
      return finder
    } catch {
      complain(of: origin, command: command) { error.write(to: $0) }
      throw .usage
    }
  }
}

extension TrainedModel {
  /// Takes the model's pages out of memory: its weights have been packed into the finder's. What is
  /// read of it yet comes from the file again.
  private borrowing func giveBackPages() {
    guard let base = bytes.baseAddress else { return }
    let page = sysconf(Int32(_SC_PAGESIZE))
    // Whole pages only: others hold other data.
    let start = (Int(bitPattern: base) + page - 1) / page * page
    let end = (Int(bitPattern: base) + bytes.count) / page * page
    guard let first = UnsafeMutableRawPointer(bitPattern: start), end > start else { return }
    madvise(first, end - start, MADV_DONTNEED)
  }
}

private func checked(
  _ bytes: UnsafeRawBufferPointer, _ origin: ModelOrigin, command: StaticString
) throws(ExitStatus) -> Model {
  do {
    return try Model(bytes)
  } catch {
    complain(of: origin, command: command) { error.write(to: $0) }
    throw .usage
  }
}

/// Tells of a fault in a model.
///
/// - Parameter write: writes the fault into a buffer and returns how many bytes it took.
private func complain(
  of origin: ModelOrigin, command: StaticString,
  _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
) {
  complain(command) { line in
    line.write(origin)
    if origin.path != nil { line.write(": ") }
    var text = [192 of UInt8](repeating: 0)
    var bytes = text.mutableSpan
    let count = bytes.withUnsafeMutableBufferPointer { write($0) }
    line.write(text.span.extracting(first: count))
  }
}

extension Output {
  /// Writes how the model was named.
  fileprivate mutating func write(_ origin: ModelOrigin) {
    switch origin {
    case .builtIn: write("built-in ")
    case .option(let path):
      write("--model ")
      write(name: path)
    case .setting(let path):
      write("model = ")
      write(name: path)
    }
  }
}
