import Engine
import Frames
import TestSupport
import Testing

@testable import Detection

@Suite struct InsetTests {
  private let outline = Outline(
    x: 120, y: 80, radius: 40, cosineStrain: 0.02, sineStrain: -0.01)

  @Test(arguments: 0..<2, 0..<8)
  func anInsetTouchesTheOutlineFromWithin(round: Int, index: Int) {
    let inner = outline.applying(Inset(round: round, index: index))
    let right = inner.x - outline.x
    let down = inner.y - outline.y
    let distance = (right * right + down * down).squareRoot()
    #expect(abs(distance + inner.radius - outline.radius) < 0.001)
    #expect(inner.radius < outline.radius)
    #expect(inner.cosineStrain == outline.cosineStrain && inner.sineStrain == outline.sineStrain)
  }

  @Test(arguments: 0..<2, 0..<8)
  func anInsetCanBeTakenBack(round: Int, index: Int) {
    let inset = Inset(round: round, index: index)
    let back = outline.applying(inset).removing(inset)
    #expect(abs(back.x - outline.x) < 0.001 && abs(back.y - outline.y) < 0.001)
    #expect(abs(back.radius - outline.radius) < 0.001)
    #expect(outline.applying(.none) == outline)
  }

  /// A finder that has looked at one disc, which its model knows the better the less of its dark
  /// rim it is shown.
  private func finder(_ colour: (Double, Double, Double)) throws -> (TestFinder, TestPicture) {
    let test = try TestFinder()
    let picture = TestPicture.discs([Disc(x: 320, y: 240, colour: colour)])
    test.finder.locate(in: picture.view)
    test.finder.identify(0, in: picture.view)
    return (test, picture)
  }

  private func tryInsets(_ test: TestFinder, _ picture: TestPicture) -> Bool {
    test.finder.tryInsets(0, in: picture.view)
  }

  private func conclude(_ test: TestFinder) -> Detection? {
    var list = DetectionList(filler: .none)
    test.finder.conclude(into: &list)
    return list.count == 1 ? list[0] : nil
  }

  @Test func aCoinSeenClearerThroughASmallerOutlineIsSeenAnew() throws {
    let (test, picture) = try finder((0.7, 1, 0.7))
    let before = test.finder.outline(0)
    let first = try #require(conclude(test))
    #expect(first.value == 0 && !first.isRestated)
    #expect(tryInsets(test, picture))
    let second = try #require(conclude(test))
    #expect(second.isRestated && second.value == 500)
    #expect(second.posterior[3] > first.posterior[3] + CoinFinder.leastGain)
    let after = test.finder.outline(0)
    #expect(after.radius < before.radius)
    // What was found is kept for the next picture.
    let memory = test.finder.memory(of: 0)
    test.finder.locate(in: picture.view)
    test.finder.identify(0, in: picture.view, trials: memory.trials)
    let again = test.finder.outline(0)
    #expect(again == memory.outline)
    #expect(conclude(test)?.value == 500)
    #expect(conclude(test)?.isRestated == false)
    // Not where another coin may lie.
    test.finder.locate(in: picture.view)
    test.finder.identify(0, in: picture.view, trials: OutlineTrials())
    let anew = test.finder.outline(0)
    #expect(anew == before)
  }

  @Test func aCoinThatIsSureKeepsItsOutline() throws {
    let (test, picture) = try finder((0.5, 1, 0.5))
    let before = test.finder.outline(0)
    #expect(tryInsets(test, picture))
    let after = test.finder.outline(0)
    #expect(after == before)
    #expect(conclude(test)?.isRestated == false)
  }

  @Test func aStrangerIsNotNamedThroughAnyOutline() throws {
    let (test, picture) = try finder((0.79, 1, 0.79))
    while tryInsets(test, picture) {}
    #expect(conclude(test)?.value == 0)
    #expect(conclude(test)?.isRestated == false)
  }

  @Test func everyOutlineIsTriedOnce() throws {
    let (test, picture) = try finder((0.5, 1, 0.5))
    for _ in 0..<Inset.shares.count { #expect(tryInsets(test, picture)) }
    #expect(!tryInsets(test, picture))
    // Unless another coin may lie there.
    test.finder.locate(in: picture.view)
    test.finder.identify(0, in: picture.view, trials: OutlineTrials())
    #expect(tryInsets(test, picture))
  }
}
