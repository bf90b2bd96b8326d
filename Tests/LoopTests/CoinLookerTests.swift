import Counting
import Detection
import Engine
import Frames
import TestSupport
import Testing

@testable import Loop

/// A looker over the model of discs, with a tracker that follows what it finds.
private final class Tray {
  private let bytes: UnsafeMutableRawBufferPointer
  private let memory: UnsafeMutableRawBufferPointer
  var looker: CoinLooker
  var tracker = Tracker()
  var detections = DetectionList(filler: .none)

  init() throws {
    let file = DiscModel.model.bytes()
    bytes = .allocate(byteCount: file.count, alignment: 64)
    bytes.copyBytes(from: file)
    let model = try Model(UnsafeRawBufferPointer(bytes))
    memory = .allocate(byteCount: try CoinFinder.memory(model, .fastest), alignment: 64)
    looker = CoinLooker(try CoinFinder(model, .fastest, memory: memory))
  }

  deinit {
    bytes.deallocate()
    memory.deallocate()
  }

  /// Shows discs for one frame; tells which of what is listed was looked at.
  @discardableResult
  func show(_ discs: [Disc], isHeld: Bool = false, hasArrived: Bool = false) -> [Bool] {
    let samples = DiscPicture.samples(discs, width: 640, height: 480)
    samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      _ = looker.look(
        at: ImageView(base: base, width: 640, height: 480, stride: 3 * 640), tracker: tracker,
        isHeld: isHeld, hasArrived: { _ in hasArrived }, into: &detections)
    }
    tracker.update(detections.span, isHeld: isHeld)
    tracker.remember { place in looker.memory(of: place) }
    var wasLooked: [Bool] = []
    for index in 0..<detections.count { wasLooked.append(detections[index].isLooked) }
    return wasLooked
  }

  var identities: [Int32] { tracks.map(\.id).sorted() }
  var looks: Int { looker.looks }
  var isPending: Bool { looker.isPending }
  var values: [Int32] { tracks.sorted { $0.x < $1.x }.map(\.value) }

  private var tracks: [Track] {
    var tracks: [Track] = []
    for index in 0..<tracker.tracks.count { tracks.append(tracker.tracks[index]) }
    return tracks
  }
}

@Suite struct CoinLookerTests {
  /// Rp500, bright enough to be found wherever it lies.
  private let green = (0.5, 1.0, 0.5)
  private let pair = [
    Disc(x: 200, y: 120, colour: (1.0, 0.5, 0.5)), Disc(x: 450, y: 300, colour: Disc.green),
  ]
  private func many(_ count: Int) -> [Disc] {
    (0..<count).map {
      Disc(x: 60 + Double($0 % 6) * 100, y: 60 + Double($0 / 6) * 100, colour: green)
    }
  }

