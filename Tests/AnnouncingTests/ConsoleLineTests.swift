import Announcing
import Counting
import Testing

@Suite struct ConsoleLineTests {
  private func line(_ kind: Event.Kind, _ language: Language) -> String {
    text { $0.append(console: Event(kind, frame: 1, milliseconds: 33), in: language) }
  }

  @Test func aTotalIsReadableInBothLanguages() {
    let total = Event.Kind.total(Total(total: 21_600, coins: 27, unsure: 2, withdrawn: 1))
    #expect(
      line(total, .indonesian)
        == "Total Rp21.600 (27 koin, 2 tidak dikenal, 1 sudah ditarik dari peredaran)\n")
    #expect(line(total, .english) == "Total Rp21,600 (27 coins, 2 unknown, 1 withdrawn)\n")
  }

  @Test func oneCoinIsSingularInEnglish() {
    #expect(line(.total(Total(total: 500, coins: 1)), .english) == "Total Rp500 (1 coin)\n")
  }

  @Test func coinsComeAndGoWithASign() {
    #expect(line(.coinAdded(coin(1000)), .indonesian) == "+ Rp1.000\n")
    #expect(line(.coinRemoved(coin(0)), .indonesian) == "- koin tidak dikenal\n")
    #expect(line(.coinAdded(coin(500, isWithdrawn: true)), .english) == "+ Rp500 (withdrawn)\n")
  }

  @Test func aCameraLostAndBackIsSaidInBothLanguages() {
    #expect(
      line(.cameraLost(.cameraUnplugged), .indonesian)
        == "Kamera: kamera terlepas; sambungkan lagi.\n")
    #expect(line(.cameraBack, .english) == "The camera is back.\n")
    var phrase = Phrase()
    phrase.append(spokenCamera: .cameraSilent, in: .indonesian)
    #expect(phrase.count == "kamera bermasalah".utf8.count)
  }

  @Test func holdsAndFaultsAreSaidPlainly() {
    #expect(line(.hold(.motion), .indonesian) == "Tunggu, ada yang bergerak.\n")
    #expect(
      line(.degraded(.voiceDataMissing), .english)
        == "Degraded: espeak-ng's data cannot be read; install the package espeak-ng-data.\n")
  }

  @Test func aFaultThatRepeatsIsCountedAndOneThatIsOverIsSaidToBe() {
    #expect(
      line(.repeated(.soundDeviceLost, times: 3), .indonesian)
        == "Gangguan 3 kali: perangkat suara berhenti; periksa sambungannya.\n")
    #expect(line(.recovered(.soundDeviceLost), .indonesian) == "Pulih: suara.\n")
    #expect(line(.recovered(.soundDeviceLost), .english) == "Recovered: voice.\n")
    #expect(line(.reloaded, .indonesian) == "Pengaturan dimuat ulang.\n")
  }
}
