import CTurboJPEG
import Pictures
import TestSupport
import Testing

/// Files changed at random: each gives a picture within the limits or an error, never a crash.
@Suite struct HostileFileTests {
  private static let limits: PictureLimits = {
    var limits = PictureLimits()
    limits.filePixels = 1 << 16
    limits.decodedPixels = 1 << 10
    return limits
  }()

  private func survive(_ file: [UInt8], seed: UInt64, rounds: Int) {
    var dice = Dice(state: seed)
    for _ in 0..<rounds {
      var changed = file
      for _ in 0..<Int.random(in: 1...8, using: &dice) {
        let index = Int.random(in: 0..<changed.count, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: changed[index] = UInt8.random(in: 0...255, using: &dice)
        case 1: changed[index] = [0, 255, 0x7f, 0x80].randomElement(using: &dice) ?? 0
        case 2: changed.remove(at: index)
        default: changed.insert(UInt8.random(in: 0...255, using: &dice), at: index)
        }
      }
      if let decoded = try? Decoded(changed, limits: Self.limits) {
        #expect(decoded.width * decoded.height <= Self.limits.decodedPixels)
        #expect(decoded.pixels.count == decoded.width * decoded.height)
      }
    }
  }

  @Test(arguments: [TJPF_RGB, TJPF_CMYK], [0, TJFLAG_PROGRESSIVE])
  func changedJPEGFilesAreSurvived(format: TJPF, flags: Int32) throws {
    let file = try JPEGBytes.file(
      width: 24, height: 17, format: format, subsampling: TJSAMP_420, flags: flags
    ) { x, y, channel in UInt8((x * y + 60 * channel) % 256) }
    let whole = JPEGBytes.file(file, with: exifSegment(orientation: 6))
    survive(whole, seed: 11, rounds: 600)
  }

  @Test(arguments: [false, true])
  func changedPNGFilesAreSurvived(isInterlaced: Bool) throws {
    let png = PNGBytes(
      width: 11, height: 9, color: .rgbOpacity, isInterlaced: isInterlaced,
      before: [("eXIf", exif(orientation: 8)), ("gAMA", [0, 0, 0xb1, 0x8f])])
    survive(png.file { x, y, channel in (x * y + 60 * channel) % 256 }, seed: 12, rounds: 600)
  }

  @Test(arguments: [false, true])
  func pngHeadersThatCheckOutAreSurvived(isInterlaced: Bool) {
    // Chunks changed before their checksum is made: the decoder behind the checksum is reached.
    var dice = Dice(state: 13)
    for _ in 0..<2000 {
      var png = PNGBytes(
        width: Int.random(in: 0...70, using: &dice), height: Int.random(in: 0...70, using: &dice),
        isInterlaced: isInterlaced)
      var header = png.headerData
      header[Int.random(in: 8..<13, using: &dice)] = UInt8.random(in: 0...17, using: &dice)
      png.before = [
        ("PLTE", (0..<3 * Int.random(in: 0...20, using: &dice)).map { UInt8($0) }),
        ("tRNS", (0..<Int.random(in: 0...20, using: &dice)).map { UInt8($0) }),
      ]
      let pixels = [UInt8](repeating: 1, count: Int.random(in: 0...20_000, using: &dice))
      let file =
        PNGBytes.mark + chunk("IHDR", header) + png.before.flatMap { chunk($0.name, $0.data) }
        + chunk("IDAT", PNGBytes.stored(pixels)) + chunk("IEND", [])
      if let decoded = try? Decoded(file, limits: Self.limits) {
        #expect(decoded.pixels.count == decoded.width * decoded.height)
      }
    }
  }
}
