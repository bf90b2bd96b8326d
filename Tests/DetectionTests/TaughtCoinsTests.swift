import Testing

@testable import Detection

@Suite struct TaughtCoinsTests {
  private func look(_ main: Int, _ noise: [Int: Int8] = [:]) -> Embedding {
    var look = Embedding()
    look.values[main] = 127
    for (index, value) in noise { look.values[index] = value }
    return look
  }

  private func kind(_ name: String, _ views: [Embedding]) -> TaughtKind {
    var kind = TaughtKind()
    let bytes = Array(name.utf8)
    kind.name = CoinName(bytes.span) ?? CoinName()
    for view in views { kind.add(view) }
    return kind
  }

  @Test func aCoinIsOfTheKindOfTheNearestView() {
    var coins = TaughtCoins()
    coins.add(kind("satu", [look(0), look(1)]))
    coins.add(kind("dua", [look(2), look(3)]))
    #expect(coins.kind(of: look(1, [8: 20]))?.index == 0)
    #expect(coins.kind(of: look(2, [8: 20]))?.index == 1)
  }

  @Test func aCoinUnlikeAllViewsIsOfNoKind() {
    var coins = TaughtCoins()
    #expect(coins.kind(of: look(0)) == nil)
    coins.add(kind("satu", [look(0), look(0, [1: 10])]))
    #expect(coins.kind(of: look(5)) == nil)
    #expect(coins.kind(of: Embedding()) == nil)
  }

  @Test func aCoinBetweenTwoKindsIsOfNeither() {
    var coins = TaughtCoins()
    coins.add(kind("satu", [look(0, [1: 60])]))
    coins.add(kind("dua", [look(1, [0: 60])]))
    #expect(coins.kind(of: look(0, [1: 127])) == nil)
  }

  @Test func aKindTaughtAgainTakesThePlaceOfTheOneBefore() {
    var coins = TaughtCoins()
    coins.add(kind("satu", [look(0)]))
    coins.add(kind("satu", [look(4)]))
    #expect(coins.count == 1)
    #expect(coins.kind(of: look(4))?.index == 0)
    #expect(coins.kind(of: look(0)) == nil)
  }

  @Test func moreKindsThanThereIsRoomForAreRefused() {
    var coins = TaughtCoins()
    for index in 0..<TaughtCoins.capacity {
      let isAdded = coins.add(kind("koin \(index)", [look(index)]))
      #expect(isAdded)
    }
    let isAdded = coins.add(kind("lagi", [look(20)]))
    #expect(!isAdded && coins.count == TaughtCoins.capacity)
    let name = kind("koin 3", []).name
    let isRemoved = coins.remove(name: name, value: 0)
    #expect(isRemoved && coins.count == TaughtCoins.capacity - 1)
    #expect(coins.kind(of: look(3)) == nil && coins.kind(of: look(7))?.index == 6)
  }

  @Test func namesThatWouldBreakALineAreRefused() {
    let bad = ["", "a,b", "a\"b", "a\nb", "a\\b", String(repeating: "a", count: 25)]
    for name in bad {
      let bytes = Array(name.utf8)
      let refused = CoinName(bytes.span)
      #expect(refused == nil)
    }
    let bytes = Array("dua puluh sen".utf8)
    let good = CoinName(bytes.span)
    #expect(good?.count == 13)
  }

  @Test func directionsDoNotDependOnLength() {
    var long = InlineArray<64, Float>(repeating: 0)
    var short = InlineArray<64, Float>(repeating: 0)
    for index in 0..<64 {
      long[index] = Float(index % 7) - 3
      short[index] = long[index] * 0.01
    }
    #expect(Embedding(sums: long).distance(to: Embedding(sums: short)) < 0.001)
    #expect(abs(look(0).distance(to: look(1)) - 1) < 0.001)
  }

  /// A relief of 20 angles of 96 features, by lot.
  private func relief(_ seed: UInt64) -> Relief {
    var relief = Relief(angles: 20, features: 96)
    var state = seed
    for word in 0..<40 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let bits = state ^ state >> 29
      relief.words[word] = word % 2 == 0 ? bits : bits & 0xFFFF_FFFF
    }
    return relief
  }

  private func turned(_ relief: Relief, by angles: Int) -> Relief {
    var turned = relief
    for word in 0..<40 { turned.words[(word + 2 * angles) % 40] = relief.words[word] }
    return turned
  }

  @Test func aTurnedCoinHasTheSameRelief() {
    for angles in 0..<20 {
      #expect(relief(1).distance(to: turned(relief(1), by: angles)) == 0)
      #expect(turned(relief(1), by: angles).distance(to: relief(1)) == 0)
    }
  }

  @Test func reliefsOfUnlikeCoinsAreAboutOneApart() {
    for seed in 2..<12 {
      let distance = relief(1).distance(to: relief(UInt64(seed)))
      #expect(distance > 0.85 && distance < 1.05)
    }
    #expect(relief(1).distance(to: Relief()) == 1 && Relief().distance(to: Relief()) == 1)
  }

  @Test func coinsOfOneMetalAreToldApartByTheirRelief() {
    var coins = TaughtCoins()
    var view = look(0)
    view.relief = relief(1)
    coins.add(kind("satu", [view]))
    var again = view
    again.relief = turned(relief(1), by: 7)
    #expect(coins.kind(of: again)?.index == 0)
    var other = view
    other.relief = relief(2)
    #expect(coins.kind(of: other) == nil)
  }
}
