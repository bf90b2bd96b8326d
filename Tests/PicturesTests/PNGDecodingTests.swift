import Pictures
import TestSupport
import Testing

/// A sample that differs with place and channel.
private func pattern(_ x: Int, _ y: Int, _ channel: Int) -> Int {
  (31 * x + 57 * y + 101 * channel) % 256
}

@Suite struct PNGDecodingTests {
  @Test(arguments: [(1, 1), (1, 7), (9, 1), (13, 11), (64, 3)], [false, true])
  func colourIsDecodedExactly(size: (Int, Int), isInterlaced: Bool) throws {
    let png = PNGBytes(width: size.0, height: size.1, isInterlaced: isInterlaced)
    let decoded = try Decoded(png.file(pattern))
    #expect(decoded.distance(width: size.0, height: size.1, pattern) == 0)
    #expect(decoded.reduction == Reduction(numerator: 1, denominator: 1))
  }

  @Test(arguments: [1, 2, 4, 8, 16], [false, true])
  func greyOfEveryDepthBecomesColour(depth: Int, isInterlaced: Bool) throws {
    let largest = (1 << depth) - 1
    let png = PNGBytes(
      width: 19, height: 10, color: .grey, depth: depth, isInterlaced: isInterlaced)
    let decoded = try Decoded(png.file { x, y, _ in (x * 3 + y * 7) * 977 & largest })
    let distance = decoded.distance(width: 19, height: 10) { x, y, _ in
      (((x * 3 + y * 7) * 977 & largest) * 255 + largest / 2) / largest
    }
    #expect(distance == 0)
  }

  @Test func sixteenBitColourIsRoundedToEight() throws {
    let png = PNGBytes(width: 8, height: 8, depth: 16)
    let decoded = try Decoded(png.file { x, y, channel in x * 8191 + y * 997 + channel })
    let distance = decoded.distance(width: 8, height: 8) { x, y, channel in
      ((x * 8191 + y * 997 + channel) * 255 + 32767) / 65535
    }
    #expect(distance == 0)
  }

  @Test(arguments: [1, 2, 4, 8])
  func aPaletteIsLookedUp(depth: Int) throws {
    let count = 1 << depth
    let colours: [UInt8] = (0..<3 * count).map { UInt8($0 * 83 % 256) }
    let png = PNGBytes(
      width: 17, height: 5, color: .palette, depth: depth, before: [("PLTE", colours)])
    let decoded = try Decoded(png.file { x, y, _ in (x + y) % count })
    let distance = decoded.distance(width: 17, height: 5) { x, y, channel in
      Int(colours[3 * ((x + y) % count) + channel])
    }
    #expect(distance == 0)
  }

  @Test func opacityIsLaidOnWhite() throws {
    let png = PNGBytes(width: 16, height: 16, color: .rgbOpacity)
    let decoded = try Decoded(
      png.file { x, y, channel in channel == 3 ? x * 17 : pattern(x, y, channel) })
    let distance = decoded.distance(width: 16, height: 16) { x, y, channel in
      (pattern(x, y, channel) * x * 17 + 255 * (255 - x * 17) + 127) / 255
    }
    #expect(distance == 0)
  }

  @Test func greyWithOpacityOfSixteenBitsIsLaidOnWhite() throws {
    let png = PNGBytes(width: 16, height: 1, color: .greyOpacity, depth: 16)
    let decoded = try Decoded(png.file { x, _, channel in channel == 0 ? 0 : x * 4369 })
    let distance = decoded.distance(width: 16, height: 1) { x, _, _ in 255 - x * 17 }
    #expect(distance == 0)
  }

  @Test func aTransparentPaletteEntryIsWhite() throws {
    let png = PNGBytes(
      width: 2, height: 1, color: .palette,
      before: [("PLTE", [10, 20, 30, 40, 50, 60]), ("tRNS", [255, 0])])
    let decoded = try Decoded(png.file { x, _, _ in x })
    #expect(decoded.pixels == [[10, 20, 30], [255, 255, 255]])
  }

