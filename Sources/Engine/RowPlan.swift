import CKernels

/// How the vector form of a convolution walks over its input: padded rows in a ring.
///
/// Before an output row is computed, the input rows it needs are copied, with their padding and in
/// the form the kernel reads, into a ring of as many rows as the kernel is high. The copy costs one
/// byte's move for each element, stays in the first-level cache, and frees the kernel of padding,
/// of wrapping around, and of reading outside the tensor.
struct RowPlan {
  /// Bytes beyond a row that a kernel may read (and multiply by zero): one group.
  static let slack = 16

  /// Pointers to the rows an output row needs, then the ring itself, in the scratch memory.
  var pointers: UnsafeMutablePointer<UnsafeRawPointer?>
  var ring: UnsafeMutableRawPointer
  /// Bytes from one row of the ring to the next.
  var rowBytes: Int
  /// Rows of the ring, and how many it goes on for the next row or band of the output.
  var height: Int
  var step: Int
  /// Packed weights and parameters, in the constant memory.
  var weights: UnsafeMutablePointer<Int8>
  var parameters: UnsafeMutablePointer<Int32>
  /// Of a dense convolution: so many for each of the kernel rows that `SkippedRows` tells apart.
  var biases: UnsafeMutablePointer<Int32>
  var lanes: Int
  /// Vectors of a block of output channels.
  var vectors: Int
  /// Output pixels computed together, in whole blocks and in the last one.
  var pixels: Int32
  var lastPixels: Int32
  /// Whether the kernel reads the input where it is: its rows need no padding and no other form.
  var readsInPlace: Bool
  /// The first row of the padded input that has not been written to the ring.
  var next = 0
  /// Where in the ring it comes to lie, and how many places have their padding left and right.
  var slot = 0
  var padded = 0
  /// The input row that has been upsampled last; -1 for none.
  var upsampled = -1
  /// What the kernel of a dense convolution is told.
  var row = ckernels_convolution()
  /// What the kernel is told that computes bands of rows; no rows where it does not.
  var band = ckernels_winograd()
}

/// How much memory the vector form of a convolution takes, known before any is given.
struct RowSizes {
  /// Input elements of one kernel row, rounded up to whole groups.
  let runElements: Int
  /// Vectors of a block, of the last block, and how many blocks.
  let vectors: Int
  let lastVectors: Int
  let blocks: Int
  let rowBytes: Int
  let weightBytes: Int
  /// How the convolution is to be computed by Winograd's filtering; `nil` when it is not.
  let winograd: WinogradSizes?
  /// Lanes of all blocks.
  let lanes: Int
  /// The row pointers, and then the ring as well.
  let pointerBytes: Int
  let scratchBytes: Int

  /// Bytes of parameters, and of biases after them.
  let parameterBytes: Int
  let biasBytes: Int
  /// Bytes in the constant memory, weights and parameters each aligned.
  var constantBytes: Int {
    ArenaPlan.aligned(weightBytes) + ArenaPlan.aligned(parameterBytes + biasBytes)
  }

  /// Sizes for an operator that is a convolution, dense or depthwise; dense, it may be one computed in
  /// tiles.
  init(
    _ kind: OperatorKind, _ window: Window, inputHeight: Int, inputWidth: Int, inputChannels: Int,
    outputChannels: Int, form: PackedForm, mayBeTiled: Bool
  ) {
    let isDense = kind == .convolution
    let depth = isDense ? form.depth(inputChannels) : inputChannels
    let run = window.kernelWidth * depth
    runElements = form.rounded(run)
    let all = (outputChannels + form.lanes - 1) / form.lanes
    blocks = (all + form.vectors - 1) / form.vectors
    vectors = (all + blocks - 1) / blocks
    lastVectors = all - (blocks - 1) * vectors
    lanes = all * form.lanes
    parameterBytes = 4 * lanes * (isDense ? 3 : 4)
    biasBytes = isDense ? 4 * lanes * SkippedRows.kinds(window, inputHeight: inputHeight) : 0
    winograd =
      isDense && mayBeTiled
      ? WinogradSizes(
        window, width: window.outputWidth(inputWidth), height: window.outputHeight(inputHeight),
        inputChannels: inputChannels, outputChannels: outputChannels, vectors: vectors,
        lanes: lanes, form: form) : nil
    // With Winograd's filtering there is room for computing directly as well: which it is to be is
    // only known from the weights.
    weightBytes = max(
      isDense ? window.kernelHeight * runElements * lanes : 0, winograd?.weightBytes ?? 0)
    let padded = (inputWidth + window.left + window.right) * depth
    let elementBytes = isDense ? form.elementBytes : 1
    rowBytes = ArenaPlan.aligned(
      max(
        padded * elementBytes + RowPlan.slack,
        (winograd?.inputPixels ?? 0) * inputChannels + WinogradForm.slack))
    let height = max(window.kernelHeight, winograd?.height ?? 0)
    pointerBytes = ArenaPlan.aligned(height * MemoryLayout<UnsafeRawPointer?>.stride)
    scratchBytes = pointerBytes + height * rowBytes + (winograd?.scratchBytes ?? 0)
  }
}
