import Frames
import Testing

@testable import Counting

@Suite struct ObstacleMeterTests {
  /// A tray drawn pixel by pixel, judged ten frames a second with no coin known unless said.
  private final class Tray {
    static let width = 320
    static let height = 240
    var motion = MotionMeter()
    var meter = ObstacleMeter()
    var tracker = Tracker()
    var milliseconds = 0
    var seed: UInt64 = 0

    /// Shows a picture for some frames; tells whether something is in the way after the last one.
    func show(
      frames: Int, coins: [(x: Float, y: Float)] = [], _ shade: (Int, Int) -> Double
    ) -> Bool {
      for _ in 0..<frames {
        let bytes = picture(shade)
        let sights = coins.map { coin(500, x: $0.x, y: $0.y, diameter: 40) }
        bytes.withUnsafeBufferPointer { buffer in
          guard let base = buffer.baseAddress else { return }
          let view = ImageView(
            base: base, width: Tray.width, height: Tray.height, stride: 3 * Tray.width)
          let isMoving = motion.isMoving(in: view)
          meter.begin(view, motion)
          for place in coins { meter.explain(x: place.x, y: place.y, radius: 20) }
          meter.judge(
            motion, isMoving: isMoving, tracks: tracker.tracks, milliseconds: milliseconds)
          tracker.update(sights.span, isHeld: isMoving || meter.isObstructed)
        }
        milliseconds += 100
      }
      return meter.isObstructed
    }

    /// Begins a frame without judging it.
    func begin(_ shade: (Int, Int) -> Double) {
      picture(shade).withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        let view = ImageView(
          base: base, width: Tray.width, height: Tray.height, stride: 3 * Tray.width)
        _ = motion.isMoving(in: view)
        meter.begin(view, motion)
      }
    }

    func hasArrived(x: Float) -> Bool {
      meter.hasArrived(x: x, y: 120, radius: 20, motion)
    }

