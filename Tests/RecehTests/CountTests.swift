import Foundation
import Pictures
import TestSupport
import Testing

@Suite struct CountTests {
  let fixture: CountFixture

  init() throws {
    fixture = try CountFixture()
  }

  @Test func coinsAreFoundNamedAndSummedUp() throws {
    let result = try fixture.count("--json", fixture.picture)
    #expect(result.status == 0)
    #expect(result.complaints.isEmpty)
    #expect(result.lines.count == 1)
    let line = try CountFixture.parsed(result.lines.first)
    #expect(line.file == fixture.picture)
    #expect(line.total == 600)
    #expect(line.unsure == 1)
    #expect(line.coins.map(\.value) == [100, 500, 0])
    #expect(line.coins.count == 3)
    for (coin, place) in zip(line.coins, [(200, 120), (450, 300), (150, 350)]) {
      #expect(coin.isNear(place.0, place.1), "\(coin)")
      #expect(coin.confidence >= 0 && coin.confidence <= 1)
      #expect(coin.diameter > 0)
      #expect(coin.withdrawn == nil)
    }
  }

  @Test func theSamePictureGivesTheSameBytes() throws {
    let first = try fixture.count("--json", fixture.picture, fixture.picture)
    let second = try fixture.count("--json", fixture.picture)
    #expect(first.lines.count == 2)
    #expect(first.output == second.output + second.output)
  }

  @Test func peopleGetATable() throws {
    let result = try fixture.count(fixture.picture)
    #expect(result.status == 0)
    #expect(result.lines.first == fixture.picture)
    #expect(result.lines.count == 6)
    #expect(result.lines.last?.hasPrefix("Total Rp600 (3 ") == true)
  }

  @Test func aTurnedPhotographIsCountedUpright() throws {
    let stored = try DiscPicture.jpeg(CountFixture.discs)
    let turned = JPEGBytes.file(stored, with: exifSegment(orientation: 6))
    let path = try fixture.folder.file("turned.jpg", turned)
    let result = try fixture.count("--json", path)
    let line = try CountFixture.parsed(result.lines.first)
    // A quarter clockwise: stored (x, y) of 480 rows stands at (480 - y, x).
    for place in [(480 - 120, 200), (480 - 300, 450), (480 - 350, 150)] {
      #expect(line.coins.contains { $0.isNear(place.0, place.1) }, "\(place) of \(line)")
    }
  }

  @Test func coinsWithdrawnFromCirculationAreMarkedAndLeftOut() throws {
    var model = DiscModel.model
    model.labels[0] = TestModel.Label(
      name: "100-old", value: 100, diameter: 23, isWithdrawn: true)
    let path = try fixture.folder.file("old.model", model.bytes())
    let result = try Command.run("count", "--model", path, "--json", fixture.picture)
    let line = try CountFixture.parsed(result.lines.first)
    #expect(line.total == 500)
    #expect(line.coins.map(\.withdrawn) == [true, nil, nil])
    #expect(line.coins.map(\.value) == [100, 500, 0])
  }

