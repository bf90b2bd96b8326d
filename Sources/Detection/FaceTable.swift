import Frames

/// What one output of the classifier stands for.
struct FaceKind: BitwiseCopyable {
  /// Index into `Detection.values`, or -1 for a coin that is not named and for what is none.
  var valueIndex: Int8 = -1
  /// Whether the coin has been withdrawn from circulation.
  var isWithdrawn = false
  /// Whether it is no coin at all.
  var isNoCoin = false
  /// Index into the table's diameters.
  var diameterIndex: UInt8 = 0
}

/// The faces the classifier tells apart, and the few diameters they have.
struct FaceTable {
  /// The most faces a model may tell apart.
  static let capacity = 64
  /// The most different diameters they may have.
  static let diameterCapacity = 24

  private var kinds = InlineArray<64, FaceKind>(repeating: FaceKind())
  private var logDiameters = InlineArray<24, Double>(repeating: 0)
  private var spreads = InlineArray<24, Double>(repeating: 0)
  /// How many faces there are.
  private(set) var count = 0
  /// How many different diameters there are.
  private(set) var diameterCount = 0

  subscript(face: Int) -> FaceKind { kinds[face] }

  /// ln of the diameter in millimetres.
  func logDiameter(_ index: Int) -> Double { logDiameters[index] }

  /// How far ln of the diameter may be off; 0 for coins, which are struck to size.
  func spread(_ index: Int) -> Double { spreads[index] }

  /// Adds a face of a coin that is named.
  ///
  /// Diameters less than 0.3 % apart are taken for one. Returns `false` when the table is full,
  /// the value is not one of `Detection.values`, or the diameter is not 5 to 100 mm.
  mutating func addFace(value: Int, isWithdrawn: Bool, diameter: Float) -> Bool {
    guard diameter >= 5 && diameter <= 100 else { return false }
    for index in 0..<Detection.values.count where Int(Detection.values[index]) == value {
      return add(
        FaceKind(valueIndex: Int8(index), isWithdrawn: isWithdrawn),
        logDiameter: ElementaryFunctions.logarithm(Double(diameter)), spread: 0)
    }
    return false
  }

  /// Adds "a coin that is not named", of whatever size coins have, or with `isNoCoin` "no coin".
  /// Returns `false` when the table is full.
  mutating func addUnnamed(isNoCoin: Bool) -> Bool {
    // The world's coins are 15 to 33 mm across but for a few; other discs vary more.
    add(
      FaceKind(isNoCoin: isNoCoin), logDiameter: ElementaryFunctions.logarithm(24),
      spread: isNoCoin ? 0.5 : 0.25)
  }

  private mutating func add(_ kind: FaceKind, logDiameter: Double, spread: Double) -> Bool {
    guard count < Self.capacity else { return false }
    var index = 0
    while index < diameterCount
      && (abs(logDiameters[index] - logDiameter) >= 0.003 || spreads[index] != spread)
    {
      index += 1
    }
    if index == diameterCount {
      guard diameterCount < Self.diameterCapacity else { return false }
      logDiameters[index] = logDiameter
      spreads[index] = spread
      diameterCount += 1
    }
    kinds[count] = kind
    kinds[count].diameterIndex = UInt8(index)
    count += 1
    return true
  }
}
