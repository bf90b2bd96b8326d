import CKernels

/// The functions that run a graph's operators: one instruction set's, chosen once at start.
public struct Kernels: Sendable {
  /// The instruction set the functions use.
  public let set: InstructionSet
  /// The vector forms; `nil` for the reference.
  let vectors: VectorKernels?

  /// The fastest functions this processor has.
  public static var fastest: Kernels {
    Kernels(Processor.current.best, on: Processor.current) ?? reference
  }

  /// The plain reference.
  public static var reference: Kernels { Kernels(set: .reference, vectors: nil) }

  /// The functions for an instruction set; `nil` when the processor does not have it.
  public init?(_ set: InstructionSet, on processor: Processor = .current) {
    guard processor.has(set) else { return nil }
    self.init(set: set, vectors: VectorKernels(set))
  }

  private init(set: InstructionSet, vectors: VectorKernels?) {
    self.set = set
    self.vectors = vectors
  }
}

/// One instruction set's vector functions and the form of data they read.
struct VectorKernels: Sendable {
  typealias Convolve = @convention(c) @Sendable (UnsafePointer<ckernels_convolution>?) -> Void
  typealias Pixels = @convention(c) @Sendable (Int32, Int32) -> Int32
  typealias Transfer =
    @convention(c) @Sendable (UnsafeMutableRawPointer?, UnsafePointer<Int8>?, Int) -> Void
  typealias Fill = @convention(c) @Sendable (UnsafeMutableRawPointer?, Int8, Int) -> Void
  typealias Depthwise = @convention(c) @Sendable (UnsafePointer<ckernels_depthwise>?) -> Void
  typealias Add = @convention(c) @Sendable (UnsafePointer<ckernels_add>?) -> Void
  typealias Average = @convention(c) @Sendable (UnsafePointer<ckernels_average>?) -> Void
  typealias Largest =
    @convention(c) @Sendable (UnsafeMutablePointer<Int8>?, UnsafePointer<Int8>?, Int) -> Void

  typealias Spread =
    @convention(c) @Sendable (UnsafeMutableRawPointer?, UnsafePointer<Int8>?, Int) -> Void
  typealias Upsample =
    @convention(c) @Sendable (UnsafeMutablePointer<Int8>?, UnsafePointer<Int8>?, Int, Int) -> Void

  let convolve: Convolve
  let pixels: Pixels
  let transfer: Transfer
  let fill: Fill
  let depthwise: Depthwise
  let add: Add
  let average: Average
  let largest: Largest
  let upsample: Upsample
  let spread: Spread
  let form: PackedForm

