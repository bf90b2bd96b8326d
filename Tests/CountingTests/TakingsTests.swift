import Frames
import Testing

@testable import Counting

/// Scenes are told as the tally tells them: events of coins by identity, value and place.
@Suite struct TakingsTests {
  /// A coin at a place; coins at different places are 100 pixels apart.
  private func coin(_ id: Int32, _ value: Int32, at place: Int, withdrawn: Bool = false) -> Coin {
    Coin(
      id: id, value: value, isWithdrawn: withdrawn, confidence: 1, x: Float(100 * place), y: 50,
      diameter: 60)
  }

  /// What a user does, and what comes of it.
  private struct Table: ~Copyable {
    var takings: Takings
    var coins: [Coin] = []
    var outcomes: [Event.Kind] = []

    init(_ mode: Mode, price: Int = 0, countsWithdrawn: Bool = false) {
      takings = Takings(countsWithdrawn: countsWithdrawn)
      takings.choose(mode, price: price)
    }

    /// Coins go and come, and the tray settles.
    mutating func settle(removing removed: [Coin] = [], adding added: [Coin] = []) {
      var events = EventList()
      for coin in removed {
        events.append(Event(.coinRemoved(coin), frame: 1, milliseconds: 1))
        coins.removeAll { $0.id == coin.id }
      }
      for coin in added {
        events.append(Event(.coinAdded(coin), frame: 1, milliseconds: 1))
        coins.append(coin)
      }
      var total = Total()
      for coin in coins {
        total.add(value: coin.value, isWithdrawn: coin.isWithdrawn, countsWithdrawn: false)
      }
      events.append(Event(.total(total), frame: 1, milliseconds: 1))
      let before = events.count
      takings.update(&events)
      for index in before..<events.count { outcomes.append(events[index].kind) }
    }

    /// The totals of batches.
    var batches: [Int] {
      outcomes.compactMap { if case .batch(let batch) = $0 { batch.total } else { nil } }
    }

    /// What was told of a price, as missing and change.
    var targets: [[Int]] {
      outcomes.compactMap {
        if case .target(let target) = $0 { [target.missing, target.change] } else { nil }
      }
    }
  }

  @Test func aBatchCountsOnceTheTrayIsCleared() {
    var table = Table(.session)
    let coins = [coin(1, 1000, at: 1), coin(2, 500, at: 2)]
    table.settle(adding: coins)
    #expect(table.batches.isEmpty)
    table.settle(removing: coins)
    table.settle(adding: [coin(3, 200, at: 1)])
    table.settle(removing: [coin(3, 200, at: 1)])
    #expect(table.batches == [1500, 200])
  }

  @Test func coinsPutDownAndTakenAwayOneByOneAllCount() {
    var table = Table(.session)
    table.settle(adding: [coin(1, 1000, at: 1)])
    table.settle(adding: [coin(2, 500, at: 2)])
    table.settle(removing: [coin(1, 1000, at: 1)])
    table.settle(adding: [coin(3, 100, at: 3)])
    table.settle(removing: [coin(2, 500, at: 2)])
    table.settle(removing: [coin(3, 100, at: 3)])
    #expect(table.batches == [1600])
  }

  @Test func aCoinLostFromSightThatComesBackIsNoNewMoney() {
    var table = Table(.session)
    table.settle(adding: [coin(1, 1000, at: 1), coin(2, 500, at: 2)])
    table.settle(removing: [coin(2, 500, at: 2)])
    table.settle(adding: [coin(3, 500, at: 2)])
    table.settle(removing: [coin(1, 1000, at: 1), coin(3, 500, at: 2)])
    #expect(table.batches == [1500])
  }

  @Test func aCoinThatGetsANewIdentityWhereverItLiesIsNoNewMoney() {
    var table = Table(.session)
    table.settle(adding: [coin(1, 1000, at: 1), coin(2, 1000, at: 2)])
    table.settle(
      removing: [coin(1, 1000, at: 1), coin(2, 1000, at: 2)],
      adding: [coin(3, 1000, at: 2), coin(4, 1000, at: 7)])
    table.settle(removing: [coin(3, 1000, at: 2), coin(4, 1000, at: 7)])
    #expect(table.batches == [2000])
  }