    private func picture(_ shade: (Int, Int) -> Double) -> [UInt8] {
      seed += 1
      var generator = SplitMix(state: seed)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(3 * Tray.width * Tray.height)
      for y in 0..<Tray.height {
        for x in 0..<Tray.width {
          let level = UInt8(
            min(255, max(0, shade(x, y) + Double.random(in: -4...4, using: &generator))))
          bytes.append(level)
          bytes.append(level)
          bytes.append(level)
        }
      }
      return bytes
    }
  }

  /// Boards with a joint every 37 pixels.
  private static func boards(_ x: Int, _ y: Int) -> Double { y % 37 < 3 ? 60 : 120 }
  private static func hand(_ x: Int, _ y: Int) -> Double {
    x < 90 && y > 80 && y < 140 ? 180 : boards(x, y)
  }
  private static func disc(_ x: Int, _ y: Int, at middle: (x: Int, y: Int)) -> Bool {
    let right = x - middle.x
    let down = y - middle.y
    return right * right + down * down < 400
  }
  private static func plain(_ x: Int, _ y: Int) -> Double { 140 }
  private static func coinOnPlain(_ x: Int, _ y: Int) -> Double {
    disc(x, y, at: (200, 120)) ? 210 : plain(x, y)
  }
  private static func coinOnBoards(_ x: Int, _ y: Int) -> Double {
    disc(x, y, at: (200, 120)) ? 210 : boards(x, y)
  }

  @Test func aTrayLeftAloneIsClear() {
    let tray = Tray()
    #expect(!tray.show(frames: 20, Self.boards))
  }

  @Test func aHandLyingStillIsInTheWayUntilItGoes() {
    let tray = Tray()
    _ = tray.show(frames: 5, Self.boards)
    #expect(tray.show(frames: 1, Self.hand) == false, "the frame in which it comes is motion")
    #expect(tray.show(frames: 1, Self.hand))
    #expect(tray.show(frames: 60, Self.hand))
    #expect(!tray.show(frames: 2, Self.boards))
  }

  @Test func lightOfAnyKindIsNotInTheWay() {
    let tray = Tray()
    _ = tray.show(frames: 5, Self.boards)
    #expect(!tray.show(frames: 3) { 1.4 * Self.boards($0, $1) })
    #expect(!tray.show(frames: 3) { 0.6 * Self.boards($0, $1) })
    // From one side, and as the soft shadow of someone leaning over.
    #expect(!tray.show(frames: 3) { Self.boards($0, $1) * (0.7 + 0.5 * Double($0) / 320) })
    #expect(
      !tray.show(frames: 3) { x, y in
        Self.boards(x, y) * (1 - 0.4 * min(1, max(0, Double(x - 100) / 120)))
      })
  }

  @Test func aCoinPutDownOrTakenAwayIsNotInTheWay() {
    let tray = Tray()
    _ = tray.show(frames: 5, Self.boards)
    #expect(!tray.show(frames: 20, coins: [(200, 120)], Self.coinOnBoards))
    #expect(!tray.show(frames: 20, Self.boards))
  }

  @Test func somethingNoCoinExplainsIsInTheWay() {
    let tray = Tray()
    _ = tray.show(frames: 5, Self.boards)
    #expect(tray.show(frames: 3, Self.coinOnBoards))
  }

  @Test func aThingLaidAsideBecomesPartOfTheScene() {
    let tray = Tray()
    let thing = { (x: Int, y: Int) in
      x > 220 && x < 290 && y > 40 && y < 100 ? 30 : Self.boards(x, y)
    }
    _ = tray.show(frames: 5, Self.boards)
    #expect(tray.show(frames: 20, thing))
    #expect(!tray.show(frames: 20, thing))
    #expect(!tray.show(frames: 3, Self.boards), "its going leaves the tray as it was before")
    #expect(tray.show(frames: 3, thing), "its coming again is noticed again")
  }

  @Test func somethingFaintOverACoinIsInTheWay() {
    let tray = Tray()
    // A tenth darker than the tray: less than an edge.
    let sheet = { (x: Int, y: Int) in
      Self.plain(x, y) * (x > 140 && x < 260 && y > 60 && y < 180 ? 0.9 : 1)
    }
    _ = tray.show(frames: 10, coins: [(200, 120)], Self.coinOnPlain)
    #expect(tray.show(frames: 2, sheet))
    #expect(tray.show(frames: 300, sheet))
    #expect(!tray.show(frames: 3, coins: [(200, 120)], Self.coinOnPlain))
  }

  @Test func groundThatHasChangedForGoodDoesNotHoldTheTotalForEver() {
    let tray = Tray()
    let stain = { (x: Int, y: Int) in
      Self.plain(x, y) * (x > 140 && x < 260 && y > 60 && y < 180 ? 0.9 : 1)
    }
    _ = tray.show(frames: 10, coins: [(200, 120)], Self.coinOnPlain)
    #expect(tray.show(frames: ObstacleMeter.faintMilliseconds / 100 - 10, stain))
    #expect(!tray.show(frames: 30, stain))
    let count = tray.tracker.tracks.count
    #expect(count == 0, "the coin was taken")
  }

  @Test func somethingFaintBesideCoinsIsNotInTheWay() {
    let tray = Tray()
    let sheet = { (x: Int, y: Int) in
      Self.coinOnPlain(x, y) * (x > 20 && x < 120 && y > 60 && y < 180 ? 0.9 : 1)
    }
    _ = tray.show(frames: 10, coins: [(200, 120)], Self.coinOnPlain)
    #expect(!tray.show(frames: 5, coins: [(200, 120)], sheet))
  }

  @Test func aCoinTakenFromAmongOthersIsGone() {
    let tray = Tray()
    // Its shadow goes with it, and the coin beside it stays.
    let pair = { (x: Int, y: Int) -> Double in
      if Self.disc(x, y, at: (200, 120)) || Self.disc(x, y, at: (242, 120)) { return 210 }
      return Self.disc(x, y, at: (205, 125)) ? 80 : Self.plain(x, y)
    }
    let one = { (x: Int, y: Int) in
      Self.disc(x, y, at: (242, 120)) ? 210 : Self.plain(x, y)
    }
    _ = tray.show(frames: 10, coins: [(200, 120), (242, 120)], pair)
    #expect(!tray.show(frames: 20, coins: [(242, 120)], one))
    let count = tray.tracker.tracks.count
    #expect(count == 1)
  }

  @Test func aCoinPushedAwayAndLostOnTheWayIsGone() {
    let tray = Tray()
    // Taken off where it had been pushed to; the place it came from has changed, and no more.
    let pushed = { (x: Int, y: Int) in
      Self.disc(x, y, at: (178, 120)) ? 210.0 : Self.plain(x, y)
    }
    _ = tray.show(frames: 10, coins: [(200, 120)], Self.coinOnPlain)
    _ = tray.show(frames: 1, coins: [(178, 120)], pushed)
    #expect(!tray.show(frames: 12, Self.plain))
    let count = tray.tracker.tracks.count
    #expect(count == 0)
  }

  @Test func whatHasComeIsToldFromWhatWasThere() {
    let tray = Tray()
    _ = tray.show(frames: 5, Self.boards)
    // In motion and in the first frame at rest; a frame later the scene is learned.
    _ = tray.show(frames: 2, Self.coinOnBoards)
    tray.begin(Self.coinOnBoards)
    #expect(tray.hasArrived(x: 200))
    #expect(!tray.hasArrived(x: 80))
    _ = tray.show(frames: 10, coins: [(200, 120)], Self.coinOnBoards)
    #expect(!tray.hasArrived(x: 200))
  }

  @Test func aThingOverACoinIsInTheWayForAsLongAsItLies() {
    let tray = Tray()
    let book = { (x: Int, y: Int) in
      x > 130 && x < 290 && y > 50 && y < 200 ? 30 : Self.boards(x, y)
    }
    _ = tray.show(frames: 10, coins: [(200, 120)], Self.coinOnBoards)
    #expect(tray.show(frames: 300, book))
    #expect(!tray.show(frames: 3, coins: [(200, 120)], Self.coinOnBoards))
  }

  @Test func anotherTrayIsAcceptedAlthoughACoinWasOnTheOldOne() {
    let tray = Tray()
    _ = tray.show(frames: 10, coins: [(200, 120)], Self.coinOnBoards)
    let checks = { (x: Int, y: Int) in (x / 16 + y / 16) % 2 == 0 ? 40.0 : 200.0 }
    #expect(tray.show(frames: 10, checks))
    #expect(!tray.show(frames: 40, checks))
  }

  @Test func aKnockedCameraIsFollowed() {
    let tray = Tray()
    _ = tray.show(frames: 5, coins: [(200, 120)], Self.coinOnBoards)
    #expect(
      !tray.show(frames: 3, coins: [(187, 129)]) { x, y in Self.coinOnBoards(x + 13, y - 9) })
  }

  @Test func picturesOfAnySizeAreMeasured() {
    for (width, height) in [(1, 1), (3, 2), (81, 61), (1280, 720)] {
      let bytes = [UInt8](repeating: 90, count: width * height * 3)
      bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        let view = ImageView(base: base, width: width, height: height, stride: 3 * width)
        var motion = MotionMeter()
        var meter = ObstacleMeter()
        let tracker = Tracker()
        for frame in 0..<3 {
          let isMoving = motion.isMoving(in: view)
          meter.begin(view, motion)
          meter.explain(x: -50, y: 10_000, radius: 5000)
          meter.judge(
            motion, isMoving: isMoving, tracks: tracker.tracks, milliseconds: 100 * frame)
          #expect(!isMoving && !meter.isObstructed)
        }
      }
    }
  }
}
