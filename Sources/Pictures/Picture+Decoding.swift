// `@export(interface)`: compiled here alone. Embedded Swift otherwise compiles a copy into every
// client, and the compiler crashes on that of these two.

extension Picture {
  /// Decodes the JPEG or PNG file at `path`, upright.
  ///
  /// - Parameters:
  ///   - path: the file, recognised by its content whatever its name.
  ///   - limits: what a file may ask for.
  /// - Throws: the cases of `PictureError` about reading and decoding.
  @export(interface)
  public init(
    contentsOf path: UnsafePointer<CChar>, limits: PictureLimits = PictureLimits()
  ) throws(PictureError) {
    let file = try FileContents(path: path, limit: limits.fileBytes)
    try self.init(decoding: file.bytes, limits: limits)
  }

  /// Decodes the bytes of a JPEG or PNG file, upright.
  ///
  /// - Throws: the cases of `PictureError` about decoding.
  @export(interface)
  public init(
    decoding bytes: Span<UInt8>, limits: PictureLimits = PictureLimits()
  ) throws(PictureError) {
    switch PictureFormat(of: bytes) {
    case .jpeg: self = try decodeJPEG(bytes, limits: limits)
    case .png: self = try decodePNG(bytes, limits: limits)
    case .some(let format): throw .unsupported(format)
    case nil: throw .notPicture
    }
  }
}

/// Refuses a picture of more pixels than a file may claim.
func checkPixels(width: Int, height: Int, limits: PictureLimits) throws(PictureError) {
  let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
  if overflow || pixels > limits.filePixels { throw .tooManyPixels(width: width, height: height) }
}
