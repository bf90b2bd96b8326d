import Frames

/// Compares the vector forms of conversion, scaling, cutting and unrolling with the plain ones, over
/// random frames of every format.
public struct FrameCheck {
  /// Cases whose bytes were all the same, with nothing written outside the output.
  public private(set) var passed = 0
  /// Cases that differed.
  public private(set) var failed = 0
  /// Number of the first failed case, -1 for none: the seed and the number repeat it.
  public private(set) var firstFailure = -1

  private static let formats: [PixelFormat] = [
    .yuyv, .uyvy, .nv12, .nv21, .yu12, .yuv422p, .yuv444p, .grey, .rgb24, .bgr24,
  ]
  private static let polar = PolarUnwrap()
  /// Bytes watched after each output.
  private static let guardBytes = 96
  private static let guardValue: UInt8 = 0xA5

  /// Runs `count` cases, in turns with the widest registers there are, with those of 256 bits, and
  /// without vectors where there are processors without.
  public init(count: Int, seed: UInt64) {
    defer { RegisterWidth.limit(to: Int.max) }
    for number in 0..<count {
      RegisterWidth.limit(to: number % 3 == 0 ? Int.max : number % 3 == 1 ? 256 : 128)
      var random = RandomNumbers(seed: seed &+ UInt64(number) &* 1_000_003)
      if FrameCheck.agrees(&random) {
        passed += 1
      } else {
        failed += 1
        if firstFailure < 0 { firstFailure = number }
      }
    }
  }

