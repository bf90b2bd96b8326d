import Announcing
import Testing

@Suite struct TextTests {
  @Test(arguments: [
    (0, "0"), (7, "7"), (1000, "1,000"), (-21_600, "-21,600"), (1_234_567, "1,234,567"),
    (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func numbersAreGroupedInThrees(_ number: Int, _ expected: String) {
    #expect(text { $0.append(number, groupedBy: UInt8(ascii: ",")) } == expected)
    #expect(text { $0.append(number) } == expected.filter { $0 != "," })
  }

  @Test(arguments: [(Float(0), "0.00"), (0.005, "0.01"), (0.974, "0.97"), (1, "1.00"), (2, "1.00")])
  func probabilitiesHaveTwoDecimals(_ probability: Float, _ expected: String) {
    #expect(text { $0.append(probability: probability) } == expected)
  }

  @Test func whatDoesNotFitIsLeftOutAndNoted() {
    var text = Text<4>()
    text.append("Rupiah")
    #expect(string(text) == "Rupi")
    #expect(text.isCut)
    text.removeAll()
    #expect(text.count == 0 && !text.isCut)
  }
}
