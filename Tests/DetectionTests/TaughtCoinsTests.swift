import Testing

@testable import Detection

@Suite struct TaughtCoinsTests {
  static let radius: Float = 0.46

  private func look(_ main: Int, _ noise: [Int: Int8] = [:]) -> Embedding {
    var look = Embedding(angles: 1, features: 64)
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
    #expect(
      coins.kind(of: look(1, [8: 20]), millimetres: 0, within: 0, unsized: Self.radius)?.index == 0)
    #expect(
      coins.kind(of: look(2, [8: 20]), millimetres: 0, within: 0, unsized: Self.radius)?.index == 1)
  }

  @Test func aCoinUnlikeAllViewsIsOfNoKind() {
    var coins = TaughtCoins()
    #expect(coins.kind(of: look(0), millimetres: 0, within: 0, unsized: Self.radius) == nil)
    coins.add(kind("satu", [look(0), look(0, [1: 10])]))
    #expect(coins.kind(of: look(5), millimetres: 0, within: 0, unsized: Self.radius) == nil)
    #expect(coins.kind(of: Embedding(), millimetres: 0, within: 0, unsized: Self.radius) == nil)
  }

  @Test func aCoinBetweenTwoKindsIsOfNeither() {
    var coins = TaughtCoins()
    coins.add(kind("satu", [look(0, [1: 60])]))
    coins.add(kind("dua", [look(1, [0: 60])]))
    #expect(
      coins.kind(of: look(0, [1: 127]), millimetres: 0, within: 0, unsized: Self.radius) == nil)
  }

  @Test func aKindTaughtAgainTakesThePlaceOfTheOneBefore() {
    var coins = TaughtCoins()
    coins.add(kind("satu", [look(0)]))
    coins.add(kind("satu", [look(4)]))
    #expect(coins.count == 1)
    #expect(coins.kind(of: look(4), millimetres: 0, within: 0, unsized: Self.radius)?.index == 0)
    #expect(coins.kind(of: look(0), millimetres: 0, within: 0, unsized: Self.radius) == nil)
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
    #expect(coins.kind(of: look(3), millimetres: 0, within: 0, unsized: Self.radius) == nil)
    #expect(coins.kind(of: look(7), millimetres: 0, within: 0, unsized: Self.radius)?.index == 6)
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

  @Test func nothingIsOfATaughtKindWithinARadiusOfNothing() {
    var coins = TaughtCoins()
    coins.add(kind("satu", [look(0)]))
    #expect(coins.kind(of: look(0, [1: 20]), millimetres: 0, within: 0, unsized: 0) == nil)
  }

  @Test func aCoinOfAnotherSizeIsOfNoKindHoweverItLooks() {
    var coins = TaughtCoins()
    var sized = kind("satu", [look(0)])
    sized.millimetres = 24
    coins.add(sized)
    let found = { (millimetres: Float, seen: Embedding) in
      coins.kind(of: seen, millimetres: millimetres, within: 0.4, unsized: 0.1)?.index
    }
    #expect(found(24.5, look(0)) == 0 && found(23.5, look(0)) == 0)
    #expect(found(25.5, look(0)) == nil && found(22.5, look(0)) == nil)
  }

  @Test func aCoinOfTheSameSizeMayLookLessAlike() {
    let worn = look(0, [1: 80])  // 0.15 away
    for (own, seen, isNamed) in [(24, 24, true), (24, 0, false), (0, 24, false), (0, 0, false)]
      as [(Float, Float, Bool)]
    {
      var coins = TaughtCoins()
      var taught = kind("satu", [look(0)])
      taught.millimetres = own
      coins.add(taught)
      let found = coins.kind(of: worn, millimetres: seen, within: 0.4, unsized: 0.1)
      #expect((found != nil) == isNamed)
    }
  }

  @Test func whatTheViewsOfAFaceHaveInCommonIsNearerThanAnyOfThem() {
    let views = [look(0, [1: 90]), look(0, [2: 90]), look(0, [3: 90])]
    let taught = kind("satu", views)
    #expect(taught.distance(to: look(0)) < 0.6 * views[0].distance(to: look(0)))
    // The sixth view is of the other face, and changes nothing in the first.
    let both = kind("dua", views + [look(0), look(0), look(5)])
    #expect(both.distance(to: look(0)) < 0.6 * views[0].distance(to: look(0)))
  }

  @Test func viewsAreTurnedToFitBeforeTheyAreAddedUp() {
    var sum = EmbeddingSum()
    for angles in [0, 3, 19] { sum.add(turned(embedding(7), by: angles)) }
    #expect(sum.embedding.distance(to: embedding(7)) < 1e-4)
  }

  /// A look of 20 angles of 16 features, by lot.
  private func embedding(_ seed: UInt64) -> Embedding {
    var embedding = Embedding(angles: 20, features: 16)
    var state = seed
    for place in 0..<320 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      embedding.values[place] = Int8(truncatingIfNeeded: max(-127, Int(state >> 56) - 128))
    }
    return embedding
  }

  private func turned(_ embedding: Embedding, by angles: Int) -> Embedding {
    var turned = embedding
    for place in 0..<320 { turned.values[(place + 16 * angles) % 320] = embedding.values[place] }
    return turned
  }

  @Test func aTurnedCoinLooksTheSame() {
    for angles in 0..<20 {
      #expect(embedding(1).distance(to: turned(embedding(1), by: angles)) < 1e-6)
      #expect(turned(embedding(1), by: angles).distance(to: embedding(1)) < 1e-6)
    }
  }

  @Test func unlikeCoinsAreAboutOneApart() {
    for seed in 2..<12 {
      let distance = embedding(1).distance(to: embedding(UInt64(seed)))
      #expect(distance > 0.7 && distance < 1.05)
    }
    #expect(embedding(1).distance(to: Embedding()) == 1)
    #expect(Embedding().distance(to: Embedding()) == 1)
    let blank = Embedding(angles: 20, features: 16)
    #expect(embedding(1).distance(to: blank) == 1)
  }

  @Test func looksOfOtherNetworksAreNeverAlike() {
    let other = Embedding(angles: 16, features: 20)
    #expect(embedding(1).distance(to: other) == 1)
  }

  @Test func theLongestProductsDoNotOverflow() {
    var full = Embedding(angles: 20, features: 16)
    var opposite = full
    for place in 0..<320 {
      full.values[place] = 127
      opposite.values[place] = -127
    }
    #expect(full.distance(to: full) < 1e-6)
    #expect(abs(full.distance(to: opposite) - 2) < 1e-6)
  }
}
