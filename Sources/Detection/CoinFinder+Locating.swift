import Engine
import Frames

extension CoinFinder {
  /// Looks for coins with the detector alone, and forgets those of the picture before.
  ///
  /// Coins are numbered from the surest on; `identify` one or more of them, then `conclude`.
  public mutating func locate(in image: ImageView, effort: Effort = .live) {
    pictureWidth = image.width
    pictureHeight = image.height
    passes = 0
    candidates.removeAll()
    coins.removeAll()
    look(at: image, left: 0, top: 0, shrink: 1)
    if effort.looksCloser { lookAgain(at: image) }
    CircleSuppression.reduce(&candidates)
    isTruncated = candidates.isTruncated
    for index in 0..<candidates.count {
      let candidate = candidates[index]
      let isAdded = coins.append(
        LocatedCoin(
          outline: Outline(x: candidate.x, y: candidate.y, radius: candidate.radius),
          heat: candidate.score, coinness: 0, state: .located))
      if !isAdded { isTruncated = true }
    }
  }

  /// Looks at parts of the picture where its coins are small for the detector, as long as a closer
  /// look shows more of it, and at the whole made smaller where a coin may fill it.
  private mutating func lookAgain(at image: ImageView) {
    let whole = Letterbox(
      sourceWidth: image.width, sourceHeight: image.height,
      width: networks.detectorInput.width, height: networks.detectorInput.height)
    let widest = extremeDiameter(whole.scale, isWidest: true)
    if candidates.count == 0 || widest > 0.55 * Float(whole.height) {
      look(at: image, left: 0, top: 0, shrink: 2)
    }
    for level in 0..<CloserLooks.levels.count {
      let looks = CloserLooks.levels[level]
      // A closer look is only worth it for small coins, or none, in a picture that has the pixels.
      let typical = typicalDiameter(whole.scale)
      let isUnseen = candidates.count == 0 && level < 2
      let isSmall = candidates.count > 0 && typical < CloserLooks.widest[level]
      if (!isUnseen && !isSmall) || whole.scale * looks.share < 0.55 { continue }
      for down in 0..<looks.count {
        let rows = looks.part(down, of: image.height)
        for right in 0..<looks.count {
          let columns = looks.part(right, of: image.width)
          let part = image.part(
            x: columns.start, y: rows.start, width: columns.length, height: rows.length)
          look(at: part, left: columns.start, top: rows.start, shrink: 1)
        }
      }
    }
  }

  /// The diameter of the widest or narrowest candidate, in input pixels of the whole picture.
  private func extremeDiameter(_ scale: Float, isWidest: Bool) -> Float {
    var diameter: Float = 0
    for index in 0..<candidates.count {
      let own = 2 * candidates[index].radius / scale
      if index == 0 || (own > diameter) == isWidest { diameter = own }
    }
    return diameter
  }

  /// The lower quartile of the candidates' diameters, in input pixels of the whole picture.
  private func typicalDiameter(_ scale: Float) -> Float {
    for index in 0..<candidates.count {
      let own = candidates[index].radius
      var smaller = 0
      var equal = 0
      for other in 0..<candidates.count {
        if candidates[other].radius < own { smaller += 1 }
        if candidates[other].radius == own { equal += 1 }
      }
      let wanted = candidates.count / 4
      if smaller <= wanted && wanted < smaller + equal { return 2 * own / scale }
    }
    return 0
  }

  /// Runs the detector over a part of the picture.
  private mutating func look(at part: ImageView, left: Int, top: Int, shrink: Int) {
    let input = networks.detectorInput
    let box = Letterbox(
      sourceWidth: part.width, sourceHeight: part.height, width: input.width,
      height: input.height, shrink: shrink)
    var elements = input.elements
    part.draw(box, into: &elements)
    networks.detector.run()
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
        pictureHeight: pictureHeight),
      into: &candidates)
  }
}