  @Test func coinsAreLookedAtUntilTheyAreSureAndRecalledFromThenOn() throws {
    let tray = try Tray()
    for _ in 0..<6 { #expect(tray.show(pair) == [true, true]) }
    for _ in 0..<20 {
      #expect(tray.show(pair) == [false, false])
      #expect(tray.looks == 0)
      #expect(tray.values == [100, 500])
    }
  }

  @Test func aSureCoinIsLookedAtNowAndThen() throws {
    let tray = try Tray()
    var looks = 0
    for _ in 0..<6 { tray.show(pair) }
    for _ in 0..<100 {
      tray.show(pair)
      looks += tray.looks
    }
    #expect(looks >= 4 && looks <= 8)
  }

  @Test func aNewCoinAmongSureOnesIsTheOnlyOneLookedAt() throws {
    let tray = try Tray()
    for _ in 0..<6 { tray.show(pair) }
    let third = pair + [Disc(x: 330, y: 200, colour: Disc.green)]
    for _ in 0..<6 {
      #expect(tray.show(third).filter { $0 }.count == 1)
      #expect(tray.looks == 1)
    }
    #expect(tray.values == [100, 500, 500])
  }

  @Test func noFrameIsSpentOnMoreThanTenCoinsAndAllGetTheirTurn() throws {
    let tray = try Tray()
    let discs = many(24)
    tray.show(discs)
    #expect(tray.looks == CoinLooker.looksPerFrame)
    #expect(tray.isPending)
    for _ in 0..<8 {
      tray.show(discs)
      #expect(tray.looks <= CoinLooker.looksPerFrame)
    }
    #expect(tray.values == [Int32](repeating: 500, count: 24))
    #expect(!tray.isPending)
  }

  @Test func nothingIsLookedAtWhileTheSceneIsHeldButCoinsAreStillFollowed() throws {
    let tray = try Tray()
    for _ in 0..<3 { tray.show(pair) }
    var moved = pair
    for _ in 0..<5 {
      moved[0].x += 10
      #expect(tray.show(moved, isHeld: true) == [false, false])
      #expect(tray.looks == 0)
    }
    tray.show(moved)
    #expect(tray.values == [100, 500])
    #expect(tray.identities == [1, 2])
  }

  @Test func aCoinOnWhichSomethingMovedIsLookedAtAgain() throws {
    let tray = try Tray()
    for _ in 0..<8 { tray.show(pair) }
    tray.tracker.disturb { x, _, _ in x < 300 }
    #expect(tray.show(pair).filter { $0 }.count == 1)
    #expect(tray.show(pair).filter { $0 }.count == 1)
    #expect(tray.show(pair) == [false, false])
  }

  @Test func aCoinExchangedUnderAHandIsNoticed() throws {
    let tray = try Tray()
    for _ in 0..<8 { tray.show(pair) }
    tray.tracker.disturb { _, _, _ in true }
    let exchanged = [Disc(x: 200, y: 120, colour: green), pair[1]]
    for _ in 0..<5 { tray.show(exchanged) }
    #expect(tray.values == [500, 500])
  }

  @Test func whatIsNoCoinIsLookedAtAFewTimesAndThenSeldom() throws {
    let tray = try Tray()
    let scene = [Disc(x: 320, y: 240, colour: Disc.blue)]
    var looks = 0
    for _ in 0..<CoinLooker.rejectingLooks {
      #expect(tray.show(scene).isEmpty)
      looks += tray.looks
    }
    #expect(looks == CoinLooker.rejectingLooks)
    #expect(!tray.isPending)
    for _ in 0..<CoinLooker.rejectionFrames - 1 {
      tray.show(scene)
      #expect(tray.looks == 0)
    }
    tray.show(scene)
    #expect(tray.looks == 1)
  }

  @Test func aPatternThatNeverRestsIsNotWaitedForForever() throws {
    let tray = try Tray()
    var wasPending: [Bool] = []
    for step in 0..<40 {
      tray.show(
        (0..<6).map {
          Disc(x: 44 + 96 * Double($0), y: 50 + 9 * Double(step), colour: Disc.blue)
        })
      wasPending.append(tray.isPending)
    }
    #expect(wasPending.prefix(CoinLooker.mostPendingFrames).allSatisfy { $0 })
    #expect(wasPending.dropFirst(CoinLooker.mostPendingFrames).allSatisfy { !$0 })
  }

  @Test func whatIsAlwaysNewDoesNotKeepTheLooksFromACoin() throws {
    let tray = try Tray()
    let coin = Disc(x: 590, y: 240, colour: green)
    for step in 0..<12 {
      let spots = (0..<20).map {
        Disc(
          x: 50 + 95 * Double($0 % 5),
          y: 40 + Double((100 * ($0 / 5) + 37 * step) % 400), colour: Disc.blue)
      }
      tray.show(spots + [coin])
      #expect(tray.looks == CoinLooker.looksPerFrame)
    }
    #expect(tray.values.filter { $0 == 500 }.count == 1)
    #expect(tray.identities.filter { $0 > 0 }.count == 1)
  }

  @Test func whatHasNeverBeenLookedAtIsFollowedOnlyWhileTheSceneIsHeld() throws {
    let tray = try Tray()
    let spots = many(24).map { Disc(x: $0.x, y: $0.y, colour: Disc.blue) }
    for _ in 0..<4 { #expect(tray.show(spots, isHeld: true).count == 24) }
    for _ in 0..<12 { tray.show(spots) }
    #expect(tray.values.isEmpty)
    #expect(!tray.isPending)
  }

  @Test func aFrameHasAtMostOneRoundOfOutlines() throws {
    let tray = try Tray()
    // Likely Rp500, and never sure enough to be named.
    tray.looker.finder.parameters.unsure = 0.999
    let scene = [150, 320, 490].map { Disc(x: $0, y: 240, colour: (0.6, 1, 0.6)) }
    var looks: [Int] = []
    for _ in 0..<14 {
      tray.show(scene)
      looks.append(tray.looks)
    }
    #expect(looks.allSatisfy { $0 == 3 || $0 == 3 + CoinLooker.roundLooks })
    #expect(looks.contains(3 + CoinLooker.roundLooks))
  }

  @Test func discsOfTheWrongSizeAreNoCoinsOnceTheScaleIsKnown() {
    func disc(_ value: Int32, diameter: Float) -> Detection {
      Detection(
        x: 0, y: 0, diameter: diameter, value: value, isWithdrawn: false, confidence: 0.9,
        posterior: InlineArray(repeating: 0))
    }
    func isMisfit(_ value: Int32, diameter: Float, scale: Float) -> Bool {
      CoinLooker.isMisfit(disc(value, diameter: diameter), scale: scale, width: 640)
    }
    // Four pixels are a millimetre: a saucer, a coin, a spot.
    #expect(isMisfit(0, diameter: 150, scale: 4))
    #expect(!isMisfit(0, diameter: 90, scale: 4))
    #expect(isMisfit(0, diameter: 40, scale: 4))
    #expect(!isMisfit(500, diameter: 40, scale: 4), "a camera may have moved")
    #expect(!isMisfit(0, diameter: 40, scale: 0))
    #expect(!isMisfit(0, diameter: 150, scale: 0))
    #expect(isMisfit(0, diameter: 250, scale: 0), "nothing tells how large coins are: a cup")
    #expect(!isMisfit(500, diameter: 250, scale: 0), "a camera close to one coin")
  }

  @Test func whatHasComeIsACoinWhereASpotOfTheGroundWouldNotBe() throws {
    // Beside a coin that tells how large coins are.
    let coin = Disc(x: 150, y: 240, colour: green)
    let both = [coin, Disc(x: 320, y: 240, colour: (0.52, 0.52, 1))]
    let there = try Tray()
    for _ in 0..<9 { #expect(there.show(both).count == 1) }
    let comes = try Tray()
    for _ in 0..<9 { #expect(comes.show([coin]).count == 1) }
    #expect(comes.show(both, hasArrived: true).count == 2)
    for _ in 0..<9 { #expect(comes.show(both).count == 2, "once is enough") }
    #expect(comes.values == [500, 0])
    let cup = try Tray()
    #expect(cup.show([both[1]], hasArrived: true).isEmpty, "nothing tells how large coins are")
  }

  @Test func aCoinThatCannotBeNamedIsGivenManyLooksAndThenFewer() throws {
    let tray = try Tray()
    let scene = [Disc(x: 320, y: 240, colour: Disc.grey)]
    var early = 0
    for _ in 0..<30 {
      tray.show(scene)
      early += tray.looks
    }
    #expect(early >= 24)
    var late = 0
    for _ in 0..<50 {
      tray.show(scene)
      late += tray.looks
    }
    #expect(late >= 10 && late <= 17)
  }
}
