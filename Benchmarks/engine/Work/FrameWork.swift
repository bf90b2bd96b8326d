import Engine
import Frames

/// A whole camera frame as the peers of Benchmarks/peers do it as well: 640 x 480 YUYV becomes the
/// detector's input, one coin is cut out, refined twice, cut out again, unrolled, and classified.
/// What the networks say is not interpreted.
public struct FrameWork: ~Copyable {
  private static let width = 640
  private static let height = 480
  /// Where the coin is; the same as the peers'.
  private static let centre: (x: Float, y: Float) = (320, 240)
  private static let diameter: Float = 80

  private var detector: Graph
  private var refiner: Graph
  private var classifier: Graph
  private let samples: UnsafeMutablePointer<UInt8>
  private let patch: UnsafeMutablePointer<UInt8>
  private let box: Letterbox
  private let rowScratch: UnsafeMutableRawPointer
  private let rowPlace: UnsafeMutablePointer<Int8>
  private let polar = PolarUnwrap()

  /// Makes the networks ready, and a frame of noise.
  public init(_ model: Model, _ kernels: Kernels) throws(ModelError) {
    let detector = try FrameWork.graph(model, "detector", kernels, readsRows: true)
    let refiner = try FrameWork.graph(model, "refiner", kernels)
    let classifier = try FrameWork.graph(model, "classifier", kernels)
    let picture = try detector.input("pixels")
    self.detector = detector
    self.refiner = refiner
    self.classifier = classifier
    samples = .allocate(capacity: 2 * Self.width * Self.height)
    patch = .allocate(capacity: SquarePatch.byteCount)
    box = Letterbox(
      sourceWidth: Self.width, sourceHeight: Self.height, width: picture.width,
      height: picture.height)
    rowScratch = .allocate(byteCount: ScaledRows.scratchBytes, alignment: 64)
    rowPlace = .allocate(capacity: 4 * picture.width)
    var state: UInt32 = 1
    for place in 0..<2 * Self.width * Self.height {
      state = state &* 1_664_525 &+ 1_013_904_223
      samples[place] = UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  deinit {
    samples.deallocate()
    patch.deallocate()
    rowScratch.deallocate()
    rowPlace.deallocate()
  }

  /// One frame.
  public mutating func run() {
    locate()
    identify()
  }

  /// What a frame's time goes to, besides the networks.
  public enum Part {
    /// The whole frame converted and made smaller, as the detector does it row by row.
    case scaling
    /// A coin cut out, three times a frame.
    case cutting
    /// A cut made smaller for the refiner, twice a frame.
    case halving
    /// A cut unrolled for the classifier.
    case unrolling
  }

  /// One part alone, once.
  public mutating func run(_ part: Part) {
    switch part {
    case .scaling: scale()
    case .cutting: cut(frame)
    case .halving: fill(refiner) { SquarePatch.halve(patchSpan, into: &$1) }
    case .unrolling: unroll()
    }
  }

  /// The frame's first half: scaled, and looked at by the detector.
  public mutating func locate() {
    var rows = ScaledRows(frame, box, scratch: rowScratch)
    withUnsafeMutablePointer(to: &rows) {
      detector.run(reading: RowSource(context: $0, write: ScaledRows.write))
    }
  }

  /// The other half: one coin.
  public mutating func identify() {
    for _ in 0..<2 {
      cut(frame)
      fill(refiner) { SquarePatch.halve(patchSpan, into: &$1) }
      refiner.run()
    }
    cut(frame)
    unroll()
    classifier.run()
  }

  /// Makes all rows that the detector reads, one after another in the same place.
  private func scale() {
    var rows = ScaledRows(frame, box, scratch: rowScratch)
    for y in 0..<box.height { rows.write(y, into: rowPlace, pixelBytes: 4, sign: 0) }
  }

  private func unroll() {
    fill(classifier) {
      polar.unwrap(
        patchSpan, x: Float(SquarePatch.side) / 2, y: Float(SquarePatch.side) / 2,
        radius: SquarePatch.coinRadius, stretch: .none, into: &$1)
    }
  }

  private var frame: FrameView {
    FrameView(
      format: .yuyv, width: Self.width, height: Self.height, colour: Colorimetry(), base: samples,
      bytesPerLine: 2 * Self.width)
  }

  private var patchSpan: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      _overrideLifetime(
        Span(_unsafeStart: UnsafePointer(patch), count: SquarePatch.byteCount), borrowing: self)
    }
  }

  private func cut(_ frame: FrameView) {
    var bytes = MutableSpan(_unsafeStart: patch, count: SquarePatch.byteCount)
    frame.takePatch(x: Self.centre.x, y: Self.centre.y, diameter: Self.diameter, into: &bytes)
  }

  private func fill(
    _ graph: borrowing Graph, _ body: (InputTensor, inout MutableSpan<Int8>) -> Void
  ) {
    guard let input = try? graph.input("pixels") else { return }
    var elements = MutableSpan(_unsafeStart: input.base, count: input.count)
    body(input, &elements)
  }

  private static func graph(
    _ model: Model, _ name: StaticString, _ kernels: Kernels, readsRows: Bool = false
  ) throws(ModelError) -> Graph {
    let need = try Graph.memory(model, name, kernels, readsRows: readsRows)
    return try Graph(
      model, name, kernels, readsRows: readsRows,
      constants: .allocate(byteCount: need.constants, alignment: 64),
      arena: .allocate(byteCount: need.arena, alignment: 64))
  }
}
