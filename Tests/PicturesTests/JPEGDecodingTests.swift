import CTurboJPEG
import Pictures
import TestSupport
import Testing

/// Smooth colours, which JPEG keeps within a few levels.
private func gradient(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
  UInt8((channel == 0 ? 2 * x : channel == 1 ? 2 * y : x + y) % 256)
}

@Suite struct JPEGDecodingTests {
  @Test(arguments: [(1, 1), (1, 9), (17, 1), (50, 40)])
  func colourIsDecoded(size: (Int, Int)) throws {
    let file = try JPEGBytes.file(width: size.0, height: size.1, gradient)
    let distance = try Decoded(file).distance(width: size.0, height: size.1) { x, y, channel in
      Int(gradient(x, y, channel))
    }
    #expect(distance <= 6)
  }

  @Test(arguments: [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411], [0, 1])
  func everySubsamplingIsDecodedProgressiveOrNot(subsampling: TJSAMP, progressive: Int32) throws {
    let file = try JPEGBytes.file(
      width: 45, height: 37, subsampling: subsampling,
      flags: progressive * Int32(TJFLAG_PROGRESSIVE), gradient)
    let distance = try Decoded(file).distance(width: 45, height: 37) { x, y, channel in
      Int(gradient(x, y, channel))
    }
    #expect(distance <= 12)
  }

  @Test func greyBecomesColour() throws {
    let file = try JPEGBytes.file(
      width: 20, height: 20, format: TJPF_GRAY, subsampling: TJSAMP_GRAY
    ) { x, y, _ in UInt8(6 * x + 5 * y) }
    let distance = try Decoded(file).distance(width: 20, height: 20) { x, y, _ in 6 * x + 5 * y }
    #expect(distance <= 4)
  }

  @Test func inksOfAdobeProgramsAreOpposite() throws {
    let file = try JPEGBytes.file(width: 24, height: 24, format: TJPF_CMYK) { _, _, channel in
      channel == 3 ? 128 : 255 - UInt8(80 * channel)
    }
    #expect(JPEGBytes.offset(of: 0xee, in: file) != nil)
    let distance = try Decoded(file).distance(width: 24, height: 24) { _, _, channel in
      (255 - 80 * channel) * 128 / 255
    }
    #expect(distance <= 4)
  }

  @Test func inksWithoutAdobesMarkerAreAsTheySay() throws {
    // Without the marker nothing says YCCK: the samples are the inks themselves.
    let marked = try JPEGBytes.file(
      width: 16, height: 16, format: TJPF_CMYK, subsampling: TJSAMP_444
    ) { _, _, channel in channel == 3 ? 55 : 255 }
    let plain = JPEGBytes.file(marked, without: 0xee)
    // All colour in YCCK is luminance 0 and chrominance 128: now no cyan, half magenta and yellow.
    let decoded = try Decoded(plain)
    let distance = decoded.distance(width: 16, height: 16) { _, _, channel in
      [255, 127, 127][channel] * 200 / 255
    }
    #expect(distance <= 3)
  }

  @Test(arguments: 1...8, [false, true])
  func orientationIsObeyed(orientation: Int, isBigEndian: Bool) throws {
    let plain = try JPEGBytes.file(width: 40, height: 24, gradient)
    let turned = JPEGBytes.file(
      plain, with: exifSegment(orientation: orientation, isBigEndian: isBigEndian))
    #expect(try Decoded(turned) == Decoded(plain).turned(from: orientation))
  }

  @Test(arguments: [0, 9, 65535])
  func anImpossibleOrientationMeansUpright(orientation: Int) throws {
    let plain = try JPEGBytes.file(width: 10, height: 4, gradient)
    let strange = JPEGBytes.file(plain, with: exifSegment(orientation: orientation))
    #expect(try Decoded(strange) == Decoded(plain))
  }