  /// `nil` for the reference and for another architecture's sets.
  init?(_ set: InstructionSet) {
    #if arch(x86_64)
      switch set {
      case .avx2:
        convolve = ckernels_convolve_avx2
        pixels = ckernels_pixels_avx2
        transfer = ckernels_transfer_avx2
        fill = ckernels_fill_avx2
        depthwise = ckernels_depthwise_avx2
        add = ckernels_add_avx2
        average = ckernels_average_avx2
        largest = ckernels_largest_avx2
        upsample = ckernels_upsample_avx2
        spread = ckernels_spread_avx2
        form = PackedForm(lanes: 8, group: 2, vectors: 2, elementBytes: 2, offset: 0)
      case .avxVNNI:
        convolve = ckernels_convolve_avxvnni
        pixels = ckernels_pixels_avxvnni
        transfer = ckernels_transfer_avxvnni
        fill = ckernels_fill_avxvnni
        depthwise = ckernels_depthwise_avxvnni
        add = ckernels_add_avxvnni
        average = ckernels_average_avxvnni
        largest = ckernels_largest_avxvnni
        upsample = ckernels_upsample_avxvnni
        spread = ckernels_spread_avxvnni
        form = PackedForm(lanes: 8, group: 4, vectors: 2, elementBytes: 1, offset: 128)
      case .avx512VNNI:
        convolve = ckernels_convolve_avx512vnni
        pixels = ckernels_pixels_avx512vnni
        transfer = ckernels_transfer_avx512vnni
        fill = ckernels_fill_avx512vnni
        depthwise = ckernels_depthwise_avx512vnni
        add = ckernels_add_avx512vnni
        average = ckernels_average_avx512vnni
        largest = ckernels_largest_avx512vnni
        upsample = ckernels_upsample_avx512vnni
        spread = ckernels_spread_avx512vnni
        form = PackedForm(
          lanes: 16, group: 4, vectors: 4, elementBytes: 1, offset: 128, foldsRounding: true,
          storesElements: true, leastRowsBytes: 16 << 10,
          winograd: WinogradForm(
            band: ckernels_winograd_avx512vnni, group: 2, words: 16, tiles: 5, droppedBits: 32,
            leastChannels: 32, mostWeightBytes: 448 << 10, leastSaving: 33))
      default: return nil
      }
    #elseif arch(arm64)
      // What has no products of bytes is the same for all three sets.
      transfer = ckernels_transfer_neon
      fill = ckernels_fill_neon
      add = ckernels_add_neon
      largest = ckernels_largest_neon
      upsample = ckernels_upsample_neon
      spread = ckernels_spread_neon
      switch set {
      case .neon:
        convolve = ckernels_convolve_neon
        pixels = ckernels_pixels_neon
        depthwise = ckernels_depthwise_neon
        average = ckernels_average_neon
        form = PackedForm(
          lanes: 8, group: 2, vectors: 2, elementBytes: 1, offset: 0, storesElements: true,
          winograd: WinogradForm(
            band: ckernels_winograd_neon, group: 1, words: 8, tiles: 5, droppedBits: 31,
            leastChannels: 8, mostWeightBytes: 512 << 10, leastSaving: 20,
            mostExpansions: 6, hasFixedScratch: true))
      case .neonDotProduct:
        convolve = ckernels_convolve_dotprod
        pixels = ckernels_pixels_dotprod
        depthwise = ckernels_depthwise_dotprod
        average = ckernels_average_neon
        form = PackedForm(
          lanes: 4, group: 4, vectors: 4, elementBytes: 1, offset: 0, storesElements: true)
      case .neonMatrix:
        convolve = ckernels_convolve_i8mm
        pixels = ckernels_pixels_i8mm
        depthwise = ckernels_depthwise_dotprod
        average = ckernels_average_neon
        form = PackedForm(
          lanes: 4, group: 8, vectors: 4, elementBytes: 1, offset: 0, storesElements: true)
      default: return nil
      }
    #else
      return nil
    #endif
  }
}

/// The form in which an instruction set's convolution reads weights and input.
struct PackedForm: Sendable {
  /// Output channels of one vector.
  let lanes: Int
  /// Elements multiplied and added within one lane by one instruction.
  let group: Int
  /// The most vectors of a block.
  let vectors: Int
  /// Bytes of an input element in a padded row.
  let elementBytes: Int
  /// What the padded rows add to each element, so that it is unsigned.
  let offset: Int32
  /// Whether a dense convolution's rounding is folded into its bias where that can be.
  #if arch(x86_64)
    var foldsRounding = false
  #else
    var foldsRounding: Bool { false }
  #endif
  /// Whether convolutions and sums can store elements as the next convolution's rows have them.
  var storesElements = false
  /// Smaller tensors that a convolution reads are made whole: they stay in a cache anyway, while two
  /// convolutions in turns may drive each other's weights out of the first level, where that is 32 KiB.
  var leastRowsBytes = 64 << 10
  /// How convolutions of 3x3 elements are computed by Winograd's filtering, if they can be.
  var winograd: WinogradForm?

  /// What makes of an int8 an element of a padded row, where these are bytes.
  var sign: UInt8 { UInt8(offset) }

  /// Elements of a pixel in a padded row. Red, green and blue get a fourth that meets weights of
  /// zero, so that every pixel begins with a group: the groups of a kernel row are no more for it.
  func depth(_ channels: Int) -> Int { channels == 3 && group >= 4 ? 4 : channels }

  /// `count` elements rounded up to whole groups; kernels whose groups are pairs take two at once.
  func rounded(_ count: Int) -> Int {
    let unit = max(4, group)
    return (count + unit - 1) / unit * unit
  }
}
