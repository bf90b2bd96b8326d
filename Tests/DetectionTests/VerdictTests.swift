import TestSupport
import Testing

@testable import Detection

/// A small table: garuda and number sides of some coins, a foreign coin and no coin.
enum TestFaces {
  static let garuda100 = 0
  static let cockatoo100 = 1
  static let garuda200 = 2
  static let jasmine500 = 3
  static let garuda500 = 4
  static let old500 = 5
  static let number1000 = 6
  static let old1000 = 7
  static let oriole50 = 8
  static let foreign = 9
  static let noCoin = 10

  static func table() -> FaceTable {
    var table = FaceTable()
    for (value, isWithdrawn, diameter) in [
      (100, false, Float(23)), (100, false, 23), (200, false, 25), (500, false, 27),
      (500, false, 27), (500, true, 24), (1000, false, 24.15), (1000, true, 26), (50, false, 20),
    ] {
      let isAdded = table.addFace(value: value, isWithdrawn: isWithdrawn, diameter: diameter)
      precondition(isAdded)
    }
    let isForeignAdded = table.addUnnamed(isNoCoin: false)
    let isNoCoinAdded = table.addUnnamed(isNoCoin: true)
    precondition(isForeignAdded && isNoCoinAdded)
    return table
  }

  static func probabilities(_ parts: [(Int, Float)]) -> FaceProbabilities {
    var result = FaceProbabilities()
    for (face, probability) in parts { result.values[face] = probability }
    return result
  }
}

@Suite struct VerdictTests {
  private func verdict(_ parts: [(Int, Float)], least: Float = 0.8) -> Verdict {
    Verdict(TestFaces.probabilities(parts), table: TestFaces.table(), leastConfidence: least)
  }

  @Test func facesOfOneValueAddUp() {
    let verdict = verdict([(TestFaces.garuda100, 0.5), (TestFaces.cockatoo100, 0.45), (2, 0.05)])
    #expect(verdict.value == 100 && !verdict.isWithdrawn)
    #expect(abs(verdict.confidence - 0.95) < 1e-6)
    #expect(abs(verdict.posterior[1] - 0.95) < 1e-6 && abs(verdict.posterior[2] - 0.05) < 1e-6)
  }

  @Test func aValueBelowTheThresholdIsNotNamed() {
    let verdict = verdict([(TestFaces.garuda100, 0.79), (TestFaces.garuda200, 0.21)])
    #expect(verdict.value == 0)
    #expect(verdict.confidence == 1)
    #expect(abs(verdict.posterior[1] - 0.79) < 1e-6)
  }

  @Test func oldAndNewCoinsOfOneValueAreNotAddedUp() {
    let doubtful = verdict([(TestFaces.jasmine500, 0.5), (TestFaces.old500, 0.5)])
    #expect(doubtful.value == 0)
    #expect(abs(doubtful.posterior[3] - 1) < 1e-6)
    let old = verdict([(TestFaces.jasmine500, 0.1), (TestFaces.old500, 0.9)])
    #expect(old.value == 500 && old.isWithdrawn)
  }

  @Test func aForeignCoinIsACoinWithoutAValue() {
    let verdict = verdict([(TestFaces.foreign, 0.9), (TestFaces.noCoin, 0.1)])
    #expect(verdict.value == 0 && !verdict.isWithdrawn)
    #expect(abs(verdict.posterior[5] - 1) < 1e-6)
    #expect(abs(verdict.confidence - 0.9) < 1e-6 && abs(verdict.noCoin - 0.1) < 1e-6)
  }

  @Test func evenAThresholdOfZeroNamesNothingThatIsLessLikelyThanAnUnnamedCoin() {
    #expect(verdict([(TestFaces.foreign, 0.6), (TestFaces.garuda100, 0.4)], least: 0).value == 0)
  }

  @Test func posteriorsSumToOne() {
    var random = Dice(state: 31)
    for _ in 0..<50 {
      var logits = InlineArray<64, Float>(repeating: 0)
      for face in 0..<11 { logits[face] = .random(in: -30...30, using: &random) }
      let faces = FaceProbabilities.softmax(logits, count: 11, temperature: 1.7, divisor: 5)
      let verdict = Verdict(faces, table: TestFaces.table(), leastConfidence: 0.5)
      var sum: Float = 0
      for index in 0..<6 { sum += verdict.posterior[index] }
      #expect(abs(sum - 1) < 1e-5)
    }
  }

  @Test func theSoftmaxOfAddedLogitsIsThatOfTheirMean() {
    var once = InlineArray<64, Float>(repeating: 0)
    var fivefold = once
    for face in 0..<11 {
      once[face] = Float(face) * 0.7 - 3
      fivefold[face] = 5 * once[face]
    }
    let one = FaceProbabilities.softmax(once, count: 11, temperature: 2, divisor: 1)
    let five = FaceProbabilities.softmax(fivefold, count: 11, temperature: 2, divisor: 5)
    for face in 0..<11 { #expect(abs(one.values[face] - five.values[face]) < 1e-6) }
  }

  @Test func hugeLogitsNeitherOverflowNorVanish() {
    var logits = InlineArray<64, Float>(repeating: -1e30)
    logits[3] = 1e30
    let faces = FaceProbabilities.softmax(logits, count: 11, temperature: 0.01, divisor: 1)
    #expect(faces.values[3] == 1)
    #expect(faces.values[0] < 1e-30)
  }

  @Test func aTableRefusesWhatItCannotHold() {
    var table = FaceTable()
    func add(value: Int = 50, diameter: Float) -> Bool {
      table.addFace(value: value, isWithdrawn: false, diameter: diameter)
    }
    let refused = [
      add(value: 25, diameter: 18), add(value: 500, diameter: 0), add(value: 500, diameter: .nan),
    ]
    #expect(refused == [false, false, false])
    for step in 0..<FaceTable.diameterCapacity {
      let isAdded = add(diameter: 20 + Float(step))
      #expect(isAdded)
    }
    let isOneMoreDiameterAdded = add(diameter: 60)
    #expect(!isOneMoreDiameterAdded)
    for _ in FaceTable.diameterCapacity..<FaceTable.capacity {
      let isAdded = add(diameter: 20.02)
      #expect(isAdded)
    }
    let isOneMoreFaceAdded = add(diameter: 20)
    #expect(!isOneMoreFaceAdded)
    #expect(table.diameterCount == FaceTable.diameterCapacity)
  }
}
