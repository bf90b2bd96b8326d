import Buttons
import Testing

@Suite struct PressDetectorTests {
  /// Feeds edges and asks every 10 ms to the end; returns presses with their times.
  private func presses(_ edges: [(Bool, Int64)], until end: Int64) -> [(Press, Int64)] {
    var detector = PressDetector(ButtonSettings())
    var found: [(Press, Int64)] = []
    var next = 0
    for time in stride(from: Int64(0), through: end, by: 10) {
      while next < edges.count && edges[next].1 <= time {
        if let press = detector.take(isActive: edges[next].0, at: edges[next].1) {
          found.append((press, time))
        }
        next += 1
      }
      if let press = detector.take(now: time) { found.append((press, time)) }
    }
    return found
  }

  @Test func aPressIsToldOnceItIsLetGo() {
    let found = presses([(true, 100), (false, 250)], until: 2000)
    #expect(found.map(\.0) == [.short])
    #expect(found.first?.1 == 280)
  }

  @Test func bouncesAreOnePress() {
    let edges: [(Bool, Int64)] = [
      (true, 100), (false, 102), (true, 105), (false, 106), (true, 110),
      (false, 250), (true, 253), (false, 258),
    ]
    #expect(presses(edges, until: 2000).map(\.0) == [.short])
  }

  @Test func aGlitchIsNoPress() {
    #expect(presses([(true, 100), (false, 110)], until: 2000).isEmpty)
  }

  @Test func aLongPressIsToldWhileItIsHeldAndOnce() {
    let found = presses([(true, 100), (false, 3000)], until: 5000)
    #expect(found.map(\.0) == [.long])
    #expect(found.first?.1 == 1100)
  }

  @Test func pressesOneAfterTheOtherAreAllTold() {
    let edges: [(Bool, Int64)] = [
      (true, 100), (false, 200), (true, 300), (false, 400), (true, 500), (false, 1700),
    ]
    #expect(presses(edges, until: 3000).map(\.0) == [.short, .short, .long])
  }

  @Test func edgesReadLateCountByTheirOwnTime() {
    var detector = PressDetector(ButtonSettings())
    // The loop was busy for half a second; the kernel has kept the edges.
    #expect(detector.take(isActive: true, at: 100) == nil)
    #expect(detector.take(isActive: false, at: 220) == nil)
    #expect(detector.take(now: 600) == .short)
  }
}
