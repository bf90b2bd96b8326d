import Foundation
import Pictures
import TestSupport
import Testing

@Suite struct CountAnnotateTests {
  let fixture: CountFixture
  let annotation: String

  init() throws {
    fixture = try CountFixture()
    annotation = fixture.folder.path + "/annotated.png"
  }

  @Test func theAnnotatedPictureShowsTheCoinsAndNothingElseChanges() throws {
    let result = try fixture.count("--json", "--annotate", annotation, fixture.picture)
    #expect(result.status == 0)
    let line = try CountFixture.parsed(result.lines.first)
    let picture = try Picture(contentsOf: annotation)
    #expect(picture.width == 640 && picture.height == 480)
    picture.withView { view in
      func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        (0..<3).map { view.base[y * view.stride + 3 * x + $0] }
      }
      for coin in line.coins {
        let colour: [UInt8] = coin.value == 0 ? [255, 176, 0] : [60, 230, 90]
        let reach = coin.diameter / 2
        // Places are rounded: the line is somewhere within two pixels.
        let left = (-2...2).map { pixel(coin.x - reach + $0, coin.y) }
        #expect(left.contains(colour), "\(coin)")
      }
      #expect(pixel(639, 479) == [20, 20, 20])
      #expect(pixel(600, 100) == [20, 20, 20])
    }
  }

  @Test func anExistingFileIsReplaced() throws {
    try Data(repeating: 7, count: 5_000_000).write(to: URL(fileURLWithPath: annotation))
    #expect(try fixture.count("--annotate", annotation, fixture.picture).status == 0)
    #expect(try Picture(contentsOf: annotation).width == 640)
  }

  @Test func onePictureAtATimeIsAnnotated() throws {
    let result = try fixture.count("--annotate", annotation, fixture.picture, fixture.picture)
    #expect(result.status == 2)
    #expect(result.complaints.count == 1)
    #expect(!FileManager.default.fileExists(atPath: annotation))
  }

  @Test func thePictureItselfIsNeverOverwritten() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: fixture.picture))
    let other = fixture.folder.path + "/link.png"
    #expect(symlink(fixture.picture, other) == 0)
    for path in [fixture.picture, other] {
      let result = try fixture.count("--annotate", path, fixture.picture)
      #expect(result.status == 2)
      #expect(result.complaints.first?.contains("would overwrite the picture itself") == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.picture)) == before)
  }

  @Test func aPictureThatFailsLeavesNoAnnotation() throws {
    let result = try fixture.count("--annotate", annotation, fixture.folder.path + "/none.jpg")
    #expect(result.status == 1)
    #expect(!FileManager.default.fileExists(atPath: annotation))
  }

  @Test func anAnnotationThatCannotBeWrittenIsAFailureAndTheCountStands() throws {
    for (path, text) in [
      ("/dev/full", "No space left on device"), (fixture.folder.path, "Is a directory"),
      (fixture.folder.path + "/none/a.png", "No such file or directory"),
    ] {
      let result = try fixture.count("--json", "--annotate", path, fixture.picture)
      #expect(result.status == 1)
      #expect(try CountFixture.parsed(result.lines.first).total == 600)
      #expect(result.complaints.count == 1)
      #expect(result.complaints.first?.contains("--annotate \(path): ") == true)
      #expect(result.complaints.first?.contains(text) == true)
    }
  }
}