  @Test func aTransparentColourIsWhite() throws {
    let png = PNGBytes(width: 2, height: 1, before: [("tRNS", [0, 0, 0, 1, 0, 2])])
    let decoded = try Decoded(png.file { x, _, channel in x == 0 ? channel : 7 })
    #expect(decoded.pixels == [[255, 255, 255], [7, 7, 7]])
  }

  @Test(arguments: [false, true], 1...8)
  func orientationIsObeyedBeforeAndAfterThePixels(isAfter: Bool, orientation: Int) throws {
    var png = PNGBytes(width: 3, height: 2)
    let chunk = (name: "eXIf", data: exif(orientation: orientation))
    if isAfter { png.after = [chunk] } else { png.before = [chunk] }
    let decoded = try Decoded(png.file(pattern))
    let upright = try Decoded(PNGBytes(width: 3, height: 2).file(pattern))
    #expect(decoded == upright.turned(from: orientation))
  }

  @Test func aLargePictureIsAveragedWhileItIsDecoded() throws {
    var limits = PictureLimits()
    limits.decodedPixels = 24
    let decoded = try Decoded(PNGBytes(width: 14, height: 10).file(pattern), limits: limits)
    #expect(decoded.reduction == Reduction(numerator: 3, denominator: 1))
    let distance = decoded.distance(width: 5, height: 4) { x, y, channel in
      let samples = (3 * y..<min(3 * y + 3, 10)).flatMap { row in
        (3 * x..<min(3 * x + 3, 14)).map { pattern($0, row, channel) }
      }
      return (samples.reduce(0, +) + samples.count / 2) / samples.count
    }
    #expect(distance == 0)
    #expect(decoded.reduction.inFile(2) == 6)
  }

  @Test func aLargeInterlacedPictureIsThinnedByAPowerOfTwo() throws {
    var limits = PictureLimits()
    limits.decodedPixels = 24
    let png = PNGBytes(width: 14, height: 10, isInterlaced: true)
    let decoded = try Decoded(png.file(pattern), limits: limits)
    #expect(decoded.reduction == Reduction(numerator: 4, denominator: 1))
    #expect(decoded.distance(width: 4, height: 3) { pattern(4 * $0, 4 * $1, $2) } == 0)
  }

  @Test(arguments: [false, true])
  func everyShorterFileIsTruncated(isInterlaced: Bool) throws {
    let file = PNGBytes(width: 9, height: 9, isInterlaced: isInterlaced).file(pattern)
    for count in 8..<file.count {
      #expect(failure(of: Array(file[..<count]))?.name == "isTruncated", "\(count) bytes")
    }
  }

  @Test func everyDamagedByteIsFound() throws {
    let file = PNGBytes(width: 5, height: 4).file(pattern)
    for index in 8..<file.count {
      var damaged = file
      damaged[index] ^= 0x40
      #expect(failure(of: damaged) != nil, "byte \(index)")
    }
  }

  @Test func missingRowsAreDamageEvenInAWellFormedFile() throws {
    let png = PNGBytes(width: 5, height: 4)
    let file =
      PNGBytes.mark + chunk("IHDR", png.headerData)
      + chunk("IDAT", PNGBytes.stored([UInt8](repeating: 0, count: 3 * 16))) + chunk("IEND", [])
    #expect(failure(of: file)?.name == "isDamaged")
  }

  @Test func aBombIsRefusedBeforeMemoryIsTaken() {
    let png = PNGBytes(width: 900_000, height: 900_000)
    let file =
      PNGBytes.mark + chunk("IHDR", png.headerData) + chunk("IDAT", PNGBytes.stored([0]))
      + chunk("IEND", [])
    #expect(failure(of: file)?.name == "tooManyPixels")
  }

  @Test func sizesNoDecoderTakesAreDamage() {
    for size in [(0, 1), (1, 0), (0x7fff_ffff, 0x7fff_ffff), (2_000_000, 1)] {
      let png = PNGBytes(width: size.0, height: size.1)
      let file = PNGBytes.mark + chunk("IHDR", png.headerData) + chunk("IEND", [])
      #expect(failure(of: file)?.name == "isDamaged", "\(size)")
    }
  }
}
