/// The padded input rows a convolution's kernel reads, kept in a ring as it walks downwards.
struct RowRing {
  private let transfer: VectorKernels.Transfer
  private let spread: VectorKernels.Spread?
  private let fill: VectorKernels.Fill
  private let elementBytes: Int
  /// Elements of a pixel in the ring.
  private let depth: Int
  /// The first row of the padded input that has not been written to the ring.
  private var next = 0

  /// A ring of rows in the form an instruction set's dense convolution reads.
  init(_ step: borrowing Step, _ kernels: VectorKernels) {
    transfer = kernels.transfer
    depth = kernels.form.depth(step.source.channels)
    spread = depth == step.source.channels ? nil : kernels.spread
    fill = kernels.fill
    elementBytes = kernels.form.elementBytes
  }

  /// A ring of plain rows.
  init(plain step: borrowing Step) {
    transfer = RowRing.copy
    spread = nil
    fill = RowRing.fill
    elementBytes = 1
    depth = step.source.channels
  }

  /// Makes the rows for output row `y` present but for those skipped, and points to them in order.
  ///
  /// - Parameter source: where a row of the input is, made now if need be; asked for in order.
  mutating func advance(
    _ step: borrowing Step, to y: Int, skipping: SkippedRows,
    source: (Int) -> UnsafePointer<Int8>
  ) {
    let first = y * step.window.strideY + skipping.above
    let height = step.window.kernelHeight - skipping.above - skipping.below
    if next < first { next = first }
    while next < first + height {
      write(step, next, to: slot(step, next), source: source)
      next += 1
    }
    for kernelY in 0..<height {
      step.rows.pointers[kernelY] = UnsafeRawPointer(slot(step, first + kernelY))
    }
  }

  /// The plain form: int8 as they are.
  static let copy: VectorKernels.Transfer = { output, input, count in
    guard let output, let input else { return }
    output.copyMemory(from: input, byteCount: count)
  }

  /// The plain form: int8 as they are.
  static let fill: VectorKernels.Fill = { output, value, count in
    output?.initializeMemory(as: Int8.self, repeating: value, count: count)
  }

  private func slot(_ step: borrowing Step, _ row: Int) -> UnsafeMutableRawPointer {
    step.rows.ring + row % step.window.kernelHeight * step.rows.rowBytes
  }

  private func write(
    _ step: borrowing Step, _ padded: Int, to slot: UnsafeMutableRawPointer,
    source: (Int) -> UnsafePointer<Int8>
  ) {
    let window = step.window
    let zero = Int8(truncatingIfNeeded: step.source.zeroPoint)
    let width = step.source.width
    let row = step.sourceRow(padded)
    if row < 0 {
      fill(slot, zero, (window.left + width + window.right) * depth)
      return
    }
    let source = source(row)
    let pixelBytes = depth * elementBytes
    let middle = slot + window.left * pixelBytes
    let end = middle + width * pixelBytes
    let channels = step.source.channels
    take(source, pixels: width, channels: channels, to: middle)
    if window.isCircular {
      let last = source + (width - window.left) * channels
      take(last, pixels: window.left, channels: channels, to: slot)
      take(source, pixels: window.right, channels: channels, to: end)
    } else {
      fill(slot, zero, window.left * depth)
      fill(end, zero, window.right * depth)
    }
  }

  private func take(
    _ source: UnsafePointer<Int8>, pixels: Int, channels: Int, to place: UnsafeMutableRawPointer
  ) {
    if let spread {
      spread(place, source, pixels)
    } else {
      transfer(place, source, pixels * channels)
    }
  }
}
