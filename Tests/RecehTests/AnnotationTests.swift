import Detection
import Frames
import Pictures
import TestSupport
import Testing

@testable import receh

private func coin(_ value: Int32, x: Float, y: Float, isWithdrawn: Bool = false) -> Detection {
  Detection(
    x: x, y: y, diameter: 90, value: value, isWithdrawn: isWithdrawn, confidence: 1,
    posterior: InlineArray(repeating: 0))
}

/// A grey picture with coins drawn in, as rows of red, green, blue.
private func annotated(
  _ coins: [Detection], width: Int, height: Int, total: Int = 600, unsure: Int = 0,
  countsWithdrawn: Bool = false
) throws -> [[[UInt8]]] {
  let file = PNGBytes(width: width, height: height).file { _, _, _ in 128 }
  var picture = try Picture(decoding: file.span)
  var list = DetectionList(filler: .none)
  for coin in coins { list.append(coin) }
  picture.annotate(list, total: total, unsure: unsure, countsWithdrawn: countsWithdrawn)
  return picture.withView { view in
    (0..<height).map { y in
      (0..<width).map { x in (0..<3).map { view.base[y * view.stride + 3 * x + $0] } }
    }
  }
}

private let green: [UInt8] = [60, 230, 90]
private let amber: [UInt8] = [255, 176, 0]
private let blue: [UInt8] = [86, 180, 233]

@Suite struct AnnotationTests {
  @Test func theOutlineStandsWhereTheCoinIs() throws {
    let rows = try annotated([coin(500, x: 200, y: 150)], width: 400, height: 300)
    for (x, y) in [(155, 150), (244, 150), (200, 105), (200, 194)] {
      #expect(rows[y][x] == green, "\(x), \(y)")
    }
    #expect(rows[105][155] == [128, 128, 128])
    #expect(rows[120][200] == [128, 128, 128])
  }

  @Test func theColourTellsWhatCounts() throws {
    let coins = [
      coin(500, x: 70, y: 200), coin(0, x: 200, y: 200),
      coin(500, x: 330, y: 200, isWithdrawn: true),
    ]
    let rows = try annotated(coins, width: 400, height: 300)
    #expect([25, 155, 285].map { rows[200][$0] } == [green, amber, blue])
    let counting = try annotated(coins, width: 400, height: 300, countsWithdrawn: true)
    #expect([25, 155, 285].map { counting[200][$0] } == [green, amber, green])
  }

  @Test func theValueStandsInTheCoin() throws {
    let looks = try [Int32(0), 50, 100, 200, 500, 1000].map { value in
      let rows = try annotated([coin(value, x: 200, y: 150)], width: 400, height: 300)
      return (140..<160).map { Array(rows[$0][170..<230]) }
    }
    for (index, look) in looks.enumerated() {
      #expect(look.joined().contains { $0 != [128, 128, 128] })
      #expect(!looks[..<index].contains(look))
    }
  }

  @Test func theTotalStandsAtTheTopLeft() throws {
    func corner(total: Int, unsure: Int) throws -> [[[UInt8]]] {
      try annotated([], width: 400, height: 300, total: total, unsure: unsure)[..<40].map { $0 }
    }
    let looks = try [(0, 0), (600, 0), (1600, 0), (1600, 1), (1600, 2)].map(corner)
    for (index, look) in looks.enumerated() {
      #expect(look.joined().contains([255, 255, 255]))
      #expect(!looks[..<index].contains(look))
    }
  }

  @Test(arguments: [(1, 1), (1, 500), (500, 1), (7, 9), (30, 400)])
  func picturesTooSmallForLettersAreAnnotatedAllTheSame(width: Int, height: Int) throws {
    let rows = try annotated(
      [coin(1000, x: Float(width) / 2, y: Float(height) / 2)], width: width, height: height,
      total: 64_000, unsure: 64)
    #expect(rows.count == height)
  }

  @Test(arguments: [Float.infinity, -.infinity, .greatestFiniteMagnitude])
  func coinsFarOutsideAreNotDrawn(place: Float) throws {
    let rows = try annotated([coin(500, x: place, y: place)], width: 40, height: 30)
    #expect(rows[29][39] == [128, 128, 128])
  }
}
