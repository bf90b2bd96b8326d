import CKernels

/// Makes rows of operators' outputs, each once and in order, and the rows they need before.
enum RowMaker {
  /// Begins anew, at the top.
  static func restart(_ step: UnsafeMutablePointer<Step>) {
    step.pointee.rows.next = 0
    step.pointee.rows.slot = 0
    step.pointee.rows.padded = 0
    step.pointee.rows.upsampled = -1
    if let maker = step.pointee.sourceMaker { restart(maker) }
    if let maker = step.pointee.secondMaker { restart(maker) }
  }

  /// Makes output row `y`.
  ///
  /// - Parameter sign: what each element is exclusively ored with; 0 for an upsampling and for a
  ///   depthwise convolution.
  @inline(never)  // else inlined into itself, many times
  static func make(
    _ y: Int, of step: UnsafeMutablePointer<Step>, into output: UnsafeMutablePointer<Int8>,
    sign: UInt8, _ kernels: UnsafePointer<VectorKernels>
  ) {
    switch step.pointee.kind {
    case .add: add(y, step, into: output, sign: sign, kernels)
    case .upsample2x: upsample(y, step, into: output, kernels)
    case .depthwiseConvolution: convolveDepthwise(y, step, into: output, kernels)
    default: convolve(y, step, into: output, sign: sign, kernels)
    }
  }

  /// Where row `y` of an input is, made now if need be.
  private static func row(
    _ y: Int, of operand: Operand, _ maker: UnsafeMutablePointer<Step>?,
    from source: RowSource? = nil, _ kernels: UnsafePointer<VectorKernels>
  ) -> UnsafePointer<Int8> {
    if let maker {
      make(y, of: maker, into: operand.base, sign: 0, kernels)
    } else if let source {
      source.write(source.context, y, operand.base, operand.channels, 0)
    } else {
      return UnsafePointer(operand.base + y * operand.rowCount)
    }
    return UnsafePointer(operand.base)
  }

  private static func convolve(
    _ y: Int, _ step: UnsafeMutablePointer<Step>, into output: UnsafeMutablePointer<Int8>,
    sign: UInt8, _ kernels: UnsafePointer<VectorKernels>
  ) {
    if step.pointee.isInTiles {
      return convolveBand(y, step, into: output, sign: sign, kernels)
    }
    let window = step.pointee.window
    let source = step.pointee.source
    let skipped = SkippedRows(window, inputHeight: source.height, row: y)
    if step.pointee.rows.readsInPlace {
      step.pointee.rows.pointers[0] = UnsafeRawPointer(
        row(
          y * window.strideY, of: source, step.pointee.sourceMaker,
          from: step.pointee.rowSource, kernels))
    } else {
      fill(RowRing(step.pointee, kernels.pointee), step, y, skipped, kernels)
    }
    step.pointee.rows.row.first_row = Int32(skipped.above)
    step.pointee.rows.row.row_count = Int32(window.kernelHeight - skipped.above - skipped.below)
    step.pointee.rows.row.bias = UnsafePointer(
      step.pointee.rows.biases + skipped.kind(window) * step.pointee.rows.lanes)
    step.pointee.rows.row.output = output
    step.pointee.rows.row.sign = sign
    kernels.pointee.convolve(&step.pointee.rows.row)
  }

  private static func convolveDepthwise(
    _ y: Int, _ step: UnsafeMutablePointer<Step>, into output: UnsafeMutablePointer<Int8>,
    _ kernels: UnsafePointer<VectorKernels>
  ) {
    fill(RowRing(plain: step.pointee), step, y, SkippedRows(), kernels)
    let window = step.pointee.window
    let target = step.pointee.target
    let rows = step.pointee.rows
    var row = ckernels_depthwise(
      rows: UnsafeRawPointer(rows.pointers).assumingMemoryBound(to: UnsafePointer<Int8>?.self),
      weights: step.pointee.weights, parameters: rows.parameters, output: output,
      kernel_height: Int32(window.kernelHeight), kernel_width: Int32(window.kernelWidth),
      pixel_bytes: Int32(window.strideX * target.channels), width: Int32(target.width),
      channels: Int32(target.channels), padded_channels: Int32(rows.lanes),
      zero_point: target.zeroPoint, minimum: step.pointee.minimum, maximum: step.pointee.maximum)
    kernels.pointee.depthwise(&row)
  }

