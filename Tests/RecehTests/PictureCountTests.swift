import Counting
import Detection
import Frames
import Pictures
import Testing

@testable import receh

private func coin(
  _ value: Int32, x: Float = 0, y: Float = 0, diameter: Float = 10, isWithdrawn: Bool = false,
  confidence: Float = 0.9
) -> Detection {
  Detection(
    x: x, y: y, diameter: diameter, value: value, isWithdrawn: isWithdrawn,
    confidence: confidence, posterior: InlineArray(repeating: 0))
}

private func count(
  _ coins: [Detection], reduction: Reduction = Reduction(numerator: 1, denominator: 1),
  countsWithdrawn: Bool = false
) -> PictureCount {
  var list = DetectionList(filler: .none)
  for coin in coins { list.append(coin) }
  return PictureCount(list, reduction: reduction, countsWithdrawn: countsWithdrawn)
}

private func total(_ coins: [Detection], countsWithdrawn: Bool = false) -> Total {
  let counted = count(coins, countsWithdrawn: countsWithdrawn)
  return counted.total
}

private func listed(
  _ coins: [Detection], reduction: Reduction = Reduction(numerator: 1, denominator: 1)
) -> [Detection] {
  let counted = count(coins, reduction: reduction)
  return (0..<counted.coins.count).map { counted.coins[$0] }
}

@Suite struct PictureCountTests {
  @Test func theTotalIsOfNamedLegalTender() {
    let total = total([coin(500), coin(1000, isWithdrawn: true), coin(0), coin(100)])
    #expect(total == Total(total: 600, coins: 4, unsure: 1, withdrawn: 1))
  }

  @Test func withdrawnCoinsCountWhenAskedFor() {
    let total = total([coin(500), coin(1000, isWithdrawn: true)], countsWithdrawn: true)
    #expect(total == Total(total: 1500, coins: 2, unsure: 0, withdrawn: 1))
  }

  @Test func aPictureWithoutCoinsIsWorthNothing() {
    #expect(total([]) == Total())
  }

  @Test func coinsAreListedFromTopToBottomThenLeftToRight() {
    let coins = listed([
      coin(50, x: 9, y: 7), coin(100, x: 2, y: 7), coin(200, x: 30, y: 1), coin(500, x: 5, y: 7),
    ])
    #expect(coins.map(\.value) == [200, 100, 500, 50])
  }

  @Test func placesAreThoseOfTheFile() {
    let coins = listed(
      [coin(50, x: 10, y: 20, diameter: 8)], reduction: Reduction(numerator: 8, denominator: 3))
    #expect(coins.map(\.x) == [80 / 3])
    #expect(coins.map(\.y) == [160 / 3])
    #expect(coins.map(\.diameter) == [64 / 3])
  }

  @Test func aFullListIsSummedUpWhole() {
    #expect(total([Detection](repeating: coin(1000), count: coinCapacity)).total == 64_000)
  }

  @Test func theLineOfJSONIsTheContracts() throws {
    let name: StaticString = "a.jpg"
    let count = count([
      coin(500, x: 312.4, y: 207.6, diameter: 74.2, confidence: 0.967),
      coin(0, x: 3, y: 300, diameter: 80, confidence: 0.5),
      coin(1000, x: 0, y: 400, diameter: 81, isWithdrawn: true, confidence: 1),
    ])
    let line = try writtenText { $0.write(json: count, file: name.cString) }
    #expect(
      line == #"{"file":"a.jpg","total":500,"unsure":1,"coins":["#
        + #"{"value":500,"confidence":0.97,"x":312,"y":208,"diameter":74},"#
        + #"{"value":0,"confidence":0.50,"x":3,"y":300,"diameter":80},"#
        + #"{"value":1000,"confidence":1.00,"x":0,"y":400,"diameter":81,"withdrawn":true}]}"#
        + "\n")
  }

  @Test func theTableSaysWhatEachCoinIs() throws {
    let name: StaticString = "a b.jpg"
    let count = count([
      coin(500, x: 312.4, y: 207.6, diameter: 74.2, confidence: 0.967),
      coin(0, x: 3, y: 300, diameter: 80, confidence: 0.5),
      coin(1000, x: 0, y: 400, diameter: 81, isWithdrawn: true, confidence: 1),
    ])
    let english = try writtenText { $0.write(table: count, file: name.cString, in: .english) }
    #expect(
      english == """
        a b.jpg
            value  certainty      x      y  diameter
            Rp500       97 %    312    208        74
                ?       50 %      3    300        80
          Rp1,000      100 %      0    400        81  withdrawn
        Total Rp500 (3 coins, 1 unknown, 1 withdrawn)

        """)
    let indonesian = try writtenText { $0.write(table: count, file: name.cString, in: .indonesian) }
    #expect(indonesian.contains("Rp1.000"))
    #expect(indonesian.contains("Total Rp500 (3 koin, 1 tidak dikenal"))
  }
}
