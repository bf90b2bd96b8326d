import Engine
import Frames

extension CoinFinder {
  /// Weighs all that is known of the located coins and lists them, surest first.
  ///
  /// Discs that are no coins are left out. A coin that was not identified has the value 0 and a
  /// flat posterior, which changes nothing where posteriors are multiplied.
  ///
  /// - Parameters:
  ///   - effort: whether scale may change across the picture.
  ///   - list: emptied, then filled.
  @discardableResult
  public mutating func conclude(
    effort: Effort = .live, into list: inout DetectionList
  ) -> FindReport {
    dropDuplicates()
    weighSizes(expectsTilt: effort.expectsTilt)
    dropDetails()
    list.removeAll()
    let pixels = taught.count > 0 ? pixelsPerMillimetre : 0
    for index in 0..<coins.count {
      switch coins[index].state {
      case .dropped:
        // A picture is counted once; in a live one what the refiner drops has other chances, and
        // its tracks are to rest on what the refiner holds to be coins.
        if !effort.looksCloser { break }
        let detection = taughtAlone(index, pixels, besides: list)
        if let detection { list.append(detection) }
      case .located, .refined: list.append(unidentified(index))
      case .identified:
        let verdict = Verdict(
          weighed(index), table: faces, leastConfidence: parameters.unsure)
        if verdict.noCoin > parameters.reject && !coins[index].isRecalled { break }
        let outline = coins[index].outline
        var detection = Detection(
          x: outline.x, y: outline.y, diameter: outline.longerAxis, value: verdict.value,
          isWithdrawn: verdict.isWithdrawn, confidence: verdict.confidence,
          posterior: verdict.posterior)
        detection.place = index
        detection.isLooked = !coins[index].isRecalled
        detection.isRefused = coins[index].isRefused
        detection.isRestated = coins[index].isRestated
        if verdict.value != 0 { detection.millimetres = millimetres(index, verdict) }
        if verdict.value == 0 && detection.isLooked { name(&detection, pixels) }
        list.append(detection)
      }
    }
    return FindReport(coins: list.count, passes: passes, isTruncated: isTruncated)
  }

  /// The diameter of the likeliest face of the value and status a coin is held to have.
  private func millimetres(_ index: Int, _ verdict: Verdict) -> Float {
    let probabilities = weighed(index)
    var best = -1
    for face in 0..<faces.count {
      let kind = faces[face]
      if kind.valueIndex < 0 || kind.isWithdrawn != verdict.isWithdrawn { continue }
      if Detection.values[Int(kind.valueIndex)] != verdict.value { continue }
      if best < 0 || probabilities.values[face] > probabilities.values[best] { best = face }
    }
    if best < 0 { return 0 }
    let logarithm = faces.logDiameter(Int(faces[best].diameterIndex))
    return Float(ElementaryFunctions.exponential(logarithm))
  }

  /// Something that its outline does not show to be a coin, if it looks like one that was taught
  /// and lies on no other.
  private func taughtAlone(
    _ index: Int, _ pixels: Float, besides list: borrowing DetectionList
  ) -> Detection? {
    if !coins[index].isDoubtful || taught.count == 0 { return nil }
    for other in 0..<coins.count where coins[other].state != .dropped {
      let one = coins[other].outline
      if coins[index].outline.lies(on: one.x, one.y, radius: one.radius) { return nil }
    }
    for other in 0..<list.count {
      let one = list[other]
      if coins[index].outline.lies(on: one.x, one.y, radius: 0.5 * one.diameter) { return nil }
    }
    var detection = unidentified(index)
    detection.isLooked = true
    name(&detection, pixels)
    return detection.kind == 0 ? nil : detection
  }

  /// Pixels in a millimetre of this picture, by calibration or else by the coins that are named; 0
  /// where neither tells, or named coins contradict each other.
  private var pixelsPerMillimetre: Float {
    if let knownScale {
      return knownScale.pixelsPerMillimetre * Float(pictureWidth) / Float(knownScale.width)
    }
    var least = Float.infinity
    var most: Float = 0
    for index in 0..<coins.count where coins[index].state == .identified {
      let verdict = Verdict(weighed(index), table: faces, leastConfidence: parameters.unsure)
      if verdict.value == 0 { continue }
      let millimetres = millimetres(index, verdict)
      if millimetres <= 0 { continue }
      least = min(least, coins[index].outline.longerAxis / millimetres)
      most = max(most, coins[index].outline.longerAxis / millimetres)
    }
    return most > 0 && most < 1.1 * least ? 0.5 * (least + most) : 0
  }

  /// Names a coin that the classifier does not name, if it is one that was taught.
  /// - Parameter pixels: pixels in a millimetre, 0 where that is not known.
  private func name(_ detection: inout Detection, _ pixels: Float) {
    if taught.count == 0 { return }
    guard
      let kind = taught.kind(
        of: embeddings[detection.place],
        millimetres: pixels > 0 ? detection.diameter / pixels : 0,
        within: parameters.taughtRadius, unsized: parameters.taughtUnsizedRadius)
    else { return }
    detection.kind = kind.index + 1
    detection.name = taught[kind.index].name
    let value = taught[kind.index].value
    for index in 0..<5 where Detection.values[index] == value {
      detection.value = value
      for other in 0..<6 { detection.posterior[other] = other == index ? 0.99 : 0.002 }
    }
  }

