import Foundation
import TestSupport
import Testing

@testable import Detection

/// One coin of a made-up scene: where it lies, its true size and what its looks say.
private struct SceneCoin {
  var x = 0.0
  var y = 0.0
  var pixels: Double
  var looks: [(Int, Float)]
}

@Suite struct ScaleEvidenceTests {
  private let level = ScaleParameters(sigma: 0.02, outliers: 0.05, tilt: 0)
  private let slanted = ScaleParameters(sigma: 0.02, outliers: 0.05, tilt: 0.06)

  /// The probabilities of each coin's faces, once looks and sizes are weighed together.
  /// - Parameter junk: what lies in the working memory before.
  private func weighed(
    _ scene: [SceneCoin], _ parameters: ScaleParameters, junk: UInt8 = 0
  ) -> [[Float]] {
    let table = TestFaces.table()
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: ScaleEvidence.memoryBytes, alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: junk)
    guard let base = memory.baseAddress else { return [] }
    var evidence = ScaleEvidence(memory: base)
    for coin in scene {
      var diameters = InlineArray<24, Float>(repeating: 0)
      for (face, probability) in coin.looks {
        diameters[Int(table[face].diameterIndex)] += probability
      }
      let isAdded = evidence.add(
        SizedCoin(x: coin.x, y: coin.y, logDiameter: log(coin.pixels), diameters: diameters))
      #expect(isAdded)
    }
    evidence.weigh(table, parameters)
    return scene.indices.map { index in
      var faces = [Float](repeating: 0, count: table.count)
      for (face, probability) in scene[index].looks {
        faces[face] +=
          probability
          * evidence.factor(coin: index, diameter: Int(table[face].diameterIndex))
      }
      return faces
    }
  }

  private let anyGaruda: [(Int, Float)] = [
    (TestFaces.garuda100, 0.34), (TestFaces.garuda200, 0.33), (TestFaces.garuda500, 0.33),
  ]

  @Test func whatLiesInTheWorkingMemoryBeforeIsOfNoConcern() {
    let scene = [
      SceneCoin(pixels: 69, looks: anyGaruda), SceneCoin(x: 0.3, pixels: 81, looks: anyGaruda),
    ]
    let clean = weighed(scene, slanted)
    // Bytes of 255 are no numbers, and would spread.
    for junk in [1, 128, 255] as [UInt8] {
      let found = weighed(scene, slanted, junk: junk)
      #expect(found == clean)
    }
  }

  @Test func aCoinAloneLearnsNothing() {
    for pixels in [12.0, 80, 3000] {
      let faces = weighed([SceneCoin(pixels: pixels, looks: anyGaruda)], slanted)[0]
      for (face, probability) in anyGaruda { #expect(faces[face] == probability) }
    }
  }

  @Test func onACalibratedTrayACoinAloneIsMeasured() {
    let scale = 3.3
    for (face, diameter) in [
      (TestFaces.garuda100, 23.0), (TestFaces.garuda200, 25.0), (TestFaces.garuda500, 27.0),
    ] {
      var known = level
      known.known = log(scale)
      known.knownSpread = 0.01
      let faces = weighed([SceneCoin(pixels: diameter * scale, looks: anyGaruda)], known)[0]
      #expect(faces[face] > 0.9)
    }
  }

  @Test func coinsThatAgreeOutweighACalibrationThatIsNoLongerTrue() {
    var known = level
    known.known = log(3.3)
    known.knownSpread = 0.01
    // The camera hangs lower: everything is 12 % larger, and the numbers can be read.
    let scale = 3.7
    let scene = [
      SceneCoin(pixels: 27 * scale, looks: [(TestFaces.garuda500, 1)]),
      SceneCoin(pixels: 23 * scale, looks: [(TestFaces.garuda100, 1)]),
      SceneCoin(pixels: 25 * scale, looks: anyGaruda),
    ]
    #expect(weighed(scene, known)[2][TestFaces.garuda200] > 0.8)
  }

  @Test func knownNeighboursTellWhichGarudaItIs() {
    let scale = 3.3
    for (face, diameter) in [
      (TestFaces.garuda100, 23.0), (TestFaces.garuda200, 25), (TestFaces.garuda500, 27),
    ] {
      for parameters in [level, slanted] {
        let faces = weighed(
          [
            SceneCoin(x: -0.3, y: 0.2, pixels: 24.15 * scale, looks: [(TestFaces.number1000, 1)]),
            SceneCoin(x: 0.4, y: -0.1, pixels: 23 * scale, looks: [(TestFaces.cockatoo100, 1)]),
            SceneCoin(x: 0.1, y: 0.3, pixels: 27 * scale, looks: [(TestFaces.jasmine500, 1)]),
            SceneCoin(x: 0, y: 0, pixels: diameter * scale, looks: anyGaruda),
          ], parameters)
        #expect(faces[3][face] > 0.9, "\(diameter) mm: \(faces[3])")
      }
    }
  }

  @Test func ambiguousCoinsOfThreeSizesSortThemselvesOut() {
    let scale = 4.0
    let faces = weighed(
      [23.0, 25, 27].map { SceneCoin(pixels: $0 * scale, looks: anyGaruda) }, level)
    #expect(faces[0][TestFaces.garuda100] > 0.9)
    #expect(faces[1][TestFaces.garuda200] > 0.9)
    #expect(faces[2][TestFaces.garuda500] > 0.9)
  }

  @Test func probabilitiesKeepTheirSum() {
    var random = Dice(state: 41)
    for _ in 0..<20 {
      let scene = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        var weights = (0..<11).map { _ in Float.random(in: 0...1, using: &random) }
        let sum = weights.reduce(0, +)
        weights = weights.map { $0 / sum }
        return SceneCoin(
          x: .random(in: -1...1, using: &random), y: .random(in: -1...1, using: &random),
          pixels: .random(in: 10...900, using: &random),
          looks: weights.indices.map { ($0, weights[$0]) })
      }
      for faces in weighed(scene, slanted) {
        #expect(abs(faces.reduce(0, +) - 1) < 1e-4)
        #expect(faces.allSatisfy { $0 >= 0 && $0.isFinite })
      }
    }
  }

  @Test func theOrderOfCoinsDoesNotMatter() {
    let mostly1000: [(Int, Float)] = [(TestFaces.number1000, 0.9), (TestFaces.foreign, 0.1)]
    var random = Dice(state: 42)
    var scene = (0..<10).map { index in
      SceneCoin(
        x: .random(in: -1...1, using: &random), y: .random(in: -1...1, using: &random),
        pixels: [23.0, 24.15, 25, 27][index % 4] * .random(in: 2.9...3.1, using: &random),
        looks: index % 3 == 0 ? mostly1000 : anyGaruda
      )
    }
    let first = weighed(scene, slanted)
    scene.reverse()
    let second = weighed(scene, slanted)
    for index in first.indices {
      let other = second[first.count - 1 - index]
      for face in 0..<11 { #expect(abs(first[index][face] - other[face]) < 1e-5) }
    }
  }

  @Test func theSizeOfAllTogetherDoesNotMatter() {
    let base = [23.0, 24.15, 27].map { SceneCoin(pixels: 3 * $0, looks: anyGaruda) }
    let first = weighed(base, level)
    for factor in [0.2, 7.7] {
      var scaled = base
      for index in scaled.indices { scaled[index].pixels *= factor }
      let second = weighed(scaled, level)
      for index in first.indices {
        for face in 0..<11 { #expect(abs(first[index][face] - second[index][face]) < 1e-3) }
      }
    }
  }

  @Test func oneWildMeasurementMisleadsNobody() {
    let scale = 3.0
    var scene = [
      SceneCoin(pixels: 23 * scale, looks: [(TestFaces.cockatoo100, 1)]),
      SceneCoin(pixels: 24.15 * scale, looks: [(TestFaces.number1000, 1)]),
      SceneCoin(pixels: 25 * scale, looks: anyGaruda),
    ]
    #expect(weighed(scene, level)[2][TestFaces.garuda200] > 0.9)
    scene.append(SceneCoin(pixels: 90 * scale, looks: [(TestFaces.jasmine500, 1)]))
    let faces = weighed(scene, level)
    #expect(faces[2][TestFaces.garuda200] > 0.85)
    #expect(faces[3][TestFaces.jasmine500] > 0.999)
  }

  @Test func aSlantedViewIsToleratedWhenItIsExpected() {
    // Scale falls off by 14 % from the bottom of the picture to its top.
    func seen(_ diameter: Double, _ y: Double) -> Double { 3 * diameter * exp(0.07 * y) }
    let scene = [
      SceneCoin(x: -0.5, y: -1, pixels: seen(23, -1), looks: [(TestFaces.cockatoo100, 1)]),
      SceneCoin(x: 0.5, y: -0.6, pixels: seen(27, -0.6), looks: [(TestFaces.jasmine500, 1)]),
      SceneCoin(x: 0.2, y: -0.2, pixels: seen(24.15, -0.2), looks: [(TestFaces.number1000, 1)]),
      SceneCoin(x: -0.5, y: 0.2, pixels: seen(27, 0.2), looks: [(TestFaces.jasmine500, 1)]),
      SceneCoin(x: 0, y: 1, pixels: seen(25, 1), looks: anyGaruda),
    ]
    #expect(weighed(scene, slanted)[4][TestFaces.garuda200] > 0.6)
    // A camera taken to look straight down would name the wrong one.
    #expect(weighed(scene, level)[4][TestFaces.garuda200] < 0.2)
  }

  @Test func coinsNobodyKnowsSayLittle() {
    let faces = weighed(
      [
        SceneCoin(pixels: 90, looks: [(TestFaces.foreign, 1)]),
        SceneCoin(pixels: 70, looks: [(TestFaces.foreign, 1)]),
        SceneCoin(pixels: 80, looks: anyGaruda),
      ], level)
    for (face, probability) in anyGaruda { #expect(abs(faces[2][face] - probability) < 0.12) }
  }

  @Test func aFullTableOfCoinsIsWeighedAndTheNextOneRefused() {
    let memory = UnsafeMutablePointer<Float>.allocate(
      capacity: ScaleEvidence.memoryBytes / MemoryLayout<Float>.stride)
    defer { memory.deallocate() }
    var evidence = ScaleEvidence(memory: memory)
    let table = TestFaces.table()
    var diameters = InlineArray<24, Float>(repeating: 0)
    diameters[Int(table[TestFaces.cockatoo100].diameterIndex)] = 0.5
    diameters[Int(table[TestFaces.jasmine500].diameterIndex)] = 0.5
    for index in 0..<ScaleEvidence.capacity {
      // Half are as wide as Rp100, half as Rp500, and one is hundreds of times too large.
      let pixels = index == 7 ? 30_000 : index % 2 == 0 ? 69.0 : 81
      let isAdded = evidence.add(
        SizedCoin(x: 0, y: 0, logDiameter: log(pixels), diameters: diameters))
      #expect(isAdded)
    }
    let isOneMoreAdded = evidence.add(
      SizedCoin(x: 0, y: 0, logDiameter: 4, diameters: diameters))
    #expect(!isOneMoreAdded)
    evidence.weigh(table, level)
    let small = Int(table[TestFaces.cockatoo100].diameterIndex)
    let large = Int(table[TestFaces.jasmine500].diameterIndex)
    for index in 0..<ScaleEvidence.capacity where index != 7 {
      let likely = index % 2 == 0 ? small : large
      #expect(evidence.factor(coin: index, diameter: likely) > 1.8)
    }
  }
}
