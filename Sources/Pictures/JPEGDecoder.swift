import CSystem
import CTurboJPEG

/// Decodes a JPEG file, upright.
func decodeJPEG(_ bytes: Span<UInt8>, limits: PictureLimits) throws(PictureError) -> Picture {
  let header = try JPEGHeader(bytes)
  try checkPixels(width: header.width, height: header.height, limits: limits)
  if header.coefficientBytes > limits.coefficientBytes {
    throw .takesTooMuchMemory(bytes: header.coefficientBytes)
  }
  let reduction = jpegReduction(
    width: header.width, height: header.height, limit: limits.decodedPixels)
  let decoder = try JPEGDecoder()
  guard header.isUnusual else {
    let picture = try decoder.decode(bytes, header: header, reduction: reduction)
    return try picture.turned(from: header.orientation)
  }
  guard let copy = malloc(bytes.count) else { throw .outOfMemory(bytes: bytes.count) }
  defer { free(copy) }
  let usual = copy.assumingMemoryBound(to: UInt8.self)
  for index in 0..<bytes.count { usual[index] = bytes[index] }
  header.makeUsual(usual)
  let span = Span(_unsafeStart: usual, count: bytes.count)
  let picture = try decoder.decode(span, header: header, reduction: reduction)
  return try picture.turned(from: header.orientation)
}

/// The least reduction the library offers that leaves at most `limit` pixels, or its greatest.
private func jpegReduction(width: Int, height: Int, limit: Int) -> Reduction {
  if width * height <= limit { return Reduction(numerator: 1, denominator: 1) }
  var best = Reduction(numerator: 8, denominator: 1)
  var count: Int32 = 0
  guard let factors = tjGetScalingFactors(&count) else { return best }
  for index in 0..<Int(count) {
    let candidate = Reduction(
      numerator: Int(factors[index].denom), denominator: Int(factors[index].num))
    let pixels = candidate.reduced(width) * candidate.reduced(height)
    let isLess =
      candidate.numerator * best.denominator < best.numerator * candidate.denominator
    if pixels <= limit && isLess { best = candidate }
  }
  return best
}

extension Reduction {
  /// A length in pixels of the file, in whole pixels of the decoded picture, rounded up.
  func reduced(_ length: Int) -> Int {
    (length * denominator + numerator - 1) / numerator
  }
}

/// The library's decompressor, and the owner of its state.
private struct JPEGDecoder: ~Copyable {
  private let handle: tjhandle

  init() throws(PictureError) {
    guard let handle = tjInitDecompress() else { throw .outOfMemory(bytes: 1 << 20) }
    self.handle = handle
  }

  deinit {
    tjDestroy(handle)
  }

  borrowing func decode(
    _ bytes: Span<UInt8>, header: JPEGHeader, reduction: Reduction
  ) throws(PictureError) -> Picture {
    let width = reduction.reduced(header.width)
    let height = reduction.reduced(header.height)
    // The library turns grey and YCbCr into red, green, blue, but inks only into inks.
    let inks = header.components == 4
    let size = (inks ? 4 : 3) * width * height
    guard let memory = malloc(size) else { throw .outOfMemory(bytes: size) }
    let pixels = memory.assumingMemoryBound(to: UInt8.self)
    let picture = Picture(adopting: pixels, width: width, height: height, reduction: reduction)
    let format = inks ? TJPF_CMYK : TJPF_RGB
    let strict = Int32(TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING)
    var failure = decompress(bytes, into: picture, format: format, flags: strict)
    if failure == .harmless {
      // Accepted only with an end marker: the library tells of its first warning alone, and this
      // one would hide that the file ends early.
      guard hasEnd(bytes, from: header.scanStart) else { throw .isTruncated }
      failure = decompress(
        bytes, into: picture, format: format, flags: strict & ~Int32(TJFLAG_STOPONWARNING))
    }
    switch failure {
    case nil, .harmless: break
    case .truncated: throw .isTruncated
    case .damaged: throw .isDamaged(DecoderText(tjGetErrorStr2(handle)))
    }
    if inks { convertInks(pixels, count: width * height, areOpposite: header.hasAdobeMarker) }
    return picture
  }

  private enum Failure {
    /// A warning about something that leaves the picture whole.
    case harmless
    case truncated
    case damaged
  }

  private borrowing func decompress(
    _ bytes: Span<UInt8>, into picture: borrowing Picture, format: TJPF, flags: Int32
  ) -> Failure? {
    let status = bytes.withUnsafeBufferPointer { source in
      tjDecompress2(
        handle, source.baseAddress, UInt(source.count), picture.base, Int32(picture.width), 0,
        Int32(picture.height), Int32(format.rawValue), flags)
    }
    if status == 0 { return nil }
    let text = DecoderText(tjGetErrorStr2(handle))
    if text.contains("Premature end") { return .truncated }
    guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { return .damaged }
    return isPadding(text) ? .harmless : .damaged
  }
}

/// Whether a warning tells of the few bytes that some cameras put between picture and end marker.
///
/// More of them, or such before another marker, are pixels that damage has made unreadable.
private func isPadding(_ warning: DecoderText) -> Bool {
  guard warning.contains("extraneous bytes before marker 0xd9") else { return false }
  var count = 0
  var hasDigits = false
  for index in 0..<warning.span.count {
    let digit = Int(warning.span[index]) - 48
    if digit >= 0 && digit <= 9 {
      hasDigits = true
      count = min(10 * count + digit, 1000)
    } else if hasDigits {
      break
    }
  }
  return count <= 16
}

/// Whether the marker that ends a JPEG file stands anywhere after `start`.
private func hasEnd(_ bytes: Span<UInt8>, from start: Int) -> Bool {
  var position = start + 1
  while position < bytes.count {
    if bytes[position] == 0xd9 && bytes[position - 1] == 0xff { return true }
    position += 1
  }
  return false
}

/// Turns cyan, magenta, yellow, black into red, green, blue where they stand, front to back.
///
/// - Parameter areOpposite: whether 255 means no ink, as Adobe's programs store it.
private func convertInks(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, areOpposite: Bool) {
  let flip: UInt8 = areOpposite ? 0 : 255
  for index in 0..<count {
    let source = pixels + 4 &* index
    let destination = pixels + 3 &* index
    let black = Int32(source[3] ^ flip)
    let red = Int32(source[0] ^ flip) &* black
    let green = Int32(source[1] ^ flip) &* black
    let blue = Int32(source[2] ^ flip) &* black
    destination[0] = UInt8(truncatingIfNeeded: (red &+ 127) / 255)
    destination[1] = UInt8(truncatingIfNeeded: (green &+ 127) / 255)
    destination[2] = UInt8(truncatingIfNeeded: (blue &+ 127) / 255)
  }
}
