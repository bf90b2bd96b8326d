/// The padded input rows a convolution's kernel reads, kept in a ring as it walks downwards.
struct RowRing {
  private let transfer: VectorKernels.Transfer
  private let spread: VectorKernels.Spread?
  private let fill: VectorKernels.Fill
  private let elementBytes: Int
  /// Elements of a pixel in the ring.
  private let depth: Int

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

  /// Makes the rows for output row or band `y` present but for those skipped, and points to them in
  /// order.
  ///
  /// - Parameter source: where a row of the input is, asked for in order; `nil` when it has been made
  ///   in the ring, at the place given.
  func advance(
    _ step: UnsafeMutablePointer<Step>, to y: Int, skipping: SkippedRows,
    source: (Int, UnsafeMutablePointer<Int8>) -> UnsafePointer<Int8>?
  ) {
    let height = step.pointee.rows.height
    let first = y * step.pointee.rows.step + skipping.above
    let count = height - skipping.above - skipping.below
    var next = max(step.pointee.rows.next, first)
    var slot = step.pointee.rows.slot
    while next < first + count {
      write(step, next, slot, source: source)
      next += 1
      slot = slot + 1 == height ? 0 : slot + 1
    }
    step.pointee.rows.next = next
    step.pointee.rows.slot = slot
    // Those needed are the last ones written.
    slot = slot < count ? slot + height - count : slot - count
    for kernelY in 0..<count {
      step.pointee.rows.pointers[kernelY] = UnsafeRawPointer(place(step, slot))
      slot = slot + 1 == height ? 0 : slot + 1
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

  private func place(
    _ step: UnsafeMutablePointer<Step>, _ slot: Int
  ) -> UnsafeMutableRawPointer {
    step.pointee.rows.ring + slot * step.pointee.rows.rowBytes
  }

  private func write(
    _ step: UnsafeMutablePointer<Step>, _ padded: Int, _ slot: Int,
    source: (Int, UnsafeMutablePointer<Int8>) -> UnsafePointer<Int8>?
  ) {
    let start = place(step, slot)
    let window = step.pointee.window
    let zero = Int8(truncatingIfNeeded: step.pointee.source.zeroPoint)
    let width = step.pointee.source.width
    let row = step.pointee.sourceRow(padded)
    if row < 0 {
      fill(start, zero, (window.left + width + window.right) * depth)
      return
    }
    let pixelBytes = depth * elementBytes
    let middle = start + window.left * pixelBytes
    let end = middle + width * pixelBytes
    if let source = source(row, middle.assumingMemoryBound(to: Int8.self)) {
      if let spread {
        spread(middle, source, width)
      } else {
        transfer(middle, source, width * depth)
      }
    }
    if window.isCircular {
      start.copyMemory(
        from: end - window.left * pixelBytes, byteCount: window.left * pixelBytes)
      end.copyMemory(from: middle, byteCount: window.right * pixelBytes)
    } else if slot >= step.pointee.rows.padded {
      // Once for all rows that come to lie here.
      step.pointee.rows.padded = slot + 1
      fill(start, zero, window.left * depth)
      fill(end, zero, window.right * depth)
    }
  }
}
