import Detection
import Testing

@testable import Counting

@Suite struct TallyTests {
  @Test func threeCoinsAtRestAreSaidOnceWithTheirSum() {
    var scene = Scene()
    let coins = [coin(1000, x: 100), coin(500, x: 200), coin(100, x: 300)]
    let events = scene.show(coins, frames: 40)
    #expect(events.totals == [Total(total: 1600, coins: 3)])
    #expect(events.added.map(\.value) == [1000, 500, 100])
    #expect(events.removed.isEmpty && events.holds.isEmpty)
  }

  @Test func anEmptyTrayIsSaidToHoldNothing() {
    var scene = Scene()
    #expect(scene.show([], frames: 40).totals == [Total()])
  }

  @Test func nothingIsSaidBeforeTheChangeHasHeldForTheConfiguredTime() {
    var scene = Scene(Tally.Settings(stableMilliseconds: 1000))
    // There since 0 ms, so due at 1000 ms, which is the 11th frame.
    #expect(scene.show([coin(500)], frames: 10).isEmpty)
    #expect(scene.show([coin(500)], frames: 1).totals == [Total(total: 500, coins: 1)])
  }

  @Test func aCoinOfUnknownValueIsSaidToBeUnsureAndAddsNothing() {
    var scene = Scene()
    let events = scene.show([coin(500), coin(0, x: 300)], frames: 20)
    #expect(events.totals == [Total(total: 500, coins: 2, unsure: 1)])
  }

  @Test func aDoubtfulCoinIsUnsureHoweverOftenItIsSeen() {
    var scene = Scene()
    let events = scene.show([coin(500, sure: 0.6)], frames: 200)
    #expect(events.totals == [Total(total: 0, coins: 1, unsure: 1)])
  }

  @Test func aCoinTheDetectorWouldNotNameIsNotNamedByItsPosterior() {
    var scene = Scene()
    var shy = coin(500, sure: 0.9)
    shy.value = 0
    #expect(scene.show([shy], frames: 60).totals == [Total(total: 0, coins: 1, unsure: 1)])
  }

  @Test func aCoinIsNamedOnceAllLooksTogetherAreSureEnough() {
    var scene = Scene()
    var shy = coin(500, sure: 0.95)
    shy.value = 0
    #expect(scene.show([shy], frames: 20).totals == [Total(total: 0, coins: 1, unsure: 1)])
    // A third of the looks from here on name it: less than the votes that name it at once.
    var totals: [Total] = []
    for frame in 0..<60 {
      let look = frame % 3 == 0 ? coin(500, sure: 0.97) : shy
      totals += scene.show([look], frames: 1).totals
    }
    #expect(totals == [Total(total: 500, coins: 1)])
  }

