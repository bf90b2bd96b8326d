import CSystem
import Detection
import Engine
import Frames

/// The finder of `receh count` with all it stands on: the model and the memory.
struct CoinCounter: ~Copyable {
  private let model: TrainedModel
  private let memory: AlignedMemory
  private var finder: CoinFinder

  /// Loads the model and gets the memory that its networks need.
  ///
  /// - Parameters:
  ///   - path: the value of `--model`, or `nil` for the built-in model.
  ///   - command: who tells of a fault.
  /// - Throws: `ExitStatus` after telling of the fault.
  init(model path: Argument?, command: StaticString) throws(ExitStatus) {
    let model = try TrainedModel(path: path, command: command)
    do throws(FinderError) {
      let size = try CoinFinder.memory(model.model, .fastest)
      guard let memory = AlignedMemory(size: size) else { throw .memoryUnsuitable }
      let finder = try CoinFinder(model.model, .fastest, memory: memory.bytes)
      self.init(model: model, memory: memory, finder: finder)
    } catch {
      complain(ofModel: path, command: command) { error.write(to: $0) }
      throw .usage
    }
  }

  private init(
    model: consuming TrainedModel, memory: consuming AlignedMemory, finder: consuming CoinFinder
  ) {
    self.model = model
    self.memory = memory
    self.finder = finder
  }

  /// Finds and names the coins of a still picture.
  ///
  /// - Parameter coins: emptied, then filled.
  /// - Returns: `false` when there is more that looks like a coin than `coins` can hold.
  mutating func count(_ image: ImageView, into coins: inout DetectionList) -> Bool {
    !finder.find(in: image, effort: .thorough, into: &coins).isTruncated
  }
}

/// Memory aligned to 64 bytes, freed with its owner.
struct AlignedMemory: ~Copyable {
  /// The memory.
  let bytes: UnsafeMutableRawBufferPointer

  /// Allocates at least `size` bytes; `nil` when there are not that many.
  init?(size: Int) {
    let rounded = (size + 63) / 64 * 64
    guard let base = aligned_alloc(64, rounded) else { return nil }
    bytes = UnsafeMutableRawBufferPointer(start: base, count: rounded)
  }

  deinit {
    free(bytes.baseAddress)
  }
}
