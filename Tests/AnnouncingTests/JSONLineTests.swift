import Announcing
import Counting
import Testing

@Suite struct JSONLineTests {
  private func json(_ kind: Event.Kind) -> String {
    text { $0.append(json: Event(kind, frame: 1234, milliseconds: 41133)) }
  }

  @Test func aTotalIsTheLineOfTheContract() {
    #expect(
      json(.total(Total(total: 1600, coins: 3)))
        == """
        {"event":"total","total":1600,"coins":3,"unsure":0,"frame":1234,"ms":41133}

        """)
  }

  @Test func withdrawnCoinsOfATotalAreToldWhenThereAreAny() {
    #expect(
      json(.total(Total(total: 0, coins: 2, unsure: 1, withdrawn: 1)))
        == """
        {"event":"total","total":0,"coins":2,"unsure":1,"withdrawn":1,"frame":1234,"ms":41133}

        """)
  }

  @Test func aCoinAddedHasItsPlaceAndConfidence() {
    #expect(
      json(.coinAdded(coin(500)))
        == """
        {"event":"coin-added","id":7,"value":500,"confidence":0.97,"x":312,"y":208,\
        "diameter":74,"frame":1234,"ms":41133}

        """)
  }

  @Test func aWithdrawnCoinRemovedSaysSo() {
    #expect(
      json(.coinRemoved(coin(1000, isWithdrawn: true)))
        == """
        {"event":"coin-removed","id":7,"value":1000,"withdrawn":true,"confidence":0.97,\
        "x":312,"y":208,"diameter":74,"frame":1234,"ms":41133}

        """)
  }

  @Test func theOtherEventsHaveTheNamesOfTheContract() {
    #expect(json(.ready) == "{\"event\":\"ready\",\"frame\":1234,\"ms\":41133}\n")
    #expect(json(.stopped) == "{\"event\":\"stopped\",\"frame\":1234,\"ms\":41133}\n")
    #expect(
      json(.hold(.motion))
        == "{\"event\":\"hold\",\"why\":\"motion\",\"frame\":1234,\"ms\":41133}\n")
    #expect(
      json(.hold(.crowded))
        == "{\"event\":\"hold\",\"why\":\"too many coins\",\"frame\":1234,\"ms\":41133}\n")
  }

  @Test func aDegradationNamesThePartAndTheWayOut() {
    #expect(
      json(.degraded(.voiceDataMissing))
        == """
        {"event":"degraded","part":"voice","why":"espeak-ng's data cannot be read; install \
        the package espeak-ng-data","frame":1234,"ms":41133}

        """)
  }

  @Test func aCameraLostTellsWhyAndACameraBackDoesNot() {
    #expect(
      json(.cameraLost(.cameraMissing))
        == """
        {"event":"camera-lost","why":"there is no camera; connect one, it is taken as soon as it \
        is there","frame":1234,"ms":41133}

        """)
    #expect(json(.cameraBack) == "{\"event\":\"camera-back\",\"frame\":1234,\"ms\":41133}\n")
  }

  @Test func everyFaultSaysWhatAndTheWayOutInBothLanguages() {
    for fault in allDegradations {
      #expect(fault.reason.utf8CodeUnitCount > 0)
      for language in [Language.indonesian, .english] {
        let line = text {
          $0.append(console: Event(.degraded(fault), frame: 1, milliseconds: 1), in: language)
        }
        #expect(line.count > 25)
      }
    }
  }

  @Test func aFaultThatRepeatsHasItsCountAndOneThatIsOverItsPart() {
    #expect(
      json(.repeated(.voiceHung, times: 12)).contains("\"part\":\"voice\",\"why\":\"speaking got"))
    #expect(json(.repeated(.voiceHung, times: 12)).contains(",\"times\":12,\"frame\":1234,"))
    #expect(
      json(.recovered(.voiceHung))
        == "{\"event\":\"recovered\",\"part\":\"voice\",\"frame\":1234,\"ms\":41133}\n")
    #expect(json(.reloaded) == "{\"event\":\"reloaded\",\"frame\":1234,\"ms\":41133}\n")
  }

  @Test func theLongestEventsFitTheirLine() {
    let far = Coin(
      id: .min, value: 1000, isWithdrawn: true, confidence: 1, x: -.greatestFiniteMagnitude,
      y: .greatestFiniteMagnitude, diameter: .infinity)
    let kinds: [Event.Kind] =
      [
        .coinRemoved(far),
        .total(Total(total: .max, coins: .max, unsure: .max, withdrawn: .max)),
      ]
      + allDegradations.flatMap {
        [.degraded($0), .repeated($0, times: .max), .recovered($0), .cameraLost($0)]
      }
    for kind in kinds {
      var line = EventLine()
      line.append(json: Event(kind, frame: .max, milliseconds: .max))
      #expect(!line.isCut && line.count > 0)
      var console = EventLine()
      console.append(console: Event(kind, frame: .max, milliseconds: .max), in: .indonesian)
      #expect(!console.isCut)
    }
  }

  @Test func placesLeftOfThePictureAreRoundedDownwards() {
    var edge = coin(500)
    edge.x = -3.2
    #expect(json(.coinAdded(edge)).contains("\"x\":-3,"))
  }

  private var allDegradations: [Degradation] {
    (UInt8.min...UInt8.max).compactMap { Degradation(rawValue: $0) }
  }
}
