import Engine
import Frames

/// The three networks of a model, with their inputs and outputs found and checked.
struct Networks: ~Copyable {
  var detector: Graph
  var refiner: Graph
  var classifier: Graph
  let detectorInput: InputTensor
  let centre: OutputTensor
  let offset: OutputTensor
  let size: OutputTensor
  let refinerInput: InputTensor
  let outline: OutputTensor
  let coinness: OutputTensor
  let classifierInput: InputTensor
  let logits: OutputTensor
  /// What coins are compared by that the user teaches; `nil` in a model that does not give it out.
  let likeness: OutputTensor?
  /// How many of the classifier's steps make its logits.
  private let namingSteps: Int

  /// What the networks need: each its constants, and one arena for whichever runs.
  struct Memory {
    var detectorConstants: Int
    var refinerConstants: Int
    var classifierConstants: Int
    var arena: Int
  }

  static func memory(_ model: Model, _ kernels: Kernels) throws(FinderError) -> Memory {
    let detector = try memory(model, "detector", kernels, readsRows: true)
    let refiner = try memory(model, "refiner", kernels)
    let classifier = try memory(model, "classifier", kernels)
    return Memory(
      detectorConstants: detector.constants, refinerConstants: refiner.constants,
      classifierConstants: classifier.constants,
      arena: max(detector.arena, max(refiner.arena, classifier.arena)))
  }

  /// Makes the graphs and checks that they take and give what this module works with.
  init(
    _ model: Model, _ kernels: Kernels, _ blocks: inout MemoryBlocks
  ) throws(FinderError) {
    let need = try Self.memory(model, kernels)
    let arena = try blocks.take(need.arena)
    let detector = try Self.graph(
      model, "detector", kernels, readsRows: true, need.detectorConstants, arena, &blocks)
    let refiner = try Self.graph(model, "refiner", kernels, need.refinerConstants, arena, &blocks)
    let classifier = try Self.graph(
      model, "classifier", kernels, need.classifierConstants, arena, &blocks)
    let picture = try Self.input(detector, "detector", height: nil, width: nil)
    let centre = try Self.output(detector, "detector", "centre")
    let offset = try Self.output(detector, "detector", "offset")
    let size = try Self.output(detector, "detector", "size")
    try Self.check(centre, "detector", "centre", like: centre, channels: 1)
    try Self.check(offset, "detector", "offset", like: centre, channels: 2)
    try Self.check(size, "detector", "size", like: centre, channels: 2)
    guard picture.width <= ScaledRows.widest else {
      throw .wrongShape(graph: "detector", port: "pixels")
    }
    guard
      picture.width % centre.width == 0
        && picture.width * centre.height == picture.height * centre.width
    else { throw .wrongShape(graph: "detector", port: "centre") }
    let patch = try Self.input(
      refiner, "refiner", height: SquarePatch.side / 2, width: SquarePatch.side / 2)
    let outline = try Self.output(refiner, "refiner", "outline")
    let coinness = try Self.output(refiner, "refiner", "coinness")
    guard outline.count == 5 else { throw .wrongShape(graph: "refiner", port: "outline") }
    guard coinness.count == 1 else { throw .wrongShape(graph: "refiner", port: "coinness") }
    let unwrap = try Self.input(
      classifier, "classifier", height: PolarUnwrap.radiusCount, width: PolarUnwrap.angleCount)
    let logits = try Self.output(classifier, "classifier", "logits")
    guard logits.count == logits.channels else {
      throw .wrongShape(graph: "classifier", port: "logits")
    }
    guard logits.channels == model.labelCount else { throw .labelCountDiffers }
    let likeness = try? classifier.output("likeness")
    if let likeness, !EmbeddingSum.fits(likeness) {
      throw .wrongShape(graph: "classifier", port: "likeness")
    }
    do {
      namingSteps = try classifier.steps(to: "logits")
    } catch {
      throw .portMissing(graph: "classifier", port: "logits")
    }
    self.detector = detector
    self.refiner = refiner
    self.classifier = classifier
    detectorInput = picture
    self.centre = centre
    self.offset = offset
    self.size = size
    refinerInput = patch
    self.outline = outline
    self.coinness = coinness
    classifierInput = unwrap
    self.logits = logits
    self.likeness = likeness
  }

  /// Runs the classifier.
  /// - Parameter isDescribed: whether `likeness` is needed as well as `logits`.
  mutating func classify(isDescribed: Bool) {
    classifier.run(steps: isDescribed ? classifier.stepCount : namingSteps)
  }

  private static func memory(
    _ model: Model, _ name: StaticString, _ kernels: Kernels, readsRows: Bool = false
  ) throws(FinderError) -> Graph.Memory {
    do {
      return try Graph.memory(model, name, kernels, readsRows: readsRows)
    } catch {
      if error.problem == .notFound { throw .graphMissing(name) }
      throw .engine(error)
    }
  }

  @inline(never)
  private static func graph(
    _ model: Model, _ name: StaticString, _ kernels: Kernels, readsRows: Bool = false,
    _ constantBytes: Int, _ arena: UnsafeMutableRawBufferPointer, _ blocks: inout MemoryBlocks
  ) throws(FinderError) -> Graph {
    let constants = try blocks.take(constantBytes)
    do {
      return try Graph(
        model, name, kernels, readsRows: readsRows, constants: constants, arena: arena)
    } catch {
      throw .engine(error)
    }
  }

  @inline(never)
  private static func input(
    _ graph: borrowing Graph, _ name: StaticString, height: Int?, width: Int?
  ) throws(FinderError) -> InputTensor {
    let tensor: InputTensor
    do {
      tensor = try graph.input("pixels")
    } catch {
      throw .portMissing(graph: name, port: "pixels")
    }
    guard
      tensor.channels == 3 && tensor.height == height ?? tensor.height
        && tensor.width == width ?? tensor.width
    else { throw .wrongShape(graph: name, port: "pixels") }
    guard tensor.zeroPoint == 0 && abs(tensor.scale * 128 - 1) < 1e-3 else {
      throw .wrongInputScale(graph: name)
    }
    return tensor
  }

  @inline(never)
  private static func output(
    _ graph: borrowing Graph, _ name: StaticString, _ port: StaticString
  ) throws(FinderError) -> OutputTensor {
    do {
      return try graph.output(port)
    } catch {
      throw .portMissing(graph: name, port: port)
    }
  }

  private static func check(
    _ tensor: OutputTensor, _ graph: StaticString, _ port: StaticString, like other: OutputTensor,
    channels: Int
  ) throws(FinderError) {
    guard
      tensor.height == other.height && tensor.width == other.width && tensor.channels == channels
    else { throw .wrongShape(graph: graph, port: port) }
  }
}

extension InputTensor {
  /// The elements, to be written. Use before the graph, or one that shares its arena, runs.
  var elements: MutableSpan<Int8> {
    @_lifetime(borrow self)
    get {
      _overrideLifetime(
        MutableSpan(_unsafeStart: base, count: count), borrowing: self)
    }
  }
}

extension QuantisedMap {
  /// The elements of an output; they hold until the graph, or one that shares its arena, runs.
  @_lifetime(borrow tensor)
  init(_ tensor: borrowing OutputTensor) {
    let values = Span(_unsafeStart: tensor.base, count: tensor.count)
    self.init(
      values: _overrideLifetime(values, borrowing: tensor), rows: tensor.height,
      columns: tensor.width, channels: tensor.channels, scale: tensor.scale,
      zeroPoint: Int(tensor.zeroPoint))
  }
}