  private static func agrees(_ random: inout RandomNumbers) -> Bool {
    let format = random.pick(formats)
    var width = random.oneIn(4) ? random.pick([1, 2, 3, 640]) : random.int(1...200)
    var height = random.oneIn(4) ? random.pick([1, 2, 3, 48]) : random.int(1...60)
    // A thread, of which one output pixel covers more than is added up at a time.
    let isThread = random.oneIn(32)
    if isThread {
      width = random.int(1900...6000)
      height = random.int(1...2)
    }
    let isHalving = !isThread && random.oneIn(3)
    if isHalving {
      width = 2 * ((width + 1) / 2)
      height = 2 * ((height + 1) / 2)
    }
    let colour = Colorimetry(
      matrix: random.pick([.bt601, .bt709]), range: random.pick([.limited, .full]))
    let pitch = format.rowBytes(plane: 0, width: width) + random.pick([0, 1, 2, 7, 64])
    let count = FrameView.bytes(
      format: format, width: width, height: height, bytesPerLine: pitch)
    // Of exactly that size, so that a read beyond it is found by a sanitiser or emulator.
    let samples = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    defer { samples.deallocate() }
    let isExtreme = random.oneIn(4)
    for place in 0..<count {
      let value = isExtreme ? random.pick([0, 16, 128, 240, 255]) : random.int(0...255)
      samples[place] = UInt8(truncatingIfNeeded: value)
    }
    let frame = FrameView(
      format: format, width: width, height: height, colour: colour, base: samples,
      bytesPerLine: pitch)
    let stride = 3 * width + random.pick([0, 5])
    let plain = output(stride * height) { frame.convertByReference(into: $0, stride: stride) }
    guard plain == output(stride * height, { frame.convert(into: $0, stride: stride) }) else {
      return false
    }
    let box =
      isHalving
      ? Letterbox(
        sourceWidth: width, sourceHeight: height, width: width / 2 + random.pick([0, 3]),
        height: height / 2)
      : Letterbox(
        sourceWidth: width, sourceHeight: height, width: random.int(1...(isThread ? 3 : 90)),
        height: random.int(1...90))
    return plain.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return false }
      let image = ImageView(base: base, width: width, height: height, stride: stride)
      return drawsAlike(frame, image, box) && givesRowsAlike(frame, image, box, &random)
        && (isThread || cutsAlike(frame, image, &random))
    }
  }

  private static func drawsAlike(_ frame: FrameView, _ image: ImageView, _ box: Letterbox) -> Bool {
    let count = 3 * box.width * box.height
    let plain = output(count) { target in
      var span = MutableSpan(_unsafeStart: elements(target, count), count: count)
      image.drawByReference(box, into: &span)
    }
    let fromFrame = output(count) { target in
      var span = MutableSpan(_unsafeStart: elements(target, count), count: count)
      frame.draw(box, into: &span)
    }
    let fromImage = output(count) { target in
      var span = MutableSpan(_unsafeStart: elements(target, count), count: count)
      image.draw(box, into: &span)
    }
    return plain == fromFrame && plain == fromImage
  }

  /// Some rows, as networks ask for them.
  private static func givesRowsAlike(
    _ frame: FrameView, _ image: ImageView, _ box: Letterbox, _ random: inout RandomNumbers
  ) -> Bool {
    let count = 3 * box.width * box.height
    let plain = output(count) { target in
      var span = MutableSpan(_unsafeStart: elements(target, count), count: count)
      image.drawByReference(box, into: &span)
    }
    let scratch = UnsafeMutableRawPointer.allocate(
      byteCount: ScaledRows.scratchBytes, alignment: 64)
    defer { scratch.deallocate() }
    let pixelBytes = random.int(3...4)
    let sign: UInt8 = random.pick([0, 0x80])
    var rows = ScaledRows(frame, box, scratch: scratch)
    var y = random.int(0...2)
    while y < box.height {
      let row = output(box.width * pixelBytes) {
        rows.write(
          y, into: elements($0, box.width * pixelBytes), pixelBytes: pixelBytes, sign: sign)
      }
      for x in 0..<box.width {
        for channel in 0..<3
        where row[x * pixelBytes + channel] != plain[3 * (y * box.width + x) + channel] ^ sign {
          return false
        }
      }
      if row[(box.width * pixelBytes)...].contains(where: { $0 != guardValue }) { return false }
      y += random.oneIn(4) ? 2 : 1
    }
    return true
  }

  private static func cutsAlike(
    _ frame: FrameView, _ image: ImageView, _ random: inout RandomNumbers
  ) -> Bool {
    let count = SquarePatch.byteCount
    let x = Float(random.int(-20...20 * image.width)) / 16
    let y = Float(random.int(-20...20 * image.height)) / 16
    let diameter = Float(random.int(16...60 * max(image.width, image.height))) / 16
    let plain = output(count) { target in
      var span = MutableSpan(_unsafeStart: target, count: count)
      image.takePatchByReference(x: x, y: y, diameter: diameter, into: &span)
    }
    let fromImage = output(count) { target in
      var span = MutableSpan(_unsafeStart: target, count: count)
      image.takePatch(x: x, y: y, diameter: diameter, into: &span)
    }
    let fused = output(count) { target in
      var span = MutableSpan(_unsafeStart: target, count: count)
      frame.takePatch(x: x, y: y, diameter: diameter, into: &span)
    }
    return plain == fused && plain == fromImage && unrollsAlike(plain, &random)
  }

  /// Halves and unrolls a patch, sometimes with much of the coin outside it.
  private static func unrollsAlike(_ patch: [UInt8], _ random: inout RandomNumbers) -> Bool {
    func unrolled(_ body: (Span<UInt8>, inout MutableSpan<Int8>) -> Void, _ count: Int) -> [UInt8] {
      patch.withUnsafeBufferPointer { patch in
        output(count) { target in
          guard let base = patch.baseAddress else { return }
          var span = MutableSpan(_unsafeStart: elements(target, count), count: count)
          body(Span(_unsafeStart: base, count: SquarePatch.byteCount), &span)
        }
      }
    }
    let quarter = SquarePatch.byteCount / 4
    let isHalvedAlike =
      unrolled({ SquarePatch.halveByReference($0, into: &$1) }, quarter)
      == unrolled({ SquarePatch.halve($0, into: &$1) }, quarter)
    let isWild = random.oneIn(3)
    let x = Float(random.int(isWild ? -640...2944 : 1120...1184)) / 16
    let y = Float(random.int(isWild ? -640...2944 : 1120...1184)) / 16
    let radius = Float(random.int(isWild ? 0...3000 : 720...820)) / 16
    let stretch = Stretch(
      cosineStrain: Float(random.int(-64...64)) / 100,
      sineStrain: Float(random.int(-64...64)) / 100)
    let turn = Float(random.int(-700...700)) / 100
    return isHalvedAlike
      && unrolled(
        {
          polar.unwrapByReference(
            $0, x: x, y: y, radius: radius, stretch: stretch, turn: turn, into: &$1)
        }, PolarUnwrap.valueCount)
        == unrolled(
          {
            polar.unwrap($0, x: x, y: y, radius: radius, stretch: stretch, turn: turn, into: &$1)
          }, PolarUnwrap.valueCount)
  }

  private static func elements(
    _ target: UnsafeMutablePointer<UInt8>, _ count: Int
  ) -> UnsafeMutablePointer<Int8> {
    UnsafeMutableRawPointer(target).assumingMemoryBound(to: Int8.self)
  }

  /// What `body` writes into so many bytes, and the guard after them.
  private static func output(
    _ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: guardValue, count: count + guardBytes)
    bytes.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { body(base) }
    }
    return bytes
  }
}
