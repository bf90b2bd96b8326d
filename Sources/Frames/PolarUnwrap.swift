import CKernels

/// Unrolls a coin: rows are radii from the centre outwards, columns are angles, so that turning
/// the coin only shifts the result.
public struct PolarUnwrap: Sendable {
  /// Rows of the result, from the centre outwards.
  public static let radiusCount = 48
  /// Columns of the result, from +x towards +y.
  public static let angleCount = 160
  /// Values in the result: red, green and blue for every radius and angle.
  public static let valueCount = 3 * radiusCount * angleCount
  /// Where the last row ends, in radii of the coin.
  public static let reach: Float = 1.10

  private var cosines: InlineArray<160, Float>
  private var sines: InlineArray<160, Float>

  /// Computes the table of directions.
  public init() {
    cosines = InlineArray(repeating: 0)
    sines = InlineArray(repeating: 0)
    for column in 0..<Self.angleCount {
      let turn = (Double(column) + 0.5) / Double(Self.angleCount)
      let direction = ElementaryFunctions.sineAndCosine(2 * ElementaryFunctions.pi * turn)
      cosines[column] = Float(direction.cosine)
      sines[column] = Float(direction.sine)
    }
  }

  /// Unrolls the coin of a patch, bilinearly, each channel as its value less 128.
  ///
  /// - Parameters:
  ///   - patch: `SquarePatch.byteCount` bytes.
  ///   - x: centre in patch pixels; the top left pixel's centre is (0.5, 0.5).
  ///   - y: centre in patch pixels, downwards.
  ///   - radius: mean radius in patch pixels.
  ///   - stretch: what makes the circle of that radius the coin's outline.
  ///   - turn: angle in radians at which the first column begins.
  ///   - output: `valueCount` values; row `i` is at (i + 0.5) / 48 of 1.10 radii, column `j` at
  ///     (j + 0.5) / 160 of a turn.
  public func unwrap(
    _ patch: Span<UInt8>, x: Float, y: Float, radius: Float, stretch: Stretch, turn: Float = 0,
    into output: inout MutableSpan<Int8>
  ) {
    precondition(patch.count == SquarePatch.byteCount && output.count == Self.valueCount)
    guard ckernels_frame_is_fast() else {
      return unwrapByReference(
        patch, x: x, y: y, radius: radius, stretch: stretch, turn: turn, into: &output)
    }
    let steps = steps(radius: radius, stretch: stretch, turn: turn)
    let stepSpan = steps.span
    stepSpan.withUnsafeBufferPointer { steps in
      patch.withUnsafeBufferPointer { patch in
        output.withUnsafeMutableBufferPointer { output in
          guard let steps = steps.baseAddress, let patch = patch.baseAddress,
            let output = output.baseAddress
          else { return }
          ckernels_patch_unwrap(
            patch, Int32(SquarePatch.side), x, y, steps, steps + Self.angleCount,
            Int32(Self.radiusCount), Int32(Self.angleCount), output)
        }
      }
    }
  }

  /// `unwrap`, plainly: what every faster way must equal.
  package func unwrapByReference(
    _ patch: Span<UInt8>, x: Float, y: Float, radius: Float, stretch: Stretch, turn: Float = 0,
    into output: inout MutableSpan<Int8>
  ) {
    precondition(patch.count == SquarePatch.byteCount && output.count == Self.valueCount)
    let steps = steps(radius: radius, stretch: stretch, turn: turn)
    for row in 0..<Self.radiusCount {
      let distance = Float(row) + 0.5
      for column in 0..<Self.angleCount {
        let place = PatchPlace(
          x: x + distance * steps[column], y: y + distance * steps[Self.angleCount + column])
        let index = 3 * (row * Self.angleCount + column)
        for channel in 0..<3 {
          output[unchecked: index + channel] = Int8(
            bitPattern: place.value(of: channel, in: patch) ^ 0x80)
        }
      }
    }
  }

  /// How far each column goes right from one row to the next, and then how far each goes down.
  private func steps(radius: Float, stretch: Stretch, turn: Float) -> InlineArray<320, Float> {
    let rotation = ElementaryFunctions.sineAndCosine(Double(turn))
    let rotationCosine = Float(rotation.cosine)
    let rotationSine = Float(rotation.sine)
    let ringWidth = radius * Self.reach / Float(Self.radiusCount)
    var steps = InlineArray<320, Float>(repeating: 0)
    // By spans: an array within another value is copied to be read.
    let cosines = cosines.span
    let sines = sines.span
    var places = steps.mutableSpan
    for column in 0..<Self.angleCount {
      let cosine = cosines[column] * rotationCosine - sines[column] * rotationSine
      let sine = sines[column] * rotationCosine + cosines[column] * rotationSine
      places[column] = (stretch.xx * cosine + stretch.xy * sine) * ringWidth
      places[Self.angleCount + column] = (stretch.xy * cosine + stretch.yy * sine) * ringWidth
    }
    return steps
  }
}

/// A place in a patch between four of its pixels, to 1/256 of a pixel.
private struct PatchPlace {
  private let corner: Int
  private let right: Int
  private let below: Int
  private let along: UInt32
  private let down: UInt32

  @inline(__always)
  init(x: Float, y: Float) {
    let last = SquarePatch.side - 1
    // Float to Int32 of a bounded value: bounds first, so that no outline can trap here.
    let boundedX = max(0, min(Float(last), x - 0.5))
    let boundedY = max(0, min(Float(last), y - 0.5))
    let fixedX = Int32(boundedX * 256 + 0.5)
    let fixedY = Int32(boundedY * 256 + 0.5)
    let column = Int(fixedX >> 8)
    let row = Int(fixedY >> 8)
    corner = 3 * (row * SquarePatch.side + column)
    right = column < last ? 3 : 0
    below = row < last ? 3 * SquarePatch.side : 0
    along = UInt32(fixedX & 255)
    down = UInt32(fixedY & 255)
  }

  @inline(__always)
  func value(of channel: Int, in patch: Span<UInt8>) -> UInt8 {
    let place = corner &+ channel
    let top =
      (256 &- along) &* UInt32(patch[unchecked: place])
      &+ along &* UInt32(patch[unchecked: place &+ right])
    let bottom =
      (256 &- along) &* UInt32(patch[unchecked: place &+ below])
      &+ along &* UInt32(patch[unchecked: place &+ below &+ right])
    return UInt8(truncatingIfNeeded: ((256 &- down) &* top &+ down &* bottom &+ 32768) >> 16)
  }
}
