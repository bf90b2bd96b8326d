import Foundation
import Frames
import TestSupport
import Testing

@testable import Detection

/// Three maps as the detector gives them, all cold until coins are put in.
struct TestMaps {
  static let rows = 60
  static let columns = 80
  var centre = [Int8](repeating: -100, count: rows * columns)
  var offset = [Int8](repeating: 0, count: 2 * rows * columns)
  var size = [Int8](repeating: 0, count: 2 * rows * columns)

  /// Puts a coin at a place of the input, its heat falling off around it.
  mutating func put(x: Double, y: Double, diameter: Double, heat: Int8 = 60) {
    let column = Int(x / 4)
    let row = Int(y / 4)
    for down in -2...2 {
      for right in -2...2 {
        let otherRow = row + down
        let otherColumn = column + right
        guard (0..<Self.rows).contains(otherRow), (0..<Self.columns).contains(otherColumn) else {
          continue
        }
        let cooled = Int8(max(-100, Int(heat) - 25 * (abs(down) + abs(right))))
        let cell = otherRow * Self.columns + otherColumn
        centre[cell] = max(centre[cell], cooled)
      }
    }
    let cell = row * Self.columns + column
    offset[2 * cell] = Int8((x / 4 - Double(column)) * 100 - 20)
    offset[2 * cell + 1] = Int8((y / 4 - Double(row)) * 100 - 20)
    size[2 * cell] = Int8((log(diameter / 32) / 0.02).rounded())
    size[2 * cell + 1] = size[2 * cell]
  }

  func decoded(leastLogit: Double = 0, frame: PassFrame? = nil) -> (coins: [Candidate], full: Bool)
  {
    let whole = PassFrame(
      left: 0, top: 0,
      box: Letterbox(sourceWidth: 320, sourceHeight: 240, width: 320, height: 240),
      pictureWidth: 320, pictureHeight: 240)
    var candidates = CandidateList()
    HeatMap.decode(
      centre: QuantisedMap(
        values: centre.span, rows: Self.rows, columns: Self.columns, channels: 1, scale: 0.1,
        zeroPoint: 10),
      offset: QuantisedMap(
        values: offset.span, rows: Self.rows, columns: Self.columns, channels: 2, scale: 0.01,
        zeroPoint: -20),
      size: QuantisedMap(
        values: size.span, rows: Self.rows, columns: Self.columns, channels: 2, scale: 0.02,
        zeroPoint: 0),
      cellSize: 4, leastLogit: leastLogit, frame: frame ?? whole, into: &candidates)
    candidates.sort()
    return ((0..<candidates.count).map { candidates[$0] }, candidates.isTruncated)
  }
}

@Suite struct HeatMapTests {
  @Test func aColdMapHasNoCoins() {
    #expect(TestMaps().decoded().coins.isEmpty)
  }

  @Test func coinsComeBackWhereTheyWerePut() {
    var random = Dice(state: 11)
    for _ in 0..<40 {
      var maps = TestMaps()
      let x = Double.random(in: 0..<320, using: &random)
      let y = Double.random(in: 0..<240, using: &random)
      let diameter = Double.random(in: 12...200, using: &random)
      maps.put(x: x, y: y, diameter: diameter)
      let coins = maps.decoded().coins
      #expect(coins.count == 1)
      guard let coin = coins.first else { continue }
      #expect(abs(Double(coin.x) - x) < 0.05)
      #expect(abs(Double(coin.y) - y) < 0.05)
      #expect(abs(Double(2 * coin.radius) / diameter - 1) < 0.011)
      #expect(abs(coin.score - 5) < 1e-5)
    }
  }

  @Test func aPlateauIsOneCoinAtEveryShape() {
    for cells in [
      [(10, 10), (10, 11)], [(10, 10), (11, 10)], [(10, 10), (11, 11)], [(10, 11), (11, 10)],
      [(10, 10), (10, 11), (11, 10), (11, 11)],
    ] {
      var maps = TestMaps()
      for (row, column) in cells { maps.centre[row * TestMaps.columns + column] = 127 }
      #expect(maps.decoded().coins.count == 1, "\(cells)")
    }
  }

  @Test func cornersAndEdgesOfTheMapAreLookedAt() {
    for (x, y) in [(1.0, 1.0), (319, 1), (1, 239), (319, 239), (160, 1), (1, 120)] {
      var maps = TestMaps()
      maps.put(x: x, y: y, diameter: 40)
      #expect(maps.decoded().coins.count == 1)
    }
  }

  @Test func onlyHeatAtOrAboveTheThresholdCounts() {
    var maps = TestMaps()
    maps.put(x: 50, y: 50, diameter: 40, heat: 30)  // logit 2
    maps.put(x: 150, y: 50, diameter: 40, heat: 29)  // logit 1.9
    #expect(maps.decoded(leastLogit: 2).coins.count == 1)
    #expect(maps.decoded(leastLogit: 1.89).coins.count == 2)
    #expect(maps.decoded(leastLogit: 100).coins.isEmpty)
  }

  @Test func whenTooManyComeTheHottestStayAndItIsSaid() {
    var maps = TestMaps()
    var expected: [Float] = []
    var heat = 0
    for row in stride(from: 0, to: TestMaps.rows, by: 2) {
      for column in stride(from: 0, to: TestMaps.columns, by: 2) where heat < 400 {
        let value = Int8(truncatingIfNeeded: 20 + heat % 100)
        maps.centre[row * TestMaps.columns + column] = value
        expected.append(0.1 * Float(Int(value) - 10))
        heat += 1
      }
    }
    let (coins, isFull) = maps.decoded()
    #expect(isFull)
    #expect(coins.count == CandidateList.capacity)
    expected.sort(by: >)
    for index in coins.indices { #expect(abs(coins[index].score - expected[index]) < 1e-5) }
  }

  @Test func placesInAPartArePlacesInThePicture() {
    var maps = TestMaps()
    maps.put(x: 160, y: 120, diameter: 40)
    let frame = PassFrame(
      left: 1000, top: 500,
      box: Letterbox(sourceWidth: 1280, sourceHeight: 960, width: 320, height: 240),
      pictureWidth: 4000, pictureHeight: 3000)
    let coins = maps.decoded(frame: frame).coins
    #expect(coins.count == 1)
    #expect(abs(coins[0].x - 1640) < 0.2 && abs(coins[0].y - 980) < 0.2)
    #expect(abs(coins[0].radius - 80) < 1)
  }

  @Test func aCoinCutByAPartsSideIsLeftToItsNeighbourButNotAtThePicturesEdge() {
    for (x, y, isKept) in [
      (5.0, 120.0, true), (160, 5, false), (315, 120, false), (160, 235, true),
    ] {
      var maps = TestMaps()
      maps.put(x: x, y: y, diameter: 40)
      // The part lies at the picture's left and bottom edges.
      let frame = PassFrame(
        left: 0, top: 480,
        box: Letterbox(sourceWidth: 640, sourceHeight: 480, width: 320, height: 240),
        pictureWidth: 1280, pictureHeight: 960)
      #expect(maps.decoded(frame: frame).coins.count == (isKept ? 1 : 0), "\(x), \(y)")
    }
  }

  @Test func circlesInTheGreyBorderAreNothing() {
    var maps = TestMaps()
    maps.put(x: 20, y: 120, diameter: 40)
    let frame = PassFrame(
      left: 0, top: 0,
      box: Letterbox(sourceWidth: 240, sourceHeight: 240, width: 320, height: 240),
      pictureWidth: 240, pictureHeight: 240)
    #expect(maps.decoded(frame: frame).coins.isEmpty)
  }
}