  @Test func aCoinThatIsSeenBetterIsCorrected() {
    var table = Table(.session)
    table.settle(adding: [coin(1, 0, at: 1), coin(2, 500, at: 2)])
    table.settle(removing: [coin(1, 0, at: 1)], adding: [coin(1, 200, at: 1)])
    table.settle(removing: [coin(1, 200, at: 1)], adding: [coin(1, 1000, at: 1)])
    table.settle(removing: [coin(1, 1000, at: 1), coin(2, 500, at: 2)])
    #expect(table.batches == [1500])
  }

  @Test func coinsThatAreNotNamedAreKeptWithTheBatch() {
    var table = Table(.session)
    table.settle(adding: [coin(1, 0, at: 1), coin(2, 500, at: 2)])
    table.settle(removing: [coin(1, 0, at: 1), coin(2, 500, at: 2)])
    guard case .batch(let batch) = table.outcomes.last else {
      Issue.record("no batch")
      return
    }
    #expect(batch.total == 500 && batch.counts.unsure == 1 && batch.counts.coins == 2)
  }

  @Test func withdrawnCoinsCountWhereTheyAreTo() {
    for counts in [false, true] {
      var table = Table(.session, countsWithdrawn: counts)
      let old = coin(1, 500, at: 1, withdrawn: true)
      table.settle(adding: [old])
      table.settle(removing: [old])
      #expect(table.batches == [counts ? 500 : 0])
    }
  }

  @Test func whatLiesThereWhenASessionBeginsCounts() {
    var table = Table(.tray)
    table.settle(adding: [coin(1, 500, at: 1)])
    table.takings.choose(.session, price: 0)
    table.settle(removing: [coin(1, 500, at: 1)])
    #expect(table.batches == [500])
  }

  @Test func inTrayModeNothingAddsUp() {
    var table = Table(.tray)
    table.settle(adding: [coin(1, 500, at: 1)])
    #expect(table.takings.tray.total == 500)
    table.settle(removing: [coin(1, 500, at: 1)])
    #expect(table.outcomes.isEmpty)
  }

  @Test func aPriceIsCountedUpTo() {
    var table = Table(.target, price: 1200)
    table.settle(adding: [coin(1, 1000, at: 1)])
    table.settle(adding: [coin(2, 200, at: 2)])
    table.settle(adding: [coin(3, 500, at: 3)])
    #expect(table.targets == [[200, 0], [0, 0], [0, 500]])
    table.settle(
      removing: [coin(1, 1000, at: 1), coin(2, 200, at: 2), coin(3, 500, at: 3)])
    guard case .batch(let sale) = table.outcomes.last else {
      Issue.record("no sale")
      return
    }
    #expect(sale.kind == .sale && sale.total == 1700 && sale.price == 1200)
  }

  @Test func aSaleIsWhatLayThereWhenThePriceWasReached() {
    var table = Table(.target, price: 1000)
    table.settle(adding: [coin(1, 1000, at: 1), coin(2, 500, at: 2), coin(3, 200, at: 3)])
    // The customer takes too much back, puts another down, and the seller clears in two goes.
    table.settle(removing: [coin(1, 1000, at: 1)])
    table.settle(adding: [coin(4, 500, at: 4)])
    table.settle(removing: [coin(3, 200, at: 3)])
    table.settle(removing: [coin(2, 500, at: 2), coin(4, 500, at: 4)])
    #expect(table.batches == [1200])
  }

  @Test func aTrayClearedBeforeThePriceIsReachedIsNoSale() {
    var table = Table(.target, price: 1200)
    table.settle(adding: [coin(1, 1000, at: 1)])
    table.settle(removing: [coin(1, 1000, at: 1)])
    #expect(table.batches.isEmpty)
    #expect(table.targets == [[200, 0], [1200, 0]])
  }
}
