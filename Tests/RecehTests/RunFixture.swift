import Foundation
import TestSupport
import Testing

/// A folder with the model of discs, to which frames are added, and runs of `receh run` in it.
final class RunFixture {
  /// Rp100, bright enough to be found in one look.
  static let red = Disc(x: 200, y: 120, colour: (1.0, 0.5, 0.5))
  static let green = Disc(x: 450, y: 300, colour: Disc.green)
  static let grey = Disc(x: 150, y: 350, colour: Disc.grey)

  let folder: TemporaryFolder
  let model: String
  /// The folder of frames.
  let frames: String
  private var count = 0

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.file("discs.model", DiscModel.model.bytes())
    frames = folder.path + "/frames"
    try FileManager.default.createDirectory(atPath: frames, withIntermediateDirectories: true)
  }

  /// Adds frames that all show the same discs: `1.jpg`, `2.jpg` and so on.
  func show(_ discs: [Disc], frames number: Int) throws {
    try add(try DiscPicture.jpeg(discs), frames: number)
  }

  /// Adds frames of any content.
  func add(_ bytes: [UInt8], frames number: Int = 1) throws {
    for _ in 0..<number {
      count += 1
      _ = try folder.file("frames/\(count).jpg", bytes)
    }
  }

  /// Writes a video of frames that each show some discs; returns its path.
  func video(_ shown: [[Disc]], width: Int = 640, height: Int = 480) throws -> String {
    var bytes = Array("YUV4MPEG2 W\(width) H\(height) F20:1 Ip C444 XCOLORRANGE=FULL\n".utf8)
    for discs in shown {
      let samples = DiscPicture.samples(discs, width: width, height: height)
      var planes = [UInt8](repeating: 0, count: samples.count)
      for pixel in 0..<width * height {
        let red = Double(samples[3 * pixel])
        let green = Double(samples[3 * pixel + 1])
        let blue = Double(samples[3 * pixel + 2])
        let luma = 0.299 * red + 0.587 * green + 0.114 * blue
        planes[pixel] = UInt8(luma)
        planes[width * height + pixel] = UInt8(min(255, 128 + (blue - luma) * 0.564))
        planes[2 * width * height + pixel] = UInt8(min(255, 128 + (red - luma) * 0.713))
      }
      bytes += Array("FRAME\n".utf8) + planes
    }
    return try folder.file("video.y4m", bytes)
  }

  /// Runs `receh run` with the model of discs.
  func run(
    _ arguments: [String], output: String? = nil, executable: String? = nil,
    variables: [String: String] = [:]
  ) throws -> Command.Result {
    try Command.run(
      (["run", "--model", model] + arguments).map { Array($0.utf8) }, output: output,
      executable: executable, variables: variables)
  }

  /// Runs over the folder's frames without voice, and returns the events.
  func events(_ arguments: String...) throws -> [Event] {
    let result = try run(["--source", frames, "--json", "--no-voice"] + arguments)
    return try Self.events(result)
  }

  /// Takes a run's lines apart.
  static func events(_ result: Command.Result) throws -> [Event] {
    try result.lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
  }

  /// An event of the contract.
  struct Event: Decodable, Equatable {
    var event: String
    var frame: Int
    var ms: Int
    var total: Int?
    var coins: Int?
    var unsure: Int?
    var value: Int?
    var id: Int?
    var part: String?
    var why: String?
    var kind: String?
    var sequence: Int?
    var session_total: Int?
    var price: Int?
    var missing: Int?
    var change: Int?
    var mode: String?
  }
}
