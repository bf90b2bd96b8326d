import Frames

/// A circle that may be a coin, as the detector's heat map shows it.
struct Candidate: BitwiseCopyable {
  /// Centre and radius in pixels of the picture.
  var x: Float
  var y: Float
  var radius: Float
  /// How sure the map is: its logit. Higher is better.
  var score: Float
  /// What heat and coinness must add up to, both logits, for it to be a coin.
  var leastSum = -Float.infinity

  static let none = Candidate(x: 0, y: 0, radius: 0, score: 0)

  /// Whether this one goes before `other`: the surer first, then by place, so that the order does
  /// not hang on which was found first.
  func precedes(_ other: Candidate) -> Bool {
    if score != other.score { return score > other.score }
    if y != other.y { return y < other.y }
    if x != other.x { return x < other.x }
    return radius > other.radius
  }
}

/// Candidates of one picture, at most 256: when more come, the best stay.
struct CandidateList: ~Copyable {
  static let capacity = 256
  private(set) var list = FixedList<256, Candidate>(filler: .none)
  /// Whether a candidate had to be left out because the list was full.
  private(set) var isTruncated = false

  var count: Int { list.count }

  subscript(index: Int) -> Candidate { list[index] }

  /// Adds a candidate, in place of the weakest when the list is full.
  mutating func add(_ candidate: Candidate) {
    if list.append(candidate) { return }
    isTruncated = true
    var weakest = 0
    for index in 1..<list.count where list[weakest].precedes(list[index]) { weakest = index }
    if candidate.precedes(list[weakest]) { list[weakest] = candidate }
  }

  mutating func removeAll() {
    list.removeAll()
    isTruncated = false
  }

  /// Lets the candidate at `index` be a coin on no more evidence than the one at `other` needs.
  mutating func ease(_ index: Int, as other: Int) {
    list[index].leastSum = min(list[index].leastSum, list[other].leastSum)
  }

  /// Copies the candidate at `index` over the one at `place`.
  mutating func move(_ index: Int, to place: Int) { list[place] = list[index] }

  /// Leaves the first `count` candidates.
  mutating func keepFirst(_ count: Int) {
    while list.count > count { list.swapRemove(at: list.count - 1) }
  }

  /// Puts the surest first.
  mutating func sort() {
    var end = 1
    while end < list.count {
      let moved = list[end]
      var place = end
      while place > 0 && moved.precedes(list[place - 1]) {
        list[place] = list[place - 1]
        place -= 1
      }
      list[place] = moved
      end += 1
    }
  }
}
