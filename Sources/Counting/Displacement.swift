import Detection

/// Finds by how much all coins have moved together, as when the tray or the camera is knocked.
///
/// Every pair of a track and a detection of like size votes for its displacement in a grid of
/// 64 × 64 cells, each half a mean diameter wide; the best cell and its neighbours are averaged.
struct Displacement: ~Copyable {
  /// A displacement in pixels and how many tracks agree with it.
  struct Result: BitwiseCopyable {
    /// Movement to the right, in pixels.
    var x: Float
    /// Movement downwards, in pixels.
    var y: Float
    /// How many pairs of track and detection agree.
    var support: Int
  }

  private static let side = 64
  private var votes = InlineArray<4096, UInt16>(repeating: 0)

  init() {}

  /// The displacement most tracks agree with. Precondition: neither list is empty.
  mutating func find(from tracks: Span<Track>, to detections: Span<Detection>) -> Result {
    var sum: Float = 0
    for index in 0..<tracks.count { sum += tracks[index].diameter }
    let cell = 0.5 * sum / Float(tracks.count)
    for index in 0..<4096 { votes[index] = 0 }
    var best = 0
    for row in 0..<tracks.count {
      for column in 0..<detections.count {
        guard let place = place(tracks[row], detections[column], cell: cell) else { continue }
        votes[place] += 1
        if votes[place] > votes[best] { best = place }
      }
    }
    return average(around: best, tracks, detections, cell: cell)
  }

  /// Mean of the displacements within one cell of the cell `best`.
  private func average(
    around best: Int, _ tracks: Span<Track>, _ detections: Span<Detection>, cell: Float
  ) -> Result {
    var result = Result(x: 0, y: 0, support: 0)
    for row in 0..<tracks.count {
      for column in 0..<detections.count {
        guard let place = place(tracks[row], detections[column], cell: cell) else { continue }
        let down = place / Displacement.side - best / Displacement.side
        let right = place % Displacement.side - best % Displacement.side
        if max(down, -down) > 1 || max(right, -right) > 1 { continue }
        result.x += detections[column].x - tracks[row].x
        result.y += detections[column].y - tracks[row].y
        result.support += 1
      }
    }
    if result.support > 0 {
      result.x /= Float(result.support)
      result.y /= Float(result.support)
    }
    return result
  }

  /// The cell of the displacement from `track` to `detection`, if the two may be one coin.
  private func place(_ track: Track, _ detection: Detection, cell: Float) -> Int? {
    let ratio = detection.diameter / track.diameter
    if ratio < 0.9 || ratio > 1.1 { return nil }
    let half = Float(Displacement.side / 2)
    let right = (detection.x - track.x) / cell + half
    let down = (detection.y - track.y) / cell + half
    let end = Float(Displacement.side)
    if right < 0 || down < 0 || right >= end || down >= end { return nil }
    return Int(down) * Displacement.side + Int(right)
  }
}
