import CKernels

/// A square of `side` by `side` pixels taken out of a picture around one coin.
public enum SquarePatch {
  /// Pixels on each side of a patch.
  public static let side = 144
  /// Bytes of a patch: red, green and blue, top row first, no padding.
  public static let byteCount = 3 * side * side
  /// Side of the square of the picture that a patch shows, in diameters of the coin.
  public static let sidePerDiameter: Float = 1.5
  /// Radius in patch pixels of a coin whose diameter the patch was taken for.
  public static let coinRadius: Float = 48

  /// Averages a patch by two by two pixels, each channel less 128: 72 by 72 pixels.
  ///
  /// - Parameters:
  ///   - patch: `byteCount` bytes.
  ///   - output: a quarter as many.
  public static func halve(_ patch: Span<UInt8>, into output: inout MutableSpan<Int8>) {
    precondition(patch.count == byteCount && output.count == byteCount / 4)
    guard ckernels_frame_is_fast() else { return halveByReference(patch, into: &output) }
    patch.withUnsafeBufferPointer { patch in
      output.withUnsafeMutableBufferPointer { output in
        guard let patch = patch.baseAddress, let output = output.baseAddress else { return }
        ckernels_patch_halve(patch, Int32(side), output)
      }
    }
  }

  /// `halve`, plainly: what every faster way must equal.
  package static func halveByReference(_ patch: Span<UInt8>, into output: inout MutableSpan<Int8>) {
    precondition(patch.count == byteCount && output.count == byteCount / 4)
    let half = side / 2
    for row in 0..<half {
      for column in 0..<half {
        let upper = 3 * (2 * row * side + 2 * column)
        let lower = upper + 3 * side
        for channel in 0..<3 {
          let sum =
            UInt32(patch[unchecked: upper + channel])
            &+ UInt32(patch[unchecked: upper + channel + 3])
            &+ UInt32(patch[unchecked: lower + channel])
            &+ UInt32(patch[unchecked: lower + channel + 3])
          output[unchecked: 3 * (row * half + column) + channel] = Int8(
            bitPattern: UInt8(truncatingIfNeeded: (sum &+ 2) >> 2) ^ 0x80)
        }
      }
    }
  }
}

extension ImageView {
  /// Takes the square patch around the coin centred at (`x`, `y`) with `diameter`, in pixels.
  ///
  /// Averages by area where the patch is coarser than the picture, else interpolates bilinearly;
  /// what lies outside the picture has the colour of the nearest pixel inside.
  ///
  /// The centre is kept to 1/4096 of a pixel and the size to 1/50; both are first brought into
  /// sensible bounds (a centre at most one picture away, 1 to 4 pictures across).
  ///
  /// - Parameter patch: `SquarePatch.byteCount` bytes.
  public func takePatch(x: Float, y: Float, diameter: Float, into patch: inout MutableSpan<UInt8>) {
    var rows = self
    rows.takeSquare(x: x, y: y, diameter: diameter, into: &patch)
  }

  /// `takePatch`, plainly: what every faster way must equal.
  package func takePatchByReference(
    x: Float, y: Float, diameter: Float, into patch: inout MutableSpan<UInt8>
  ) {
    var rows = self
    rows.takeSquare(x: x, y: y, diameter: diameter, isPlain: true, into: &patch)
  }
}

extension PixelRows {
  /// `ImageView.takePatch` of any rows.
  @inline(__always)
  mutating func takeSquare(
    x: Float, y: Float, diameter: Float, isPlain: Bool = false,
    into patch: inout MutableSpan<UInt8>
  ) {
    precondition(patch.count == SquarePatch.byteCount)
    precondition(x.isFinite && y.isFinite && diameter.isFinite)
    let unit = 4096
    let longest = Double(max(width, height))
    let side = max(
      1, min(4 * longest, Double(diameter) * Double(SquarePatch.sidePerDiameter)))
    let step = max(
      1,
      ElementaryFunctions.nearestInteger(side * Double(unit) / Double(SquarePatch.side)))
    let reach = step * SquarePatch.side / 2
    let centreX = max(-longest, min(2 * longest, Double(x)))
    let centreY = max(-longest, min(2 * longest, Double(y)))
    let horizontal = Axis(
      unit: unit,
      origin: ElementaryFunctions.nearestInteger(centreX * Double(unit)) - reach,
      step: step, sourceCount: width)
    let vertical = Axis(
      unit: unit,
      origin: ElementaryFunctions.nearestInteger(centreY * Double(unit)) - reach,
      step: step, sourceCount: height)
    patch.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      if !isPlain && ckernels_frame_is_fast() {
        let isTaken =
          horizontal.shrinks
          ? average(horizontal, vertical, into: start) : enlarge(horizontal, vertical, into: start)
        if isTaken { return }
      }
      resample(
        columns: SquarePatch.side, rows: SquarePatch.side, horizontal: horizontal,
        vertical: vertical
      ) { row, column, red, green, blue in
        let pixel = start + 3 * (row * SquarePatch.side + column)
        pixel[0] = red
        pixel[1] = green
        pixel[2] = blue
      }
    }
  }
}
