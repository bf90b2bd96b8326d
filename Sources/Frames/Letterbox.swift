/// How a picture of any size lies in a smaller or larger one of fixed size: fitted keeping its
/// proportions, centred, the rest grey.
public struct Letterbox: BitwiseCopyable, Sendable, Equatable {
  /// Size of the picture in pixels.
  public let sourceWidth: Int
  /// Size of the picture in pixels.
  public let sourceHeight: Int
  /// Size of the whole result in pixels.
  public let width: Int
  /// Size of the whole result in pixels.
  public let height: Int
  /// Where the picture lies in the result: `left ..< left + innerWidth`.
  public let left: Int
  /// Where the picture lies in the result: `top ..< top + innerHeight`.
  public let top: Int
  /// Width of the picture in the result, 1 to `width`.
  public let innerWidth: Int
  /// Height of the picture in the result, 1 to `height`.
  public let innerHeight: Int

  /// Fits a picture into `width` by `height` pixels, using 1 / `shrink` of each side.
  ///
  /// Sides are rounded to the nearest pixel, halves upwards, and are at least 1; an odd pixel of
  /// border goes to the right or bottom. Precondition: every number is at least 1.
  public init(
    sourceWidth: Int, sourceHeight: Int, width: Int, height: Int, shrink: Int = 1
  ) {
    precondition(sourceWidth >= 1 && sourceHeight >= 1 && shrink >= 1)
    precondition(width >= shrink && height >= shrink)
    self.sourceWidth = sourceWidth
    self.sourceHeight = sourceHeight
    self.width = width
    self.height = height
    let roomWidth = width / shrink
    let roomHeight = height / shrink
    if sourceWidth * roomHeight >= sourceHeight * roomWidth {
      innerWidth = roomWidth
      innerHeight = max(1, (2 * sourceHeight * roomWidth + sourceWidth) / (2 * sourceWidth))
    } else {
      innerWidth = max(1, (2 * sourceWidth * roomHeight + sourceHeight) / (2 * sourceHeight))
      innerHeight = roomHeight
    }
    left = (width - innerWidth) / 2
    top = (height - innerHeight) / 2
  }

  /// Picture pixels in a pixel of the result: the mean of both directions.
  public var scale: Float {
    0.5
      * (Float(sourceWidth) / Float(innerWidth) + Float(sourceHeight) / Float(innerHeight))
  }

  /// The place in the picture, in its pixels, of a place in the result.
  public func sourcePlace(x: Float, y: Float) -> (x: Float, y: Float) {
    (
      (x - Float(left)) * Float(sourceWidth) / Float(innerWidth),
      (y - Float(top)) * Float(sourceHeight) / Float(innerHeight)
    )
  }

  /// The place in the result of a place in the picture, both in pixels.
  public func place(x: Float, y: Float) -> (x: Float, y: Float) {
    (
      x * Float(innerWidth) / Float(sourceWidth) + Float(left),
      y * Float(innerHeight) / Float(sourceHeight) + Float(top)
    )
  }
}

extension Letterbox {
  /// How the picture's columns and rows become the result's.
  var axes: (horizontal: Axis, vertical: Axis) {
    (
      Axis(unit: innerWidth, origin: 0, step: sourceWidth, sourceCount: sourceWidth),
      Axis(unit: innerHeight, origin: 0, step: sourceHeight, sourceCount: sourceHeight)
    )
  }

  /// Makes the border grey, and the place of the picture as well.
  func clearBorder(of output: inout MutableSpan<Int8>) {
    if innerWidth < width || innerHeight < height {
      for index in 0..<output.count { output[unchecked: index] = 0 }
    }
  }
}

extension PixelRows {
  /// Draws the rows where `box` says; `corner` is where its picture begins.
  @inline(__always)
  mutating func draw(_ box: Letterbox, corner: UnsafeMutablePointer<Int8>) {
    let axes = box.axes
    resample(
      columns: box.innerWidth, rows: box.innerHeight, horizontal: axes.horizontal,
      vertical: axes.vertical
    ) { row, column, red, green, blue in
      let pixel = corner + 3 * (row * box.width + column)
      pixel[0] = Int8(bitPattern: red ^ 0x80)
      pixel[1] = Int8(bitPattern: green ^ 0x80)
      pixel[2] = Int8(bitPattern: blue ^ 0x80)
    }
  }
}

extension ImageView {
  /// The picture as a frame.
  public var frame: FrameView {
    FrameView(
      format: .rgb24, width: width, height: height, colour: Colorimetry(), base: base,
      bytesPerLine: stride)
  }

  /// Draws the picture into `output` as `box` says, each channel as its value less 128.
  ///
  /// Averages by area when the picture shrinks and interpolates bilinearly when it grows; the
  /// border is 128 grey, so 0.
  ///
  /// - Parameters:
  ///   - box: made for this picture's size.
  ///   - output: `box.height` rows of `box.width` pixels of red, green and blue.
  public func draw(_ box: Letterbox, into output: inout MutableSpan<Int8>) {
    if box.width <= ScaledRows.widest {
      frame.draw(box, into: &output)
    } else {
      drawByReference(box, into: &output)
    }
  }

  /// `draw`, plainly: what every faster way must equal.
  package func drawByReference(_ box: Letterbox, into output: inout MutableSpan<Int8>) {
    precondition(box.sourceWidth == width && box.sourceHeight == height)
    precondition(output.count == 3 * box.width * box.height)
    box.clearBorder(of: &output)
    output.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      var rows = self
      rows.draw(box, corner: start + 3 * (box.top * box.width + box.left))
    }
  }
}