  @Test func aBadPictureCostsOneLineAndTheOthersAreCounted() throws {
    let short = try fixture.folder.file(
      "short.png", Array(DiscPicture.png([], width: 20, height: 20).dropLast(30)))
    let result = try fixture.count("--json", fixture.picture, short, fixture.picture)
    #expect(result.status == 1)
    #expect(result.lines.count == 2)
    #expect(
      result.complaints == ["receh count: \(short): ends before its picture does; copy it again"])
  }

  @Test func everyKindOfBadFileIsOneLineNamingIt() throws {
    let folder = fixture.folder
    let jpeg = try DiscPicture.jpeg([], width: 30, height: 20)
    let png = DiscPicture.png([], width: 30, height: 20)
    var broken = png
    broken[50] ^= 0xff
    var huge = jpeg
    let frame = try #require(JPEGBytes.offset(of: 0xc0, in: jpeg))
    huge.replaceSubrange(frame + 5..<frame + 9, with: [0xff, 0xff, 0xff, 0xff])
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let cases = [
      (folder.path + "/missing.jpg", "No such file"), (folder.path, "is a folder"),
      ("/dev/zero", "is a device or a pipe"), (pipe, "is a device or a pipe"),
      (try folder.file("empty.png", []), "is empty"),
      (try folder.file("words.jpg", Array("not a picture".utf8)), "not a picture"),
      (try folder.file("gif.png", Array("GIF89a".utf8)), "is a GIF file"),
      (try folder.file("half.jpg", Array(jpeg.prefix(jpeg.count / 2))), "ends before"),
      (try folder.file("broken.png", broken), "is damaged ("),
      (try folder.file("huge.jpg", huge), "claims 65535 x 65535 pixels"),
    ]
    for (path, fault) in cases {
      let result = try fixture.count("--json", path)
      #expect(result.status == 1, "\(path)")
      #expect(result.output.isEmpty)
      #expect(result.complaints.count == 1)
      let line = result.complaints.first ?? ""
      #expect(line.hasPrefix("receh count: \(path): "), "\(line)")
      #expect(line.contains(fault) && line.contains("; "), "\(line)")
    }
  }

  @Test func aFileNameOfAnyBytesIsValidJSON() throws {
    let name = Array(fixture.folder.path.utf8) + Array("/q\"\\\n".utf8) + [0xff]
    let copied = name.map(CChar.init(bitPattern:)) + [0]
    #expect(link(fixture.picture, copied) == 0)
    let words = ["count", "--model", fixture.model, "--json"].map { Array($0.utf8) }
    let result = try Command.run(words + [name])
    #expect(result.status == 0)
    let line = try CountFixture.parsed(result.lines.first)
    #expect(line.file == String(decoding: name, as: UTF8.self))
    let table = try Command.run(
      ["count", "--model", fixture.model].map { Array($0.utf8) } + [name])
    #expect(table.lines.first == fixture.folder.path + #"/q"\\x0a\xff"#)
  }

  @Test func wordsAfterTwoDashesAreNoOptions() throws {
    let result = try fixture.count("--json", "--", "--json")
    #expect(result.status == 1)
    #expect(result.complaints.first?.contains("--json: cannot be opened") == true)
  }

  @Test func theBuiltInModelFindsNothingOnPlainGround() throws {
    let path = try fixture.folder.file(
      "plain.jpg", try JPEGBytes.grey(width: 640, height: 480, level: 128))
    let result = try Command.run(
      "count", "--config", fixture.configuration, "--json", path)
    #expect(result.status == 0)
    #expect(result.complaints.isEmpty)
    let line = try CountFixture.parsed(result.lines.first)
    #expect(line == CountFixture.Line(file: path, total: 0, unsure: 0, coins: []))
  }

  @Test func aPictureOfOnePixelHasNoCoins() throws {
    let path = try fixture.folder.file("one.png", DiscPicture.png([], width: 1, height: 1))
    let result = try fixture.count("--json", path)
    #expect(result.status == 0)
    #expect(try CountFixture.parsed(result.lines.first).coins == [])
  }

  @Test func moreThanFiftyMegapixelsAreCounted() throws {
    let jpeg = try JPEGBytes.grey(width: 9000, height: 7000, level: 20)
    let path = try fixture.folder.file("large.jpg", jpeg)
    let result = try fixture.count("--json", path)
    #expect(result.status == 0)
    #expect(try CountFixture.parsed(result.lines.first).total == 0)
  }

  @Test func outputThatCannotBeWrittenIsAFailure() throws {
    let result = try fixture.count("--json", fixture.picture, output: "/dev/full")
    #expect(result.status == 1)
    #expect(result.complaints.count == 1)
    #expect(result.complaints.first?.contains("standard output") == true)
  }
}
