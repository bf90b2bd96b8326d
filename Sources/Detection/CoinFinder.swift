import Engine
import Frames

/// Finds the coins of a picture and names them.
///
/// ```swift
/// let model = try Model(bytes)
/// let size = try CoinFinder.memory(model, .fastest)          // bytes, aligned to 64
/// var finder = try CoinFinder(model, .fastest, memory: block)
/// var coins = DetectionList(filler: .none)
/// let report = finder.find(in: picture, effort: .thorough, into: &coins)
/// ```
///
/// A loop with a budget calls the parts of `find` itself: `locate` runs the detector alone,
/// `identify` refines and names one coin, and `conclude` weighs all that is known. Coins that were
/// not identified come out with a flat posterior.
///
/// Nothing here allocates or fails once it is made, and the same picture gives the same bits on
/// every machine.
public struct CoinFinder: ~Copyable {
  var networks: Networks
  var coins = FixedList<64, LocatedCoin>(filler: .none)
  var candidates = CandidateList()
  var scale: ScaleEvidence
  var pictureWidth = 1
  var pictureHeight = 1
  var passes = 0
  var isTruncated = false

  let faces: FaceTable
  let probabilities: UnsafeMutablePointer<FaceProbabilities>
  let embeddings: UnsafeMutablePointer<Embedding>
  /// What is worked on, one thing at a time: the rows that the detector reads while coins are
  /// located, the patch around a coin while it is looked at, or how sizes fit while they are
  /// weighed.
  let scratch: UnsafeMutableRawPointer
  let polar = PolarUnwrap()
  /// Coins the user has taught, named where the classifier names none.
  public var taught = TaughtCoins()
  /// Whether to find how coins look though nothing has been taught yet, as in a lesson.
  public var describesCoins = false
  /// Pixels in a millimetre, where the tray has been calibrated: then sizes are evidence of their
  /// own.
  public var knownScale: KnownScale?
  /// The numbers that came with the model; thresholds may be changed between pictures.
  public var parameters: FinderParameters

  /// How many bytes of memory a finder needs with these kernels, aligned to 64.
  public static func memory(_ model: Model, _ kernels: Kernels) throws(FinderError) -> Int {
    let need = try Networks.memory(model, kernels)
    return MemoryBlocks.rounded(need.arena) + MemoryBlocks.rounded(need.detectorConstants)
      + MemoryBlocks.rounded(need.refinerConstants)
      + MemoryBlocks.rounded(need.classifierConstants)
      + MemoryBlocks.rounded(scratchBytes)
      + MemoryBlocks.rounded(probabilityBytes) + MemoryBlocks.rounded(embeddingBytes)
  }

  private static let scratchBytes =
    max(SquarePatch.byteCount, max(ScaledRows.scratchBytes, ScaleEvidence.memoryBytes))
  private static let embeddingBytes = coinCapacity * MemoryLayout<Embedding>.stride
  private static let probabilityBytes = coinCapacity * MemoryLayout<FaceProbabilities>.stride

  /// Binds a model's networks, labels and parameters.
  ///
  /// - Parameters:
  ///   - model: its bytes must outlive the finder.
  ///   - kernels: what the networks run with; the result is the same with all of them.
  ///   - memory: at least `memory(model, kernels)` bytes aligned to 64, which outlive the finder.
  /// - Throws: `FinderError`, naming what the model lacks.
  public init(
    _ model: Model, _ kernels: Kernels, memory: UnsafeMutableRawBufferPointer
  ) throws(FinderError) {
    var blocks = try MemoryBlocks(memory)
    let parameters = try FinderParameters(model)
    let networks = try Networks(model, kernels, &blocks)
    let faces = try FaceTable(model)
    let scratch = UnsafeMutableRawPointer(
      try blocks.take(of: UInt8.self, count: Self.scratchBytes, filler: 0))
    let probabilities = try blocks.take(
      of: FaceProbabilities.self, count: coinCapacity, filler: FaceProbabilities())
    let embeddings = try blocks.take(
      of: Embedding.self, count: coinCapacity, filler: Embedding())
    self.networks = networks
    self.parameters = parameters
    self.faces = faces
    self.scratch = scratch
    self.probabilities = probabilities
    self.embeddings = embeddings
    scale = ScaleEvidence(memory: scratch)
  }

  static func logit(_ probability: Float) -> Double {
    ElementaryFunctions.logarithm(Double(probability) / (1 - Double(probability)))
  }

  /// Finds and names all coins of a picture.
  ///
  /// - Parameters:
  ///   - image: any size.
  ///   - effort: `.live` or `.thorough`, or something between.
  ///   - list: emptied, then filled with the coins, surest first.
  /// - Returns: how it went; when `isTruncated`, there may be more coins than the list holds.
  @discardableResult
  public mutating func find(
    in image: ImageView, effort: Effort, into list: inout DetectionList
  ) -> FindReport {
    locateAndRefine(in: image, effort: effort)
    for index in 0..<coins.count { identify(index, in: image, effort: effort) }
    return conclude(effort: effort, into: &list)
  }

  /// Whether the model tells how coins look, so that coins can be taught.
  public var canBeTaught: Bool { networks.likeness != nil }

  /// How a coin of the last picture looks, as far as coins are taught or `describesCoins`.
  ///
  /// Precondition: it is in the list that the picture gave, and was looked at.
  public func embedding(of detection: Detection) -> Embedding {
    precondition(detection.place >= 0 && detection.place < coins.count)
    return embeddings[detection.place]
  }

  /// How many coins `locate` found.
  public var locatedCount: Int { coins.count }

  /// Where a located coin is: a circle until it is refined, an ellipse afterwards.
  ///
  /// Precondition: `0 <= index < locatedCount`.
  public func outline(_ index: Int) -> Outline { coins[index].outline }

  /// The circle the detector found, whatever has become of it.
  ///
  /// Precondition: `0 <= index < locatedCount`.
  public func circle(_ index: Int) -> Outline { coins[index].circle }
}
