import Foundation
import TestSupport
import Testing

/// A folder with the model of discs and a picture of three: Rp100, Rp500 and a foreign one.
struct CountFixture {
  static let discs = [
    Disc(x: 200, y: 120, colour: Disc.red), Disc(x: 450, y: 300, colour: Disc.green),
    Disc(x: 150, y: 350, colour: Disc.grey),
  ]

  let folder: TemporaryFolder
  let model: String
  let picture: String
  /// An empty configuration, so that one installed on this machine plays no part.
  let configuration: String

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.file("discs.model", DiscModel.model.bytes())
    picture = try folder.file("discs.png", Self.picture)
    configuration = try folder.file("empty.conf", [])
  }

  /// Encoded once: test code is slow at it.
  private static let picture = DiscPicture.png(discs)

  /// Runs `receh count` with the model of discs.
  func count(_ arguments: String..., output: String? = nil) throws -> Command.Result {
    try Command.run(
      (["count", "--model", model, "--config", configuration] + arguments).map { Array($0.utf8) },
      output: output)
  }

  /// A line of JSON taken apart.
  static func parsed(_ line: String?) throws -> Line {
    try JSONDecoder().decode(Line.self, from: Data((line ?? "").utf8))
  }

  struct Line: Decodable, Equatable {
    var file: String
    var total: Int
    var unsure: Int
    var coins: [Coin]
  }

  struct Coin: Decodable, Equatable {
    var value: Int
    var confidence: Double
    var x: Int
    var y: Int
    var diameter: Int
    var withdrawn: Bool?

    /// Whether the coin lies within a quarter of a disc's radius of a place, which is as near as
    /// the networks made by hand come.
    func isNear(_ x: Int, _ y: Int) -> Bool { abs(self.x - x) <= 8 && abs(self.y - y) <= 8 }
  }
}
