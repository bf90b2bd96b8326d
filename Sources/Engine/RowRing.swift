/// The padded input rows a convolution's kernel reads, kept in a ring as it walks downwards.
struct RowRing {
  private let transfer: VectorKernels.Transfer
  private let fill: VectorKernels.Fill
  private let elementBytes: Int
  /// The first row of the padded input that has not been written to the ring.
  private var next = 0

  init(
    _ step: borrowing Step, _ transfer: VectorKernels.Transfer, _ fill: VectorKernels.Fill,
    elementBytes: Int
  ) {
    self.transfer = transfer
    self.fill = fill
    self.elementBytes = elementBytes
  }

  /// Makes the rows for output row `y` present, and points to them in order.
  mutating func advance(_ step: borrowing Step, to y: Int) {
    let first = y * step.window.strideY
    let height = step.window.kernelHeight
    if next < first { next = first }
    while next < first + height {
      write(step, next, to: slot(step, next))
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

  private func write(_ step: borrowing Step, _ padded: Int, to slot: UnsafeMutableRawPointer) {
    let window = step.window
    let channels = step.source.channels
    let zero = Int8(truncatingIfNeeded: step.source.zeroPoint)
    let left = window.left * channels
    let right = window.right * channels
    let inside = step.source.rowCount
    let row = step.sourceRow(padded)
    if row < 0 {
      fill(slot, zero, left + inside + right)
      return
    }
    let source = step.source.base + row * inside
    let middle = slot + left * elementBytes
    let end = middle + inside * elementBytes
    transfer(middle, source, inside)
    if window.isCircular {
      transfer(slot, source + (inside - left), left)
      transfer(end, source, right)
    } else {
      fill(slot, zero, left)
      fill(end, zero, right)
    }
  }
}
