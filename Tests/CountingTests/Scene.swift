import Detection
import Frames

@testable import Counting

/// A coin lying at a place, as a detector would report it.
func coin(
  _ value: Int32, x: Float = 100, y: Float = 100, diameter: Float = 80, sure: Float = 0.97,
  isWithdrawn: Bool = false
) -> Detection {
  var posterior = InlineArray<6, Float>(repeating: (1 - sure) / 5)
  posterior[Evidence.index(of: value)] = sure
  return Detection(
    x: x, y: y, diameter: diameter, value: value, isWithdrawn: isWithdrawn, confidence: sure,
    posterior: posterior)
}

/// A tracker and a tally run on made-up detections, ten frames a second.
struct Scene: ~Copyable {
  var tracker = Tracker()
  var tally: Tally
  var events = EventList()
  var frame = 0

  init(_ settings: Tally.Settings = Tally.Settings()) {
    tally = Tally(settings)
  }

  /// Shows the same coins for a number of frames; returns the events that came of it.
  mutating func show(
    _ coins: [Detection], frames: Int, hold: HoldReason? = nil, isPending: Bool = false
  ) -> [Event] {
    var seen: [Event] = []
    for _ in 0..<frames {
      tracker.update(coins.span, isHeld: hold != nil)
      tally.update(
        tracker.tracks, hold: tracker.isCrowded ? .crowded : hold, isPending: isPending,
        frame: frame, milliseconds: frame * 100, into: &events)
      for index in 0..<events.count { seen.append(events[index]) }
      events.removeAll()
      frame += 1
    }
    return seen
  }

  /// Identities of the confirmed tracks, ordered by the coins' places from left to right.
  var identities: [Int32] {
    var confirmed: [Track] = []
    for index in 0..<tracker.tracks.count where tracker.tracks[index].isConfirmed {
      confirmed.append(tracker.tracks[index])
    }
    return confirmed.sorted { $0.x < $1.x }.map(\.id)
  }
}

extension [Event] {
  /// The totals said, in order.
  var totals: [Total] {
    compactMap { if case .total(let total) = $0.kind { total } else { nil } }
  }
  /// The coins said to have been put down, in order.
  var added: [Coin] {
    compactMap { if case .coinAdded(let coin) = $0.kind { coin } else { nil } }
  }
  /// The coins said to have been taken away, in order.
  var removed: [Coin] {
    compactMap { if case .coinRemoved(let coin) = $0.kind { coin } else { nil } }
  }
  /// The reasons given for holding, in order.
  var holds: [HoldReason] {
    compactMap { if case .hold(let reason) = $0.kind { reason } else { nil } }
  }
}
