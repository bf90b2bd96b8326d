import CKernels

/// How an instruction set computes convolutions of 3x3 elements by Winograd's filtering: bands of
/// four or three output rows, in tiles of four pixels, whose transformed input and weights meet
/// position by position (`ckernels_winograd.h`).
struct WinogradForm: Sendable {
  typealias Band = @convention(c) @Sendable (UnsafePointer<ckernels_winograd>?) -> Void

  let band: Band
  /// Transformed input channels multiplied and added within one lane by one instruction.
  let group: Int
  /// Transformed channels are padded to a multiple of these.
  let words: Int
  /// The most tiles computed together.
  let tiles: Int
  /// Bits of a product that the kernel's multiplication drops before it shifts.
  let droppedBits: Int
  /// Fewer input channels do not repay the transforms.
  let leastChannels: Int
  /// More bytes of transformed weights in a network take more memory, and of the second-level cache,
  /// than the time is worth.
  let mostWeightBytes: Int
  /// How many times more products, in tenths, computing directly has to take: where tiles stand out
  /// far beyond a small output, what they save is lost on transforms.
  let leastSaving: Int
  /// So many times in a run at most the kernel makes itself six columns of weights from the three that
  /// are kept, to take half the memory; weights needed more often are kept as they are needed.
  var mostExpansions = 0
  /// Whether the kernel's scratch has room for the most tiles, and blocks of the most vectors, always:
  /// all distances in it are then constants.
  var hasFixedScratch = false

  /// Bytes that a kernel may read beyond a row: a register of elements, of which one is needed.
  static let slack = 32
}

/// Sizes of a convolution by Winograd's filtering, known before any memory is given.
struct WinogradSizes {
  /// Output rows of a band, four or three.
  let rows: Int
  let tiles: Int
  /// Tiles computed together.
  let together: Int
  /// Elements from one tile's transformed channels to the next one's.
  let stride: Int
  let weightBytes: Int
  /// Columns of a row of positions that weights are kept for: six, or the three they come from.
  let weightColumns: Int
  /// Bytes of transformed input, of sums with a row of positions' weights of a block after them if the
  /// kernel makes these, and of a band's output.
  let transformedBytes: Int
  let sumBytes: Int
  let outputBytes: Int

  /// Columns of a tile's positions.
  static let columns = 6
  /// Columns of the weights that these are made from.
  static let keptColumns = 3
  /// Positions of a tile of four output rows.
  static let mostPositions = 36
  /// Input rows beyond the output rows of a band.
  static let moreRows = 2
  /// Output pixels of a tile's row.
  static let pixels = 4

  /// What the sums are multiplied by.
  var scale: Int { rows == 4 ? Int(WINOGRAD_SCALE_4) : Int(WINOGRAD_SCALE_3) }

  /// Input rows of a band.
  var height: Int { rows + WinogradSizes.moreRows }

  /// Bytes of scratch beyond the input rows: transformed input, sums, and a band's output.
  var scratchBytes: Int { transformedBytes + sumBytes + outputBytes }

  /// Pixels of an input row that are read.
  var inputPixels: Int { WinogradSizes.pixels * tiles + WinogradSizes.moreRows }

  /// `nil` when the convolution is to be computed directly.
  ///
  /// - Parameters:
  ///   - width, height: of the output.
  ///   - vectors: of a block of output channels.
  ///   - lanes: of all blocks.
  init?(
    _ window: Window, width: Int, height: Int, inputChannels: Int, outputChannels: Int,
    vectors: Int, lanes: Int, form: PackedForm
  ) {
    guard let winograd = form.winograd, window.kernelWidth == 3, window.kernelHeight == 3,
      window.strideX == 1, window.strideY == 1, inputChannels >= winograd.leastChannels,
      inputChannels % 8 == 0, form.elementBytes == 1
    else { return nil }
    let four = (height + 3) / 4 * (4 + WinogradSizes.moreRows)
    let three = (height + 2) / 3 * (3 + WinogradSizes.moreRows)
    rows = three < four ? 3 : 4
    tiles = (width + WinogradSizes.pixels - 1) / WinogradSizes.pixels
    let rounds = (tiles + winograd.tiles - 1) / winograd.tiles
    together = (tiles + rounds - 1) / rounds
    stride = (inputChannels + winograd.words - 1) / winograd.words * winograd.words
    let positionRows = rows + WinogradSizes.moreRows
    let positions = positionRows * WinogradSizes.columns
    let bands = (height + rows - 1) / rows
    weightColumns =
      bands * rounds > winograd.mostExpansions ? WinogradSizes.columns : WinogradSizes.keptColumns
    weightBytes = 2 * positionRows * weightColumns * inputChannels * lanes
    guard winograd.leastSaving * positions * tiles * bands <= 10 * 9 * width * height else {
      return nil
    }
    let room =
      winograd.hasFixedScratch
      ? (positions: WinogradSizes.mostPositions, tiles: winograd.tiles, vectors: form.vectors)
      : (positions: positions, tiles: together, vectors: vectors)
    transformedBytes = ArenaPlan.aligned(2 * room.positions * room.tiles * stride)
    let expanded =
      weightColumns == WinogradSizes.columns
      ? 0 : 2 * WinogradSizes.columns * inputChannels * room.vectors * form.lanes
    sumBytes = ArenaPlan.aligned(
      4 * room.positions * room.tiles * room.vectors * form.lanes + expanded)
    outputBytes = ArenaPlan.aligned(rows * WinogradSizes.pixels * tiles * outputChannels)
  }
}

extension Step {
  /// Whether it is a convolution computed in tiles.
  var isInTiles: Bool { rows.band.rows > 0 }

  /// Multiplications of transformed elements; 0 when the operator is not computed in tiles.
  var productsInTiles: Int {
    guard isInTiles else { return 0 }
    let band = rows.band
    let height = Int(band.rows)
    let together = Int(band.together)
    let bands = (target.height + height - 1) / height
    // The last tiles of a band may be computed twice.
    let tiles = (Int(band.tiles) + together - 1) / together * together
    let positions = (height + WinogradSizes.moreRows) * WinogradSizes.columns
    // Every set computes channels by eights at least.
    let channels = (target.channels + 7) / 8 * 8
    return bands * tiles * positions * source.channels * channels
  }
}
