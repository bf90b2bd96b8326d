import CKernels

/// Runs steps by an instruction set's kernels.
enum VectorOperators {
  static func run(_ step: UnsafePointer<Step>, _ kernels: VectorKernels) {
    switch step.pointee.kind {
    case .convolution: if !step.pointee.isFlowing { convolve(step, kernels) }
    case .depthwiseConvolution: convolveDepthwise(step.pointee, kernels)
    case .add: add(step.pointee, kernels)
    case .upsample2x: upsample2x(step.pointee, kernels)
    case .averagePoolGlobal: averageGlobal(step.pointee, kernels)
    case .maxPool: maxPool(step.pointee, kernels)
    }
  }

  private static func convolve(_ step: UnsafePointer<Step>, _ kernels: VectorKernels) {
    let target = step.pointee.target
    var walk = ConvolutionWalk(step, kernels)
    guard step.pointee.takesRows else {
      for y in 0..<target.height { walk.compute(y, into: target.base + y * target.rowCount) }
      return
    }
    let before = step - 1
    var upstream = ConvolutionWalk(before, kernels)
    let made = before.pointee.target.base
    for y in 0..<target.height {
      walk.compute(y, into: target.base + y * target.rowCount) { row in
        upstream.compute(row, into: made)
        return UnsafePointer(made)
      }
    }
  }

  private static func convolveDepthwise(_ step: borrowing Step, _ kernels: VectorKernels) {
    var ring = RowRing(plain: step)
    let channels = step.target.channels
    let lanes = kernels.form.lanes
    var row = ckernels_depthwise(
      rows: UnsafeRawPointer(step.rows.pointers).assumingMemoryBound(
        to: UnsafePointer<Int8>?.self),
      weights: step.weights, parameters: step.rows.parameters, output: step.target.base,
      kernel_height: Int32(step.window.kernelHeight), kernel_width: Int32(step.window.kernelWidth),
      pixel_bytes: Int32(step.window.strideX * channels), width: Int32(step.target.width),
      channels: Int32(channels), padded_channels: Int32((channels + lanes - 1) / lanes * lanes),
      zero_point: step.target.zeroPoint, minimum: step.minimum, maximum: step.maximum)
    let source = step.source
    let none = SkippedRows()
    for y in 0..<step.target.height {
      ring.advance(step, to: y, skipping: none) {
        UnsafePointer(source.base + $0 * source.rowCount)
      }
      row.output = step.target.base + y * step.target.rowCount
      kernels.depthwise(&row)
    }
  }

  private static func add(_ step: borrowing Step, _ kernels: VectorKernels) {
    var sum = ckernels_add(
      first: step.source.base, second: step.second.base, output: step.target.base,
      count: step.target.count, first_zero_point: step.source.zeroPoint,
      second_zero_point: step.second.zeroPoint, first_multiplier: step.multiplier,
      second_multiplier: step.secondMultiplier, shift: step.shift,
      zero_point: step.target.zeroPoint, minimum: step.minimum, maximum: step.maximum)
    kernels.add(&sum)
  }

  private static func upsample2x(_ step: borrowing Step, _ kernels: VectorKernels) {
    for row in 0..<step.source.height {
      let first = step.target.base + 2 * row * step.target.rowCount
      kernels.upsample(
        first, step.source.base + row * step.source.rowCount, step.source.width,
        step.source.channels)
      // As bytes: element by element, embedded Swift copies one at a time.
      UnsafeMutableRawPointer(first + step.target.rowCount).copyMemory(
        from: first, byteCount: step.target.rowCount)
    }
  }

  /// Channels whose totals are kept at a time, on the stack.
  private static let totalled = 256

  private static func averageGlobal(_ step: borrowing Step, _ kernels: VectorKernels) {
    let channels = step.source.channels
    let places = step.source.height * step.source.width
    if channels > totalled { return ReferencePool.averageGlobal(step) }
    var totals = InlineArray<256, Int32>(repeating: 0)
    let source = step.source.base
    let total = kernels.total
    var span = totals.mutableSpan
    span.withUnsafeMutableBufferPointer { total($0.baseAddress, source, places, channels) }
    let origin = Int32(places) * step.source.zeroPoint
    for channel in 0..<channels {
      step.target.base[channel] = clampedOutput(
        requantised(totals[channel] - origin, step.multiplier, step.shift), step)
    }
  }

  private static func maxPool(_ step: borrowing Step, _ kernels: VectorKernels) {
    let window = step.window
    let channels = step.source.channels
    for y in 0..<step.target.height {
      for x in 0..<step.target.width {
        let target = step.target.base + (y * step.target.width + x) * channels
        target.update(repeating: -128, count: channels)
        for kernelY in 0..<window.kernelHeight {
          let row = step.sourceRow(y * window.strideY + kernelY)
          for kernelX in 0..<window.kernelWidth {
            let column = step.sourceColumn(x * window.strideX + kernelX)
            if row >= 0 && column >= 0 {
              let source = step.source.base + (row * step.source.width + column) * channels
              kernels.largest(target, source, channels)
            }
          }
        }
      }
    }
  }
}
