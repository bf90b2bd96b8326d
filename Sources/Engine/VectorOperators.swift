import CKernels

/// Runs steps by an instruction set's kernels.
enum VectorOperators {
  static func run(_ step: UnsafeMutablePointer<Step>, _ kernels: UnsafePointer<VectorKernels>) {
    guard !step.pointee.isCarried else { return }
    switch step.pointee.kind {
    case .convolution, .depthwiseConvolution: makeRows(step, kernels)
    case .add:
      if step.pointee.sourceMaker == nil && step.pointee.secondMaker == nil {
        add(step.pointee, kernels)
      } else {
        makeRows(step, kernels)
      }
    case .upsample2x: upsample2x(step.pointee, kernels)
    case .averagePoolGlobal: averageGlobal(step.pointee, kernels)
    case .maxPool: maxPool(step.pointee, kernels)
    }
  }

  /// All rows of a step, and of those that read the same.
  private static func makeRows(
    _ step: UnsafeMutablePointer<Step>, _ kernels: UnsafePointer<VectorKernels>
  ) {
    let target = step.pointee.target
    RowMaker.restart(step)
    for y in 0..<target.height {
      RowMaker.make(y, of: step, into: target.base + y * target.rowCount, sign: 0, kernels)
      for before in 0..<step.pointee.companions {
        let other = step - before - 1
        other.pointee.rows.row.rows = step.pointee.rows.row.rows
        other.pointee.rows.row.output =
          other.pointee.target.base + y * other.pointee.target.rowCount
        kernels.pointee.convolve(&other.pointee.rows.row)
      }
    }
  }

  private static func add(_ step: borrowing Step, _ kernels: UnsafePointer<VectorKernels>) {
    var sum = step.sum(
      step.source.base, step.second.base, step.target.base, count: step.target.count, sign: 0)
    kernels.pointee.add(&sum)
  }

  private static func upsample2x(_ step: borrowing Step, _ kernels: UnsafePointer<VectorKernels>) {
    for row in 0..<step.source.height {
      let first = step.target.base + 2 * row * step.target.rowCount
      kernels.pointee.upsample(
        first, step.source.base + row * step.source.rowCount, step.source.width,
        step.source.channels)
      // As bytes: element by element, embedded Swift copies one at a time.
      UnsafeMutableRawPointer(first + step.target.rowCount).copyMemory(
        from: first, byteCount: step.target.rowCount)
    }
  }

  /// Channels whose totals are kept at a time, on the stack.
  private static let totalled = 256

  private static func averageGlobal(_ step: borrowing Step, _ kernels: UnsafePointer<VectorKernels>)
  {
    let channels = step.source.channels
    let places = step.source.height * step.source.width
    if channels > totalled { return ReferencePool.averageGlobal(step) }
    var totals = InlineArray<256, Int32>(repeating: 0)
    var span = totals.mutableSpan
    let average = kernels.pointee.average
    let (source, target) = (step.source, step.target)
    let (multiplier, shift) = (step.multiplier, step.shift)
    let (minimum, maximum) = (step.minimum, step.maximum)
    span.withUnsafeMutableBufferPointer {
      var work = ckernels_average(
        input: source.base, output: target.base, totals: $0.baseAddress, places: places,
        channels: channels, origin: Int32(places) * source.zeroPoint, multiplier: multiplier,
        shift: shift, zero_point: target.zeroPoint, minimum: minimum, maximum: maximum)
      average(&work)
    }
  }

  private static func maxPool(_ step: borrowing Step, _ kernels: UnsafePointer<VectorKernels>) {
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
              kernels.pointee.largest(target, source, channels)
            }
          }
        }
      }
    }
  }
}
