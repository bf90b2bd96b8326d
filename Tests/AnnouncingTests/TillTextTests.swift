import Announcing
import Counting
import Testing

@Suite struct TillTextTests {
  private func saved(_ kind: EntryKind, total: Int, session: Int = 0, price: Int = 0) -> Saved {
    Saved(
      kind: kind, sequence: 3, total: total, sessionTotal: session, unsure: 0, price: price)
  }

  private func spoken(_ saved: Saved, _ language: Language = .indonesian) -> String {
    reading { $0.append(spoken: saved, in: language) }
  }

  private func spoken(
    price: Int, total: Int, unsure: Int = 0, _ language: Language = .indonesian
  ) -> String {
    let target = Target(price: price, total: total, unsure: unsure)
    return reading { $0.append(spoken: target, in: language) }
  }

  private func reading(_ body: (inout Phrase) -> Void) -> String {
    var phrase = Phrase()
    body(&phrase)
    var bytes: [UInt8] = []
    for index in 0..<phrase.count { bytes.append(phrase[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aBatchIsSpokenWithTheSessionsTotal() {
    let batch = saved(.batch, total: 500, session: 1500)
    #expect(spoken(batch) == "disimpan, total seribu lima ratus rupiah")
    #expect(spoken(batch, .english) == "saved, total one thousand five hundred rupiah")
    let close = saved(.session, total: 1500)
    #expect(spoken(close) == "sesi selesai, total seribu lima ratus rupiah")
  }

  @Test func aSaleIsSpokenWithTheChange() {
    let sale = saved(.sale, total: 1500, price: 1200)
    #expect(
      spoken(sale) == "disimpan, total seribu lima ratus rupiah, kembali tiga ratus rupiah")
  }

  @Test func aPriceIsSpokenAsWhatIsMissingOrGivenBack() {
    #expect(spoken(price: 1500, total: 1000) == "seribu rupiah, kurang lima ratus rupiah")
    #expect(spoken(price: 1500, total: 1500) == "seribu lima ratus rupiah, pas")
    #expect(spoken(price: 1500, total: 2000) == "dua ribu rupiah, kembali lima ratus rupiah")
    #expect(
      spoken(price: 500, total: 0, unsure: 1) == "kurang lima ratus rupiah, satu koin tidak dikenal"
    )
    #expect(
      spoken(price: 1500, total: 1000, .english)
        == "one thousand rupiah, missing five hundred rupiah")
  }

  @Test func modesAreConfirmed() {
    let session = ModeState(.session, price: 0, sessionTotal: 0)
    #expect(reading { $0.append(spoken: session, in: .indonesian) } == "mode sesi")
    #expect(reading { $0.append(spoken: session, in: .english) } == "session mode")
    let target = ModeState(.target, price: 2500, sessionTotal: 0)
    #expect(
      reading { $0.append(spoken: target, in: .indonesian) }
        == "mode harga, dua ribu lima ratus rupiah")
  }

  @Test func aYearsTakingsCanBeSpoken() {
    let much = saved(.session, total: 2_315_000_500)
    #expect(
      spoken(much)
        == "sesi selesai, total dua miliar tiga ratus lima belas juta lima ratus rupiah")
    #expect(
      spoken(saved(.session, total: 1_000_000), .english)
        == "session closed, total one million rupiah")
    // Beyond every number there are words for, it is still spoken and not broken off.
    #expect(spoken(saved(.session, total: .max)).hasPrefix("sesi selesai, total sembilan ratus"))
  }
}
