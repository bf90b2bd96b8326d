import CKernels

/// A dense convolution on its way down: computes output rows, each once and in order.
struct ConvolutionWalk {
  private let step: UnsafePointer<Step>
  private let convolve: VectorKernels.Convolve
  private var ring: RowRing
  private var row: ckernels_convolution

  init(_ step: UnsafePointer<Step>, _ kernels: VectorKernels) {
    let window = step.pointee.window
    let source = step.pointee.source
    let target = step.pointee.target
    let form = kernels.form
    let depth = form.depth(source.channels)
    self.step = step
    convolve = kernels.convolve
    ring = RowRing(step.pointee, kernels)
    row = ckernels_convolution(
      rows: UnsafePointer(step.pointee.rows.pointers), weights: step.pointee.rows.weights,
      parameters: step.pointee.rows.parameters, bias: step.pointee.rows.biases,
      output: target.base, kernel_height: Int32(window.kernelHeight), first_row: 0,
      row_count: Int32(window.kernelHeight),
      groups: Int32(form.rounded(window.kernelWidth * depth) / form.group),
      pixel_bytes: Int32(window.strideX * depth * form.elementBytes),
      width: Int32(target.width), channels: Int32(target.channels),
      vectors: Int32(step.pointee.rows.vectors), pixels: step.pointee.rows.pixels,
      last_pixels: step.pointee.rows.lastPixels, zero_point: target.zeroPoint,
      minimum: step.pointee.minimum, maximum: step.pointee.maximum,
      columns_step: ConvolutionWalk.columnsStep(window, depth: depth),
      is_plainly_scaled: step.pointee.rows.isPlainlyScaled)
  }

  /// Computes output row `y` from an input that is whole in memory.
  mutating func compute(_ y: Int, into output: UnsafeMutablePointer<Int8>) {
    let source = step.pointee.source
    compute(y, into: output) { UnsafePointer(source.base + $0 * source.rowCount) }
  }

  /// Computes output row `y` from an input whose rows `source` makes.
  mutating func compute(
    _ y: Int, into output: UnsafeMutablePointer<Int8>, source: (Int) -> UnsafePointer<Int8>
  ) {
    let window = step.pointee.window
    let skipped = SkippedRows(window, inputHeight: step.pointee.source.height, row: y)
    ring.advance(step.pointee, to: y, skipping: skipped, source: source)
    row.first_row = Int32(skipped.above)
    row.row_count = Int32(window.kernelHeight - skipped.above - skipped.below)
    row.bias = UnsafePointer(
      step.pointee.rows.biases + skipped.kind(window) * step.pointee.rows.lanes)
    row.output = output
    convolve(&row)
  }

  private static func columnsStep(_ window: Window, depth: Int) -> Int32 {
    let isShared = window.kernelWidth == 3 && window.strideX <= 2 && depth % 4 == 0
    return isShared ? Int32(window.strideX) : 0
  }
}
