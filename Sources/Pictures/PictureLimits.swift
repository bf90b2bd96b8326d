/// How much a file may ask for before it is refused or decoded smaller.
public struct PictureLimits: Sendable {
  /// Most bytes of a file. The largest photographs of telephones are about 50 MB.
  public var fileBytes = 256 << 20
  /// Most pixels a file may claim. An A3 page at 1200 dots an inch has 278 million.
  public var filePixels = 500_000_000
  /// Most pixels of a decoded picture; a file with more is made smaller while it is decoded.
  public var decodedPixels = 50_000_000
  /// Most bytes a progressive JPEG may take for its coefficients, all of which are kept until its
  /// end. 178 million pixels at the usual half resolution of colour.
  public var coefficientBytes = 512 << 20

  /// The limits of the command.
  public init() {}
}
