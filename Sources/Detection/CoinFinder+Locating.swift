import Engine
import Frames

extension CoinFinder {
  /// Looks for coins with the detector alone, and forgets those of the picture before.
  ///
  /// Coins are numbered from the surest on; `identify` one or more of them, then `conclude`.
  public mutating func locate(in image: ImageView, effort: Effort = .live) {
    gatherCandidates(in: image, effort: effort)
    for index in 0..<candidates.count where !append(candidates[index]) { isTruncated = true }
  }

  /// Looks for coins and finds their outlines; what turns out to be none takes up no room.
  mutating func locateAndRefine(in image: ImageView, effort: Effort) {
    gatherCandidates(in: image, effort: effort)
    for index in 0..<candidates.count {
      if coins.isFull { compact() }
      if !append(candidates[index]) {
        isTruncated = true
        break
      }
      refine(coins.count - 1, in: image)
    }
    dropDuplicates()
  }

  private mutating func gatherCandidates(in image: ImageView, effort: Effort) {
    pictureWidth = image.width
    pictureHeight = image.height
    passes = 0
    candidates.removeAll()
    coins.removeAll()
    look(at: image, left: 0, top: 0, shrink: 1)
    if effort.looksCloser { lookAgain(at: image) }
    CircleSuppression.reduce(&candidates)
    isTruncated = candidates.isTruncated
  }

  private mutating func append(_ candidate: Candidate) -> Bool {
    let circle = Outline(x: candidate.x, y: candidate.y, radius: candidate.radius)
    return coins.append(
      LocatedCoin(
        outline: circle, circle: circle, heat: candidate.score, leastSum: candidate.leastSum,
        coinness: 0, state: .located))
  }

  /// Takes dropped coins and those that are others of the list out of it.
  private mutating func compact() {
    dropDuplicates()
    var index = coins.count - 1
    while index >= 0 {
      if coins[index].state == .dropped { coins.swapRemove(at: index) }
      index -= 1
    }
  }

  /// Looks at parts of the picture where its coins are small for the detector, as long as a closer
  /// look shows more of it, and at the whole made smaller where a coin may fill it.
  private mutating func lookAgain(at image: ImageView) {
    let whole = Letterbox(
      sourceWidth: image.width, sourceHeight: image.height,
      width: networks.detectorInput.width, height: networks.detectorInput.height)
    if candidates.count == 0
      || widestDiameter() > CloserLooks.fills * Float(whole.height) * whole.scale
    {
      look(at: image, left: 0, top: 0, shrink: 2)
    }
    // What the whole picture showed decides: closer looks find more details than coins.
    let seen = candidates.count
    let typical = medianDiameter()
    let leastSum = seen == 0 ? CloserLooks.leastSumForNothing : CloserLooks.leastSum
    for level in 0..<CloserLooks.levels.count {
      let looks = CloserLooks.levels[level]
      let isDue =
        seen == 0
        ? level < CloserLooks.levelsForNothing
        : typical < CloserLooks.widest[level] * whole.scale
      if !isDue || whole.scale * looks.share < 0.55 { continue }
      let sizes =
        seen == 0 ? 0...Float.infinity : typical / CloserLooks.range...typical * CloserLooks.range
      for down in 0..<looks.count {
        let rows = looks.part(down, of: image.height)
        for right in 0..<looks.count {
          let columns = looks.part(right, of: image.width)
          let part = image.part(
            x: columns.start, y: rows.start, width: columns.length, height: rows.length)
          look(
            at: part, left: columns.start, top: rows.start, shrink: 1, diameters: sizes,
            leastSum: leastSum)
        }
      }
    }
  }

  /// The diameter of the widest candidate, in pixels of the picture; 0 without one.
  private func widestDiameter() -> Float {
    var diameter: Float = 0
    for index in 0..<candidates.count { diameter = max(diameter, 2 * candidates[index].radius) }
    return diameter
  }

  /// The median of the candidates' diameters, in pixels of the picture; 0 without one.
  private func medianDiameter() -> Float {
    let wanted = candidates.count / 2
    for index in 0..<candidates.count {
      let own = candidates[index].radius
      var smaller = 0
      var equal = 0
      for other in 0..<candidates.count {
        if candidates[other].radius < own { smaller += 1 }
        if candidates[other].radius == own { equal += 1 }
      }
      if smaller <= wanted && wanted < smaller + equal { return 2 * own }
    }
    return 0
  }

  /// Runs the detector over a part of the picture.
  private mutating func look(
    at part: ImageView, left: Int, top: Int, shrink: Int,
    diameters: ClosedRange<Float> = 0...Float.infinity, leastSum: Float = -Float.infinity
  ) {
    let input = networks.detectorInput
    let box = Letterbox(
      sourceWidth: part.width, sourceHeight: part.height, width: input.width,
      height: input.height, shrink: shrink)
    var rows = ScaledRows(part.frame, box, scratch: scratch)
    withUnsafeMutablePointer(to: &rows) {
      networks.detector.run(reading: RowSource(context: $0, write: ScaledRows.write))
    }
    passes += 1
    let centre = networks.centre
    let offset = networks.offset
    let size = networks.size
    HeatMap.decode(
      centre: QuantisedMap(centre), offset: QuantisedMap(offset), size: QuantisedMap(size),
      cellSize: Float(input.width / centre.width),
      leastLogit: Self.logit(parameters.detectorThreshold),
      frame: PassFrame(
        left: left, top: top, box: box, pictureWidth: pictureWidth,
        pictureHeight: pictureHeight, leastDiameter: diameters.lowerBound,
        mostDiameter: diameters.upperBound, leastSum: leastSum),
      into: &candidates)
  }
}
