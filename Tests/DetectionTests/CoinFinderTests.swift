import Engine
import Frames
import TestSupport
import Testing

@testable import Detection

@Suite struct CoinFinderTests {
  private let scene = [
    Disc(x: 100, y: 90, colour: Disc.red), Disc(x: 301.5, y: 222.2, colour: Disc.green),
    Disc(x: 497, y: 101, colour: Disc.grey), Disc(x: 160, y: 371, colour: Disc.blue),
    Disc(x: 602.7, y: 444.4, colour: Disc.red),
  ]

  private func nearest(
    _ coins: [Detection], _ disc: Disc, within radii: Double = 0.1
  ) -> Detection? {
    coins.first {
      abs(Double($0.x) - disc.x) < radii * disc.radius
        && abs(Double($0.y) - disc.y) < radii * disc.radius
    }
  }

  @Test(arguments: [Effort.live, .thorough])
  func discsAreFoundWhereTheyAreAndNamedByTheirColour(effort: Effort) throws {
    let finder = try TestFinder()
    let (coins, report) = finder.find(.discs(scene, gap: 13), effort)
    #expect(coins.count == 4 && report.coins == 4)
    #expect(!report.isTruncated)
    for (disc, value) in zip(scene, [100, 500, 0, -1, 100] as [Int32]) {
      // The network takes everything for 32 input pixels wide, which enlarged parts make wrong.
      let coin = nearest(coins, disc, within: effort == .live ? 0.1 : 0.3)
      #expect(coin?.value ?? -1 == value)
      if effort == .live { #expect(abs((coin?.diameter ?? 64) - 64) < 1) }
    }
    #expect(finder.isIntact)
  }

  @Test func theSameSceneAtOtherSizesIsFoundInItsOwnPixels() throws {
    let finder = try TestFinder()
    for (width, height, factor) in [(320, 240, 0.5), (1280, 960, 2.0), (200, 150, 0.3125)] {
      let discs = scene.map {
        Disc(x: $0.x * factor, y: $0.y * factor, radius: 32 * factor, colour: $0.colour)
      }
      let (coins, _) = finder.find(.discs(discs, width: width, height: height))
      #expect(coins.count == 4)
      for (disc, value) in zip(discs, [100, 500, 0, -1, 100] as [Int32]) {
        #expect(nearest(coins, disc)?.value ?? -1 == value)
      }
    }
  }

  @Test func everyInstructionSetGivesTheSameBits() throws {
    let fast = try TestFinder().find(.discs(scene), .thorough).coins
    let plain = try TestFinder(kernels: .reference).find(.discs(scene), .thorough).coins
    #expect(fast.count == plain.count)
    for (one, other) in zip(fast, plain) {
      #expect(one.x == other.x && one.y == other.y && one.diameter == other.diameter)
      #expect(one.value == other.value && one.confidence == other.confidence)
      for index in 0..<6 { #expect(one.posterior[index] == other.posterior[index]) }
    }
  }

  @Test func aPictureLeavesNothingBehindForTheNext() throws {
    let finder = try TestFinder()
    let first = finder.find(.discs(scene)).coins
    #expect(finder.find(.discs([])).coins.isEmpty)
    let again = finder.find(.discs(scene)).coins
    #expect(first.map(\.x) == again.map(\.x))
    #expect(first.map(\.confidence) == again.map(\.confidence))
  }

  @Test(arguments: [(1, 1), (1, 500), (500, 1), (2, 3), (319, 241), (4000, 5)])
  func picturesOfEverySizeAreLookedAtWithoutFault(width: Int, height: Int) throws {
    let finder = try TestFinder()
    for value in [0, 90, 255] {
      let picture = TestPicture(width: width, height: height, gap: 2) { _, _, _ in value }
      for effort in [Effort.live, .thorough] {
        let (coins, report) = finder.find(picture, effort)
        #expect(report.coins == coins.count)
        for coin in coins { #expect(coin.x.isFinite && coin.y.isFinite && coin.diameter > 0) }
      }
    }
    #expect(finder.isIntact)
  }

  @Test func moreCoinsThanAListHoldsAreReported() throws {
    var discs: [Disc] = []
    for row in 0..<7 {
      for column in 0..<10 {
        discs.append(
          Disc(
            x: 36 + 64 * Double(column), y: 36 + 64 * Double(row), radius: 16,
            colour: Disc.green))
      }
    }
    let finder = try TestFinder()
    let (coins, report) = finder.find(.discs(discs))
    #expect(report.isTruncated)
    #expect(coins.count == coinCapacity)
    let few = finder.find(.discs(Array(discs[..<5])))
    #expect(!few.1.isTruncated && few.coins.count == 5)
  }

  @Test func whatTurnsOutToBeNoCoinTakesUpNoRoom() throws {
    var discs: [Disc] = []
    for row in 0..<7 {
      for column in 0..<10 {
        let isCoin = row == 6 && column > 4
        discs.append(
          Disc(
            x: 36 + 64 * Double(column), y: 36 + 64 * Double(row), radius: 16,
            colour: isCoin ? Disc.green : (0, 0.6, 1)))
      }
    }
    let finder = try TestFinder()
    // Such small discs are not blue enough for the usual threshold.
    finder.finder.parameters.refinerThreshold = 0.97
    let (coins, report) = finder.find(.discs(discs))
    #expect(!report.isTruncated)
    #expect(coins.count == 5)
  }

  @Test func aCoinThatWasNotIdentifiedHasAFlatPosterior() throws {
    let test = try TestFinder()
    let picture = TestPicture.discs(scene)
    test.finder.locate(in: picture.view)
    #expect(test.finder.locatedCount == 5)
    test.finder.identify(1, in: picture.view)
    let identified = test.finder.outline(1)
    var list = DetectionList(filler: .none)
    test.finder.conclude(into: &list)
    #expect(list.count >= 4)
    var flat = 0
    for index in 0..<list.count {
      let coin = list[index]
      if coin.posterior[0] == coin.posterior[5] {
        flat += 1
        #expect(coin.value == 0 && abs(coin.posterior[3] - 1.0 / 6) < 1e-6)
      } else {
        #expect(coin.x == identified.x && coin.value != 0)
      }
    }
    #expect(flat >= 3)
  }

  @Test func concludingTwiceChangesNothing() throws {
    let test = try TestFinder()
    let picture = TestPicture.discs(scene)
    var first = DetectionList(filler: .none)
    var second = DetectionList(filler: .none)
    test.finder.find(in: picture.view, effort: .thorough, into: &first)
    test.finder.conclude(effort: .thorough, into: &second)
    #expect(first.count == second.count)
    for index in 0..<first.count {
      #expect(first[index].confidence == second[index].confidence)
    }
  }

  @Test func withAThresholdNothingCanReachEveryCoinIsUnsure() throws {
    let test = try TestFinder()
    test.finder.parameters.unsure = 1.5
    let coins = test.find(.discs(scene), .thorough).coins
    #expect(coins.count == 4)
    #expect(coins.allSatisfy { $0.value == 0 })
  }

  @Test func discsThatAreNoCoinsAreLeftOut() throws {
    var model = DiscModel.model
    model.labels[0] = TestModel.Label(name: "no", kind: "not-a-coin")
    let coins = try TestFinder(model).find(.discs(scene)).coins
    // The red ones are gone.
    #expect(coins.map(\.value).sorted() == [0, 500])
  }

  @Test func smallCoinsInABigPictureAreLookedAtCloser() throws {
    // 16 pixels wide in the detector's input, where this model only knows 32: enlarged, they fit.
    let discs = scene.map { Disc(x: $0.x * 4, y: $0.y * 4, radius: 64, colour: $0.colour) }
    let finder = try TestFinder()
    let (coins, report) = finder.find(.discs(discs, width: 2560, height: 1920), .thorough)
    #expect(report.passes > 5)
    for (disc, value) in zip(discs, [100, 500, 0, -1, 100] as [Int32]) where value >= 0 {
      #expect(nearest(coins, disc) != nil)
    }
  }

  @Test func closerLooksTogetherShowThePictureWithoutGaps() {
    for length in [1, 2, 3, 7, 100, 641, 4000] {
      for level in 0..<CloserLooks.levels.count {
        let looks = CloserLooks.levels[level]
        var reached = 0
        for index in 0..<looks.count {
          let part = looks.part(index, of: length)
          #expect(part.start <= reached && part.length >= 1)
          reached = max(reached, part.start + part.length)
          #expect(part.start + part.length <= length)
        }
        #expect(reached == length)
      }
    }
  }

  @Test func theFirstLookIsTheOutlineItselfAndTheOthersStayNear() {
    for count in 1...16 {
      for index in 0..<count {
        let jitter = Jitter(index: index, of: count)
        if index == 0 {
          #expect(jitter.x == 0 && jitter.y == 0 && jitter.growth == 1 && jitter.turn == 0)
        }
        #expect(jitter.x * jitter.x + jitter.y * jitter.y < 0.03 * 0.03)
        #expect(jitter.turn < 8 * 2 * 3.1416 / 160)
      }
    }
  }
}
