import Detection
import Testing

@testable import Counting

@Suite struct TrackerTests {
  @Test func aCoinSeenThreeTimesIsConfirmed() {
    var scene = Scene()
    _ = scene.show([coin(500)], frames: 2)
    #expect(scene.identities.isEmpty)
    _ = scene.show([coin(500)], frames: 1)
    #expect(scene.identities == [1])
  }

  @Test func aNudgedCoinKeepsItsIdentity() {
    var scene = Scene()
    _ = scene.show([coin(500, x: 100), coin(500, x: 200)], frames: 5)
    let before = scene.identities
    _ = scene.show([coin(500, x: 130), coin(500, x: 230)], frames: 5)
    #expect(scene.identities == before)
  }

  @Test func aCoinCarriedAcrossTheTrayInStepsKeepsItsIdentity() {
    var scene = Scene()
    _ = scene.show([coin(500, x: 100)], frames: 5)
    for step in 1...20 {
      _ = scene.show([coin(500, x: 100 + Float(step) * 60)], frames: 1, hold: .motion)
    }
    #expect(scene.identities == [1])
  }

  @Test func touchingCoinsThatMoveTogetherAreAssignedGlobally() {
    var scene = Scene()
    // Greedy matching would give the first coin's place to the second and lose the third.
    let row = [Float](stride(from: 100, through: 420, by: 80))
    _ = scene.show(row.map { coin(500, x: $0) }, frames: 5)
    let before = scene.identities
    _ = scene.show(row.map { coin(500, x: $0 + 38) }, frames: 1, hold: .motion)
    _ = scene.show(row.map { coin(500, x: $0 + 76) }, frames: 5)
    #expect(scene.identities == before)
  }

  @Test func aKnockedCameraChangesNoIdentity() {
    var scene = Scene()
    let places: [(Float, Float)] = [(100, 100), (230, 120), (400, 90), (160, 300), (330, 310)]
    let coins = places.map { coin(500, x: $0.0, y: $0.1) }
    _ = scene.show(coins, frames: 20)
    let before = scene.identities
    let knocked = places.map { coin(500, x: $0.0 + 170, y: $0.1 - 60) }
    var events = scene.show(knocked, frames: 2, hold: .motion)
    events += scene.show(knocked, frames: 20)
    #expect(scene.identities == before)
    #expect(events.totals.isEmpty && events.added.isEmpty && events.removed.isEmpty)
  }

  @Test func coinsOfUnlikeValueDoNotSwapWhenTheyCross() {
    var scene = Scene()
    _ = scene.show([coin(1000, x: 100), coin(200, x: 160)], frames: 5)
    _ = scene.show([coin(1000, x: 131), coin(200, x: 129)], frames: 1, hold: .motion)
    _ = scene.show([coin(1000, x: 160), coin(200, x: 100)], frames: 5)
    #expect(scene.identities == [2, 1])
  }

  @Test func oneCoinFoundTwiceIsOneTrack() {
    var scene = Scene()
    let events = scene.show([coin(500, x: 100), coin(500, x: 110)], frames: 20)
    #expect(events.totals == [Total(total: 500, coins: 1)])
  }

  @Test func aCoinSeenTenTimesIsSurerThanOneSeenOnceButNeverCertain() {
    var once = Scene()
    _ = once.show([coin(500, sure: 0.9)], frames: 1)
    var often = Scene()
    _ = often.show([coin(500, sure: 0.9)], frames: 10)
    let first = once.tracker.tracks[0].confidence
    let tenth = often.tracker.tracks[0].confidence
    #expect(first > 0.89 && first < 0.91)
    #expect(tenth > first && tenth < 1)
  }

  @Test func aCoinCarriedUnderAHandKeepsItsIdentity() {
    var scene = Scene()
    let stays = coin(1000, x: 100)
    _ = scene.show([stays, coin(500, x: 300)], frames: 20)
    let before = scene.identities
    var events = scene.show([stays], frames: 5, hold: .motion)
    events += scene.show([stays, coin(500, x: 600, y: 400)], frames: 20)
    #expect(scene.identities == before)
    #expect(events.added.isEmpty && events.removed.isEmpty)
  }

  @Test func aCoinOfAnotherSizeOrValueIsNotTakenForTheOneThatIsGone() {
    for other in [coin(200, x: 600), coin(500, x: 600, diameter: 95)] {
      var scene = Scene()
      _ = scene.show([coin(500, x: 300)], frames: 20)
      _ = scene.show([], frames: 5, hold: .motion)
      _ = scene.show([other], frames: 20)
      #expect(scene.identities == [2])
    }
  }

  @Test func aSureCoinNeedsNoLookUntilSomethingMovesOnIt() {
    var scene = Scene()
    _ = scene.show([coin(500)], frames: 2)
    #expect(scene.tracker.tracks[0].need == 3)
    _ = scene.show([coin(500)], frames: 8)
    #expect(scene.tracker.tracks[0].need == 0)
    scene.tracker.disturb { x, y, radius in x == 100 && y == 100 && radius == 40 }
    #expect(scene.tracker.tracks[0].need == 2)
    _ = scene.show([coin(500)], frames: 2)
    #expect(scene.tracker.tracks[0].need == 0)
  }

  @Test func aSureCoinIsLookedAtAgainAfterAWhile() {
    var scene = Scene()
    _ = scene.show([coin(500)], frames: 10)
    var glimpse = coin(500)
    glimpse.isLooked = false
    _ = scene.show([glimpse], frames: 29)
    #expect(scene.tracker.tracks[0].need == 0)
    _ = scene.show([glimpse], frames: 1)
    #expect(scene.tracker.tracks[0].need == 1)
  }

  @Test func aGlimpseChangesNothingOfWhatIsKnown() {
    var scene = Scene()
    _ = scene.show([coin(500)], frames: 10)
    let confidence = scene.tracker.tracks[0].confidence
    var glimpse = coin(1000)
    glimpse.isLooked = false
    _ = scene.show([glimpse], frames: 20)
    #expect(scene.tracker.tracks[0].value == 500)
    #expect(scene.tracker.tracks[0].confidence == confidence)
  }

  @Test func whatWasSeenThroughAWrongOutlineIsForgotten() {
    var scene = Scene()
    _ = scene.show([coin(0, sure: 0.6)], frames: 6)
    #expect(scene.tracker.tracks[0].looks == 6)
    #expect(scene.tracker.tracks[0].needsInsets)
    var anew = coin(500, diameter: 74)
    anew.isRestated = true
    _ = scene.show([anew], frames: 1)
    #expect(scene.tracker.tracks[0].looks == 1)
    #expect(scene.tracker.tracks[0].diameter == 74)
    #expect(scene.identities == [1], "it is the same coin")
    _ = scene.show([coin(500, diameter: 74)], frames: 3)
    #expect(scene.tracker.tracks[0].value == 500)
    #expect(!scene.tracker.tracks[0].needsInsets)
  }

  @Test func aCoinThatWasSeenToComeStaysOne() {
    var scene = Scene()
    var new = coin(0, sure: 0.6)
    new.hasArrived = true
    _ = scene.show([new], frames: 1)
    _ = scene.show([coin(0, sure: 0.6)], frames: 5)
    #expect(scene.tracker.tracks[0].hasArrived)
  }

  @Test func oneFrameAgainstTheRestDoesNotChangeAVerdict() {
    var scene = Scene()
    _ = scene.show([coin(500)], frames: 10)
    _ = scene.show([coin(200, sure: 1)], frames: 1)
    #expect(scene.tracker.tracks[0].value == 500)
  }
}
