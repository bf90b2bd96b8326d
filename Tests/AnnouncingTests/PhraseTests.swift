import Counting
import Testing

@testable import Announcing

@Suite struct PhraseTests {
  private func phrase(_ total: Total, _ language: Language = .indonesian) -> String {
    text { $0.append(spoken: total, in: language) }
  }

  @Test func aTotalIsSpokenInIndonesianWords() {
    #expect(phrase(Total(total: 1600, coins: 3)) == "seribu enam ratus rupiah")
  }

  @Test func unsureCoinsAreSpokenAfterTheAmount() {
    #expect(
      phrase(Total(total: 1600, coins: 5, unsure: 2))
        == "seribu enam ratus rupiah, dua koin tidak dikenal")
    #expect(
      phrase(Total(total: 1600, coins: 4, unsure: 1), .english)
        == "one thousand six hundred rupiah, one unknown coin")
  }

  @Test func noAmountIsClaimedWhenNoCoinIsNamed() {
    #expect(phrase(Total(coins: 2, unsure: 2)) == "dua koin tidak dikenal")
    #expect(phrase(Total(coins: 2, unsure: 2), .english) == "two unknown coins")
  }

  @Test func withdrawnCoinsAreSpokenLast() {
    #expect(
      phrase(Total(total: 200, coins: 3, unsure: 1, withdrawn: 1))
        == "dua ratus rupiah, satu koin tidak dikenal, satu koin sudah ditarik dari peredaran")
  }

  private func change(_ before: Int32, _ after: Total, _ language: Language = .indonesian) -> String
  {
    text { $0.append(spoken: after, after: Total(total: before, coins: 1), in: language) }
  }

  @Test func aChangeIsSpokenBeforeTheTotal() {
    let more = Total(total: 1600, coins: 4)
    #expect(change(1100, more) == "tambah lima ratus, jadi seribu enam ratus rupiah")
    #expect(
      change(1100, more, .english) == "plus five hundred, now one thousand six hundred rupiah")
    #expect(change(1800, more) == "kurang dua ratus, jadi seribu enam ratus rupiah")
    #expect(
      change(1800, more, .english) == "minus two hundred, now one thousand six hundred rupiah")
  }

  @Test func whereThereIsNoAmountBeforeOrAfterTheTotalIsSpokenAlone() {
    #expect(change(0, Total(total: 500, coins: 1)) == "lima ratus rupiah")
    #expect(change(500, Total()) == "baki kosong")
    #expect(change(500, Total(coins: 1, unsure: 1)) == "satu koin tidak dikenal")
    #expect(
      change(500, Total(total: 500, coins: 2, unsure: 1))
        == "lima ratus rupiah, satu koin tidak dikenal")
  }

  @Test func anEmptyTrayIsCalledEmpty() {
    #expect(phrase(Total()) == "baki kosong")
    #expect(phrase(Total(), .english) == "the tray is empty")
  }

  @Test(arguments: [
    (0, "nol", "zero"), (10, "sepuluh", "ten"), (11, "sebelas", "eleven"),
    (19, "sembilan belas", "nineteen"), (20, "dua puluh", "twenty"),
    (21, "dua puluh satu", "twenty-one"), (50, "lima puluh", "fifty"),
    (100, "seratus", "one hundred"), (150, "seratus lima puluh", "one hundred and fifty"),
    (999, "sembilan ratus sembilan puluh sembilan", "nine hundred and ninety-nine"),
    (1000, "seribu", "one thousand"), (1050, "seribu lima puluh", "one thousand and fifty"),
    (2000, "dua ribu", "two thousand"),
    (11_100, "sebelas ribu seratus", "eleven thousand one hundred"),
    (64_000, "enam puluh empat ribu", "sixty-four thousand"),
    (101_000, "seratus satu ribu", "one hundred and one thousand"),
  ])
  func numbersAreSpelledOut(_ number: Int, _ indonesian: String, _ english: String) {
    #expect(text { $0.append(indonesian: number) } == indonesian)
    #expect(text { $0.append(english: number) } == english)
  }

  @Test func theLongestPhraseFits() {
    for language in [Language.indonesian, .english] {
      var phrase = Phrase()
      let total = Total(total: 777_777, coins: 64, unsure: 38, withdrawn: 38)
      phrase.append(
        spoken: total, after: Total(total: 1, coins: 1), in: language)
      #expect(!phrase.isCut)
    }
  }
}
