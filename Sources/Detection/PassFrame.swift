import Frames

/// One pass of the detector: which part of the picture it saw, and how that lay in its input.
struct PassFrame: BitwiseCopyable {
  /// The part's top left pixel and size, in pixels of the picture.
  var left: Int
  var top: Int
  /// How the part lies in the input.
  var box: Letterbox
  /// Size of the picture; a part's sides that are not the picture's may cut coins.
  var pictureWidth: Int
  var pictureHeight: Int
  /// Least diameter of circles to take, in pixels of the picture.
  var leastDiameter: Float = 0
  /// Greatest diameter of circles to take, in pixels of the picture.
  var mostDiameter = Float.infinity
  /// What heat and coinness of its circles must add up to; see `Candidate`.
  var leastSum = -Float.infinity

  /// Adds a circle given in input pixels, unless it lies outside the part or the part's side cuts
  /// it: then a neighbouring part, or the whole picture, shows it better.
  func add(
    x: Float, y: Float, diameter: Float, score: Float, to candidates: inout CandidateList
  ) {
    let place = box.sourcePlace(x: x, y: y)
    let radius = 0.5 * diameter * box.scale
    if 2 * radius < leastDiameter || 2 * radius > mostDiameter { return }
    let width = Float(box.sourceWidth)
    let height = Float(box.sourceHeight)
    if place.x < 0 || place.y < 0 || place.x > width || place.y > height { return }
    let slack = 0.1 * radius
    let isCut =
      (left > 0 && place.x - radius < -slack)
      || (top > 0 && place.y - radius < -slack)
      || (left + box.sourceWidth < pictureWidth && place.x + radius > width + slack)
      || (top + box.sourceHeight < pictureHeight && place.y + radius > height + slack)
    if isCut { return }
    candidates.add(
      Candidate(
        x: place.x + Float(left), y: place.y + Float(top), radius: radius, score: score,
        leastSum: leastSum))
  }
}