  @Test func whatHasNeverBeenLookedAtHoldsNothingUp() {
    var scene = Scene()
    var glimpse = coin(500, x: 400)
    glimpse.isLooked = false
    #expect(
      scene.show([coin(500), glimpse], frames: 20).totals == [Total(total: 500, coins: 1)])
  }

  @Test func aWithdrawnCoinIsReportedAndLeftOut() {
    var scene = Scene()
    let coins = [coin(500, x: 100, isWithdrawn: true), coin(200, x: 300)]
    #expect(
      scene.show(coins, frames: 20).totals == [Total(total: 200, coins: 2, withdrawn: 1)])
  }

  @Test func aWithdrawnCoinCountsWhenTheConfigurationSaysSo() {
    var scene = Scene(Tally.Settings(countsWithdrawn: true))
    let coins = [coin(500, x: 100, isWithdrawn: true), coin(200, x: 300)]
    #expect(
      scene.show(coins, frames: 20).totals == [Total(total: 700, coins: 2, withdrawn: 1)])
  }

  @Test func aCoinOfDoubtfulSeriesIsUnsure() {
    var scene = Scene()
    var totals: [Total] = []
    for frame in 0..<60 {
      let sight = coin(500, isWithdrawn: frame % 2 == 0)
      totals += scene.show([sight], frames: 1).totals
    }
    #expect(totals.last == Total(total: 0, coins: 1, unsure: 1))
    #expect(totals.allSatisfy { $0.total == 0 })
  }

  @Test func aCoinTakenAwayIsSaidWithTheNewTotal() {
    var scene = Scene()
    _ = scene.show([coin(1000, x: 100), coin(500, x: 300)], frames: 20)
    let events = scene.show([coin(1000, x: 100)], frames: 20)
    #expect(events.removed.map(\.value) == [500])
    #expect(events.totals == [Total(total: 1000, coins: 1)])
  }

  @Test func aCoinMissedInAFewFramesIsNotSaidToBeGone() {
    var scene = Scene()
    _ = scene.show([coin(1000, x: 100), coin(500, x: 300)], frames: 20)
    var events: [Event] = []
    for _ in 0..<20 {
      events += scene.show([coin(1000, x: 100)], frames: 4)
      events += scene.show([coin(1000, x: 100), coin(500, x: 300)], frames: 1)
    }
    #expect(events.isEmpty)
  }

  @Test func aFlashSeenInTwoFramesIsNeverACoin() {
    var scene = Scene()
    _ = scene.show([coin(1000)], frames: 20)
    var events: [Event] = []
    for _ in 0..<20 {
      events += scene.show([coin(1000), coin(500, x: 400)], frames: 2)
      events += scene.show([coin(1000)], frames: 3)
    }
    #expect(events.isEmpty)
  }

  @Test func nothingIsSaidOfASceneInMotionExceptOneHold() {
    var scene = Scene()
    _ = scene.show([coin(1000)], frames: 20)
    let events = scene.show([coin(500, x: 300), coin(200, x: 500)], frames: 50, hold: .motion)
    #expect(events.count == 1)
    #expect(events.holds == [.motion])
  }

  @Test func aCoinCoveredByAHandAndUncoveredAgainIsNotNewMoney() {
    var scene = Scene()
    let coins = [coin(1000, x: 100), coin(500, x: 300)]
    _ = scene.show(coins, frames: 20)
    var events = scene.show([], frames: 30, hold: .motion)
    events += scene.show(coins, frames: 30)
    #expect(events.holds == [.motion])
    #expect(events.count == 1)
  }

  @Test func nothingIsSaidWhileAHandLiesStill() {
    var scene = Scene()
    let coins = [coin(1000, x: 100), coin(500, x: 300)]
    _ = scene.show(coins, frames: 20)
    var events = scene.show([coins[1]], frames: 300, hold: .obstacle)
    #expect(events.holds == [.obstacle] && events.count == 1)
    events = scene.show(coins, frames: 30)
    #expect(events.isEmpty)
  }

  @Test func aCoinTakenFromUnderAHandIsSaidWhenTheHandHasGone() {
    var scene = Scene()
    _ = scene.show([coin(1000, x: 100), coin(500, x: 300)], frames: 20)
    #expect(scene.show([coin(1000, x: 100)], frames: 30, hold: .obstacle).totals.isEmpty)
    #expect(
      scene.show([coin(1000, x: 100)], frames: 20).totals == [Total(total: 1000, coins: 1)])
  }

  @Test func nothingIsSaidWhileACoinWaitsToBeLookedAt() {
    var scene = Scene()
    #expect(scene.show([coin(500)], frames: 30, isPending: true).isEmpty)
    #expect(scene.show([coin(500)], frames: 5).totals == [Total(total: 500, coins: 1)])
  }

  @Test func aCoinSeenButNotLookedAtOftenEnoughIsNotSaid() {
    var scene = Scene()
    _ = scene.show([coin(500)], frames: 2)
    var glimpse = coin(500)
    glimpse.isLooked = false
    #expect(scene.show([glimpse], frames: 30).isEmpty)
    #expect(scene.show([coin(500)], frames: 5).totals == [Total(total: 500, coins: 1)])
  }

  @Test func theSameTotalOfOtherCoinsIsNotRepeated() {
    var scene = Scene()
    _ = scene.show([coin(500, x: 100)], frames: 20)
    var events = scene.show([], frames: 5, hold: .motion)
    events += scene.show([coin(200, x: 400), coin(200, x: 500), coin(100, x: 600)], frames: 30)
    #expect(events.totals == [Total(total: 500, coins: 3)])
    events = scene.show([], frames: 5, hold: .motion)
    let carried = [coin(100, y: 500), coin(200, x: 200, y: 700), coin(200, x: 900, y: 300)]
    events += scene.show(carried, frames: 30)
    #expect(events.holds == [.motion] && events.count == 1)
  }

  @Test func aCoinExchangedInItsPlaceChangesTheTotal() {
    var scene = Scene()
    _ = scene.show([coin(500)], frames: 60)
    let events = scene.show([coin(1000)], frames: 10)
    #expect(events.totals == [Total(total: 1000, coins: 1)])
  }

  @Test func moreCoinsThanCanBeFollowedHoldTheTotal() {
    var scene = Scene()
    let full = (0..<64).map { coin(100, x: Float($0 % 8) * 100, y: Float($0 / 8) * 100) }
    #expect(scene.show(full, frames: 20).totals == [Total(total: 6400, coins: 64)])
    let moved = [coin(100, x: 2000, y: 2000)] + full.dropFirst()
    #expect(scene.show(Array(moved), frames: 3).holds == [.crowded])
  }

  @Test func sixtyFourCoinsGoAndComeWithinOneEventList() {
    var scene = Scene()
    let full = (0..<64).map { coin(100, x: Float($0 % 8) * 100, y: Float($0 / 8) * 100) }
    _ = scene.show(full, frames: 20)
    _ = scene.show([], frames: 10, hold: .motion)
    let moved = full.map { sight in
      var moved = sight
      moved.x += 5000
      moved.value = 200
      return moved
    }
    var events = scene.show([], frames: 20)
    events += scene.show(moved, frames: 20)
    #expect(events.removed.count == 64 && events.added.count == 64)
  }
}