  @Test func damagedExifNeverCostsThePicture() throws {
    let plain = try JPEGBytes.file(width: 10, height: 4, gradient)
    let block = exif(orientation: 6)
    var dice = Dice(state: 1)
    for _ in 0..<500 {
      var damaged = block
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        damaged[Int.random(in: 0..<damaged.count, using: &dice)] =
          UInt8.random(in: 0...255, using: &dice)
      }
      damaged.removeLast(Int.random(in: 0...damaged.count, using: &dice))
      let segment = JPEGBytes.segment(0xe1, Array("Exif\0\0".utf8) + damaged)
      let decoded = try Decoded(JPEGBytes.file(plain, with: segment))
      #expect(decoded.width * decoded.height == 40)
    }
  }

  @Test func aLargePictureIsDecodedSmaller() throws {
    let file = try JPEGBytes.file(width: 101, height: 80, gradient)
    var limits = PictureLimits()
    limits.decodedPixels = 101 * 80 / 4 + 100
    let decoded = try Decoded(file, limits: limits)
    #expect(decoded.reduction == Reduction(numerator: 2, denominator: 1))
    let distance = decoded.distance(width: 51, height: 40) { x, y, channel in
      Int(gradient(min(2 * x, 100), 2 * y, channel))
    }
    #expect(distance <= 8)
  }

  @Test func everyShorterFileIsTruncated() throws {
    let file = try JPEGBytes.file(width: 33, height: 20, gradient)
    for count in 3..<file.count {
      #expect(failure(of: Array(file[..<count]))?.name == "isTruncated", "\(count) bytes")
    }
  }

  @Test func everyShorterProgressiveFileIsTruncated() throws {
    let file = try JPEGBytes.file(
      width: 33, height: 20, flags: Int32(TJFLAG_PROGRESSIVE), gradient)
    for count in stride(from: 3, to: file.count, by: 3) {
      #expect(failure(of: Array(file[..<count])) != nil, "\(count) bytes")
    }
  }

  @Test func extraneousBytesBeforeTheEndAreHarmless() throws {
    let file = try JPEGBytes.file(width: 33, height: 20, gradient)
    let padded = Array(file.dropLast(2)) + [1, 2, 3] + Array(file.suffix(2))
    #expect(try Decoded(padded) == Decoded(file))
    #expect(failure(of: Array(padded.dropLast(2)))?.name == "isTruncated")
  }

  @Test func manyExtraneousBytesBeforeTheEndAreDamage() throws {
    let file = try JPEGBytes.file(width: 33, height: 20, gradient)
    let padded = Array(file.dropLast(2)) + [UInt8](repeating: 1, count: 100) + Array(file.suffix(2))
    #expect(failure(of: padded)?.name == "isDamaged")
    // As many bytes are left over when the header claims fewer rows than there are.
    var lowered = try JPEGBytes.file(width: 64, height: 64, gradient)
    let frame = try #require(JPEGBytes.offset(of: 0xc0, in: lowered))
    lowered[frame + 6] = 16
    #expect(failure(of: lowered)?.name == "isDamaged")
  }

  @Test func anUnknownVersionIsHarmlessAndHidesNoDamage() throws {
    let file = try JPEGBytes.file(width: 64, height: 64, gradient)
    var renumbered = file
    renumbered[try #require(JPEGBytes.offset(of: 0xe0, in: file)) + 9] = 2
    #expect(try Decoded(renumbered) == Decoded(file))
    renumbered[try #require(JPEGBytes.offset(of: 0xc0, in: file)) + 6] = 16
    #expect(failure(of: renumbered)?.name == "isDamaged")
  }

  @Test func anUnknownTransformOfInksIsHarmlessAndHidesNoDamage() throws {
    let file = try JPEGBytes.file(width: 64, height: 64, format: TJPF_CMYK, gradient)
    var unknown = file
    unknown[try #require(JPEGBytes.offset(of: 0xee, in: file)) + 15] = 9
    #expect(try Decoded(unknown) == Decoded(file))
    unknown[try #require(JPEGBytes.offset(of: 0xc0, in: file)) + 6] = 16
    #expect(failure(of: unknown)?.name == "isDamaged")
  }

  @Test func bytesBeforeARestartMarkerAreDamage() throws {
    // With a restart after every block, the scan of one block can be said again and again.
    let block = try JPEGBytes.grey(width: 8, height: 8, level: 90)
    let scan = try #require(JPEGBytes.offset(of: 0xda, in: block))
    let frame = try #require(JPEGBytes.offset(of: 0xc0, in: block))
    let pixels = Array(block[(scan + 2 + Int(block[scan + 3]))...].dropLast(2))
    var head = Array(block[..<(block.count - pixels.count - 2)])
    head[frame + 8] = 24  // columns
    head = JPEGBytes.file(head, with: JPEGBytes.segment(0xdd, [0, 1]))
    func file(_ lost: [UInt8]) -> [UInt8] {
      head + pixels + [0xff, 0xd0] + pixels + lost + [0xff, 0xd1] + pixels + [0xff, 0xd9]
    }
    #expect(failure(of: file([])) == nil)
    #expect(try Decoded(file([])).width == 24)
    let lost = [UInt8](repeating: 1, count: 14)
    #expect(failure(of: file(lost))?.name == "isDamaged")
  }

  @Test func bytesAfterTheEndAreHarmless() throws {
    let file = try JPEGBytes.file(width: 12, height: 12, gradient)
    #expect(try Decoded(file + [UInt8](repeating: 7, count: 1000)) == Decoded(file))
  }

  @Test func aProgressiveBombIsRefusedBeforeMemoryIsTaken() throws {
    var file = try JPEGBytes.file(
      width: 16, height: 16, flags: Int32(TJFLAG_PROGRESSIVE), gradient)
    let frame = try #require(JPEGBytes.offset(of: 0xc2, in: file))
    file.replaceSubrange(frame + 5..<frame + 9, with: [0x4e, 0x20, 0x4e, 0x20])  // 20,000 square
    #expect(failure(of: file)?.name == "takesTooMuchMemory")
    file.replaceSubrange(frame + 5..<frame + 9, with: [0xff, 0xdc, 0xff, 0xdc])
    #expect(failure(of: file)?.name == "tooManyPixels")
  }

  @Test func aFrameWithoutSizeIsDamage() throws {
    var file = try JPEGBytes.file(width: 16, height: 16, gradient)
    let frame = try #require(JPEGBytes.offset(of: 0xc0, in: file))
    file.replaceSubrange(frame + 5..<frame + 7, with: [0, 0])
    #expect(failure(of: file)?.name == "isDamaged")
  }

  @Test func zeroSamplingFactorsAreDamage() throws {
    var file = try JPEGBytes.file(width: 16, height: 16, gradient)
    let frame = try #require(JPEGBytes.offset(of: 0xc0, in: file))
    for component in 0..<3 { file[frame + 11 + 3 * component] = 0 }
    #expect(failure(of: file)?.name == "isDamaged")
  }
}