  /// Probability, by the refiner, that a coin that has been looked at is one coin-like disc.
  ///
  /// Precondition: `0 <= index < locatedCount`.
  public func coinness(at index: Int) -> Float {
    Float(ElementaryFunctions.probability(ofLogit: Double(coins[index].coinness)))
  }

  /// Probability, by the detector, that a located coin is one.
  ///
  /// Precondition: `0 <= index < locatedCount`.
  public func heat(at index: Int) -> Float {
    Float(ElementaryFunctions.probability(ofLogit: Double(coins[index].heat)))
  }

  /// Whether a coin that has been looked at is one, by its own looks.
  ///
  /// Precondition: `0 <= index < locatedCount`.
  public func isCoin(at index: Int) -> Bool {
    if coins[index].state != .identified { return false }
    let verdict = Verdict(
      probabilities[index], table: faces, leastConfidence: parameters.unsure)
    return verdict.noCoin <= parameters.reject
  }

  private func unidentified(_ index: Int) -> Detection {
    let coin = coins[index]
    var detection = Detection(
      x: coin.outline.x, y: coin.outline.y, diameter: coin.outline.longerAxis, value: 0,
      isWithdrawn: false,
      confidence: Float(ElementaryFunctions.probability(ofLogit: Double(coin.heat))),
      posterior: InlineArray(repeating: 1 / 6))
    detection.place = index
    detection.isLooked = false
    return detection
  }

  /// Brings what the coins' sizes say into their probabilities.
  private mutating func weighSizes(expectsTilt: Bool) {
    scale.removeAll()
    var place = 0
    let half = 0.5 * Double(max(pictureWidth, pictureHeight))
    for index in 0..<coins.count where coins[index].state == .identified {
      let outline = coins[index].outline
      var diameters = InlineArray<24, Float>(repeating: 0)
      for face in 0..<faces.count {
        diameters[Int(faces[face].diameterIndex)] += probabilities[index].values[face]
      }
      coins[index].scalePlace = place
      place += 1
      scale.add(
        SizedCoin(
          x: Double(outline.x) / half, y: Double(outline.y) / half,
          logDiameter: ElementaryFunctions.logarithm(Double(max(0.01, outline.longerAxis))),
          diameters: diameters))
    }
    scale.weigh(
      faces,
      ScaleParameters(
        sigma: Double(parameters.scaleSigma), outliers: Double(parameters.scaleOutliers),
        tilt: expectsTilt ? Double(parameters.scaleTilt) : 0, known: knownLogScale,
        knownSpread: Double(knownScale?.spread ?? 0)))
  }

  /// ln of pixels a millimetre in this picture, where the tray has been calibrated.
  private var knownLogScale: Double? {
    guard let knownScale else { return nil }
    let scale =
      Double(knownScale.pixelsPerMillimetre) * Double(pictureWidth) / Double(knownScale.width)
    return ElementaryFunctions.logarithm(max(0.001, scale))
  }

  /// How probable each face is by looks and size together; defined after `weighSizes`.
  private func weighed(_ index: Int) -> FaceProbabilities {
    var result = probabilities[index]
    for face in 0..<faces.count {
      result.values[face] *= scale.factor(
        coin: coins[index].scalePlace, diameter: Int(faces[face].diameterIndex))
    }
    return result
  }

  /// Drops what lies on a coin and is much smaller, such as its eagle.
  ///
  /// It stays where it is likelier than not to be a coin that is named, and likelier than what it
  /// lies on: then that is a plate.
  private mutating func dropDetails() {
    for index in 0..<coins.count where coins[index].state != .dropped {
      let own = named(index)
      for other in 0..<coins.count where coins[other].state == .identified {
        let one = coins[index].outline
        let two = coins[other].outline
        let isDetail = CircleSuppression.isDetail(
          x: one.x, y: one.y, radius: one.radius, of: two.x, two.y, two.radius)
        if isDetail && isCoin(other) && (own <= 0.5 || own < named(other)) {
          coins[index].state = .dropped
          break
        }
      }
    }
  }

  /// Whether an identified coin will be listed.
  private func isCoin(_ index: Int) -> Bool {
    let verdict = Verdict(weighed(index), table: faces, leastConfidence: parameters.unsure)
    return verdict.noCoin <= parameters.reject
  }

  /// Probability that the coin is one of those that are named; 0 before it is identified.
  private func named(_ index: Int) -> Float {
    if coins[index].state != .identified { return 0 }
    let probabilities = weighed(index)
    var sum: Float = 0
    for face in 0..<faces.count where faces[face].valueIndex >= 0 {
      sum += probabilities.values[face]
    }
    return sum
  }
}

extension Outline {
  /// Whether the centre of one of two circles lies in the other.
  @inline(never)
  fileprivate func lies(on otherX: Float, _ otherY: Float, radius otherRadius: Float) -> Bool {
    let right = x - otherX
    let down = y - otherY
    let reach = max(radius, otherRadius)
    return right * right + down * down < reach * reach
  }
}
