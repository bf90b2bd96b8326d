import Engine

/// The numbers that were chosen when the model was trained and travel in its file.
public struct FinderParameters: BitwiseCopyable, Sendable, Equatable {
  /// `detector.threshold`: least probability of a centre in the heat map.
  public var detectorThreshold: Float
  /// `refiner.threshold`: least probability of being one coin-like disc.
  public var refinerThreshold: Float
  /// `classifier.temperature`: what logits are divided by, so that probabilities come true.
  public var temperature: Float
  /// `classifier.unsure`: least probability of a value for it to be named.
  public var unsure: Float
  /// `classifier.reject`: probability of being no coin at all above which a disc is dropped;
  /// 0.5 unless the model says otherwise.
  public var reject: Float
  /// `scale.sigma`: standard deviation of ln diameter as measured.
  public var scaleSigma: Float
  /// `scale.outliers`: share of diameters measured far off; 0.05 unless the model says otherwise.
  public var scaleOutliers: Float
  /// `scale.tilt`: standard deviation of the slope of ln scale over half a photograph; 0.06 unless
  /// the model says otherwise.
  public var scaleTilt: Float
  /// `taught.radius`: how far from the views of a taught kind of its size a coin may look, as a
  /// distance of embeddings; 0 unless the model says otherwise, so that nothing is of a taught
  /// kind.
  public var taughtRadius: Float
  /// `taught.unsized-radius`: the same where the size of the coin or of the kind is not known.
  public var taughtUnsizedRadius: Float

  /// Reads the parameters of a model.
  public init(_ model: Model) throws(FinderError) {
    detectorThreshold = try Self.read(model, "detector.threshold", 0.001...0.999)
    refinerThreshold = try Self.read(model, "refiner.threshold", 0.001...0.999)
    temperature = try Self.read(model, "classifier.temperature", 0.01...100)
    unsure = try Self.read(model, "classifier.unsure", 0...1)
    scaleSigma = try Self.read(model, "scale.sigma", 0.002...0.5)
    reject = try Self.read(model, "classifier.reject", 0...1, default: 0.5)
    scaleOutliers = try Self.read(model, "scale.outliers", 0...1, default: 0.05)
    scaleTilt = try Self.read(model, "scale.tilt", 0...1, default: 0.06)
    taughtRadius = try Self.read(model, "taught.radius", 0...0.99, default: 0)
    taughtUnsizedRadius = try Self.read(model, "taught.unsized-radius", 0...0.99, default: 0)
  }

  private static func read(
    _ model: Model, _ name: StaticString, _ range: ClosedRange<Float>, default: Float? = nil
  ) throws(FinderError) -> Float {
    var value: Float
    do {
      value = try model.parameter(name)
    } catch {
      guard let standard = `default` else { throw .parameterMissing(name) }
      value = standard
    }
    guard range.contains(value) else { throw .parameterOutOfRange(name) }
    return value
  }
}