  /// Computes a band at its first row; output row `y` is then copied from it.
  private static func convolveBand(
    _ y: Int, _ step: UnsafeMutablePointer<Step>, into output: UnsafeMutablePointer<Int8>,
    sign: UInt8, _ kernels: UnsafePointer<VectorKernels>
  ) {
    let rows = Int(step.pointee.rows.band.rows)
    let (band, row) = y.quotientAndRemainder(dividingBy: rows)
    if row == 0 {
      fill(RowRing(step.pointee, kernels.pointee), step, band, SkippedRows(), kernels)
      step.pointee.rows.band.sign = sign
      kernels.pointee.form.winograd?.band(&step.pointee.rows.band)
    }
    let rowBytes =
      WinogradSizes.pixels * Int(step.pointee.rows.band.tiles) * step.pointee.target.channels
    UnsafeMutableRawPointer(output).copyMemory(
      from: step.pointee.rows.band.output + row * rowBytes,
      byteCount: step.pointee.target.rowCount)
  }

  /// Brings the rows into the ring that a convolution needs for its output row or band `y`.
  @inline(never)
  private static func fill(
    _ ring: RowRing, _ step: UnsafeMutablePointer<Step>, _ y: Int, _ skipped: SkippedRows,
    _ kernels: UnsafePointer<VectorKernels>
  ) {
    let source = step.pointee.source
    let form = kernels.pointee.form
    if let rows = step.pointee.rowSource {
      let isMadeInRing = form.elementBytes == 1
      let place = isMadeInRing ? nil : source.base
      let pixelBytes = isMadeInRing ? form.depth(source.channels) : source.channels
      let sign = isMadeInRing ? form.sign : 0
      ring.advance(step, to: y, skipping: skipped) { y, inRing in
        rows.write(rows.context, y, place ?? inRing, pixelBytes, sign)
        return place.map { UnsafePointer($0) }
      }
      return
    }
    guard let maker = step.pointee.sourceMaker else {
      ring.advance(step, to: y, skipping: skipped) { y, _ in
        UnsafePointer(source.base + y * source.rowCount)
      }
      return
    }
    // A depthwise convolution reads plain elements, and can store no others.
    let isPlain = step.pointee.kind == .depthwiseConvolution
    let sign = isPlain ? 0 : form.sign
    let isStored =
      isPlain || form.storesElements && form.depth(source.channels) == source.channels
    let isMadeInRing =
      isStored && maker.pointee.kind != .upsample2x
      && (sign == 0 || maker.pointee.kind != .depthwiseConvolution)
    let place = isMadeInRing ? nil : source.base
    ring.advance(step, to: y, skipping: skipped) { y, inRing in
      make(y, of: maker, into: place ?? inRing, sign: isMadeInRing ? sign : 0, kernels)
      return place.map { UnsafePointer($0) }
    }
  }

  private static func add(
    _ y: Int, _ step: UnsafeMutablePointer<Step>, into output: UnsafeMutablePointer<Int8>,
    sign: UInt8, _ kernels: UnsafePointer<VectorKernels>
  ) {
    let first = row(y, of: step.pointee.source, step.pointee.sourceMaker, kernels)
    let second = row(y, of: step.pointee.second, step.pointee.secondMaker, kernels)
    var sum = step.pointee.sum(
      first, second, output, count: step.pointee.target.rowCount, sign: sign)
    kernels.pointee.add(&sum)
  }

  private static func upsample(
    _ y: Int, _ step: UnsafeMutablePointer<Step>, into output: UnsafeMutablePointer<Int8>,
    _ kernels: UnsafePointer<VectorKernels>
  ) {
    guard step.pointee.rows.upsampled != y / 2 else { return }
    step.pointee.rows.upsampled = y / 2
    let source = step.pointee.source
    kernels.pointee.upsample(
      output, source.base + y / 2 * source.rowCount, source.width, source.channels)
  }
}

extension Step {
  /// What the kernel of a sum is told.
  func sum(
    _ first: UnsafePointer<Int8>, _ second: UnsafePointer<Int8>,
    _ output: UnsafeMutablePointer<Int8>, count: Int, sign: UInt8
  ) -> ckernels_add {
    ckernels_add(
      first: first, second: second, output: output, count: count,
      first_zero_point: source.zeroPoint, second_zero_point: self.second.zeroPoint,
      first_multiplier: multiplier, second_multiplier: secondMultiplier, shift: shift,
      zero_point: target.zeroPoint, minimum: minimum, maximum: maximum, sign: sign)
  }
}
