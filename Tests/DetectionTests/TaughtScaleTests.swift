import Frames
import TestSupport
import Testing

@testable import Detection

/// Grey discs, which the model of discs does not name, taught and found again.
@Suite struct TaughtScaleTests {
  /// Red discs are Rp100, 23 mm wide.
  private let scene = [
    Disc(x: 100, y: 90, colour: Disc.red), Disc(x: 497, y: 101, colour: Disc.grey),
  ]

  /// Teaches the grey disc as a coin of that size.
  private func finder(teaching millimetres: Float, of discs: [Disc]) throws -> TestFinder {
    let finder = try TestFinder()
    finder.finder.describesCoins = true
    let grey = try #require(finder.find(.discs(discs)).coins.first { $0.value == 0 })
    var kind = TaughtKind()
    kind.value = 200
    kind.millimetres = millimetres
    kind.add(finder.finder.embedding(of: grey))
    finder.finder.describesCoins = false
    finder.finder.taught.add(kind)
    return finder
  }

  private func isFound(_ finder: TestFinder, in discs: [Disc]) -> Bool {
    finder.find(.discs(discs)).coins.contains { $0.kind == 1 && $0.value == 200 }
  }

  @Test func namedCoinsTellHowLargeATaughtOneIs() throws {
    #expect(isFound(try finder(teaching: 23, of: scene), in: scene))
    #expect(!isFound(try finder(teaching: 25, of: scene), in: scene))
    #expect(!isFound(try finder(teaching: 21, of: scene), in: scene))
  }

  @Test func aCalibratedTrayTellsItToo() throws {
    let alone = [scene[1]]
    let finder = try finder(teaching: 25, of: alone)
    finder.finder.knownScale = KnownScale(pixelsPerMillimetre: 64 / 25, width: 640, spread: 0.01)
    #expect(isFound(finder, in: alone))
    finder.finder.knownScale = KnownScale(pixelsPerMillimetre: 64 / 27, width: 640, spread: 0.01)
    #expect(!isFound(finder, in: alone))
    // The same scale, of a picture twice as wide.
    finder.finder.knownScale = KnownScale(pixelsPerMillimetre: 128 / 25, width: 1280, spread: 0.01)
    #expect(isFound(finder, in: alone))
  }

  @Test func whereNothingTellsTheSizeTheLooksDecide() throws {
    let alone = [scene[1]]
    let finder = try finder(teaching: 25, of: alone)
    #expect(isFound(finder, in: alone))
    finder.finder.parameters.taughtUnsizedRadius = 0
    #expect(!isFound(finder, in: alone))
  }

  @Test func whatWasTaughtIsACoinThoughItsOutlineLeavesADoubt() throws {
    let alone = [scene[1]]
    let finder = try finder(teaching: 0, of: alone)
    let coins = finder.find(.discs(alone), .thorough).coins
    var most: Float = 0
    for coin in coins { most = max(most, finder.finder.coinness(at: coin.place)) }
    finder.finder.parameters.refinerThreshold = 0.5 * (1 + most)
    let found = finder.find(.discs(alone), .thorough).coins
    #expect(coins.count == 1 && found.count == 1)
    #expect(found.first?.kind == 1 && found.first?.value == 200)
    #expect(finder.find(.discs(alone), .live).coins.isEmpty)
    finder.finder.taught = TaughtCoins()
    #expect(finder.find(.discs(alone), .thorough).coins.isEmpty)
  }

  @Test func looksAtACoinAddUp() throws {
    let finder = try finder(teaching: 23, of: scene)
    let place = try #require(finder.find(.discs(scene)).coins.first { $0.kind == 1 }).place
    let seen = finder.finder.embeddings[place]
    var memory = finder.finder.memory(of: place)
    memory.look.values[0] = 127
    for feature in 1..<3 { memory.look.values[feature] = 0 }
    #expect(seen.distance(to: memory.look) > 0.3)
    finder.finder.combine(place, with: memory, count: 0)
    #expect(finder.finder.embeddings[place].distance(to: seen) < 0.01)
    finder.finder.combine(place, with: memory, count: 3)
    let both = finder.finder.embeddings[place]
    #expect(both.distance(to: memory.look) < 0.5 * both.distance(to: seen))
    #expect(both.distance(to: memory.look) > 0.01)
    #expect(finder.finder.memory(of: place).look.distance(to: both) < 0.01)
  }

  @Test func namedCoinsThatContradictEachOtherTellNothing() throws {
    let finder = try finder(teaching: 25, of: scene)
    // A green disc is Rp500, 27 mm wide, and looks as large as the red one.
    let odd = scene + [Disc(x: 300, y: 300, colour: Disc.green)]
    #expect(isFound(finder, in: odd))
  }
}
