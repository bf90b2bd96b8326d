import Foundation
import Pictures
import TestSupport
import Testing

@Suite struct PictureFileTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// What reading the file at `path` throws, or `nil` when it is a picture.
  private func failure(at path: String, limits: PictureLimits = PictureLimits()) -> PictureError? {
    do {
      let picture = try Picture(contentsOf: path, limits: limits)
      #expect(picture.width > 0)
      return nil
    } catch {
      return error
    }
  }

  @Test func theContentDecidesNotTheName() throws {
    let png = PNGBytes(width: 2, height: 2).file { x, _, _ in x }
    #expect(failure(at: try folder.file("a.jpg", png)) == nil)
  }

  @Test func aMissingFileIsNamedByItsErrorNumber() {
    guard case .cannotOpen(let code) = failure(at: folder.path + "/none.jpg") else {
      Issue.record("not a failure to open")
      return
    }
    #expect(code == ENOENT)
  }

  @Test func aFolderIsNoPicture() {
    #expect(failure(at: folder.path)?.name == "isDirectory")
  }

  @Test func anEmptyFileIsNoPicture() throws {
    #expect(failure(at: try folder.file("a.jpg", []))?.name == "isEmpty")
  }

  @Test func aPipeWithoutWriterIsRefusedWithoutWaiting() throws {
    let path = folder.path + "/pipe.jpg"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(failure(at: path)?.name == "isNotFile")
  }

  @Test func aDeviceWithoutEndIsRefused() {
    #expect(failure(at: "/dev/zero")?.name == "isNotFile")
  }

  @Test func aFileLargerThanTheLimitIsNotRead() throws {
    let path = try folder.file("a.jpg", [0xff, 0xd8, 0xff])
    #expect(truncate(path, 1 << 40) == 0)
    #expect(failure(at: path)?.name == "fileTooLarge")
  }

  @Test(arguments: [
    ("heic", "\0\0\0\u{18}ftypheic"), ("heic", "\0\0\0\u{18}ftypmif1"),
    ("avif", "\0\0\0\u{1c}ftypavif"), ("webp", "RIFF....WEBPVP8 "), ("gif", "GIF89a"),
    ("bitmap", "BM......"), ("tiff", "II*\0"), ("tiff", "MM\0*"), ("pdf", "%PDF-1.7"),
  ])
  func anotherFormatIsNamed(name: String, content: String) throws {
    guard case .unsupported(let format) = failure(at: try folder.file("a.jpg", Array(content.utf8)))
    else {
      Issue.record("not told from a picture")
      return
    }
    #expect("\(format)" == name)
  }

  @Test(arguments: ["x", "hello, world", "\u{7f}ELF", "ftyp", "<svg>"])
  func anythingElseIsNoPicture(content: String) throws {
    #expect(failure(at: try folder.file("a.png", Array(content.utf8)))?.name == "notPicture")
  }

  @Test func aPictureSurvivesWritingAndReading() throws {
    let original = try Picture(
      decoding: PNGBytes(width: 37, height: 21).file { x, y, c in (x * y + c * 90) % 256 }.span)
    let path = folder.path + "/out.png"
    try original.write(png: path)
    let copy = try Picture(contentsOf: path)
    #expect(Decoded(copy) == Decoded(original))
  }

  @Test func aFullDiskIsToldByItsErrorNumber() throws {
    let picture = try Picture(decoding: PNGBytes(width: 1, height: 1).file { _, _, _ in 0 }.span)
    do {
      try picture.write(png: "/dev/full")
      Issue.record("written to a full disk")
    } catch {
      guard case .cannotWrite(let code) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(code == ENOSPC)
    }
  }

  @Test func aFolderIsNotOverwritten() throws {
    let picture = try Picture(decoding: PNGBytes(width: 1, height: 1).file { _, _, _ in 0 }.span)
    #expect(throws: PictureError.self) { try picture.write(png: folder.path) }
  }
}
