/// The model file, version 1.
///
/// All numbers are little-endian; all offsets count bytes. Padding and reserved fields are zero.
/// Texts are printable ASCII, at least one character, filled up with zeros, the last byte zero.
///
/// ```
/// header, 80 bytes
///    0  magic       8 bytes "RECEHNET"
///    8  version     u32     1
///   12  size        u32     of the whole file
///   16  checksum    u32     CRC-32 (IEEE 802.3, as in zlib) of everything from byte 24 on
///   20  reserved    u32
///   24  directory   7 x (offset u32, count u32), sections in the order that follows
///
/// sections, each at a multiple of 64, in this order, not overlapping
///   0  graphs       64 bytes each
///        0 name 32; 32 first tensor u32, tensors u32; 40 first operator u32, operators u32;
///        48 first port u32, inputs u32; 56 outputs u32; 60 reserved u32
///   1  tensors      16 bytes each
///        0 height u16, width u16, channels u16; 6 zero point i8; 7 reserved u8; 8 scale f32;
///        12 reserved u32
///   2  ports        40 bytes each; a graph's inputs, then its outputs
///        0 name 32; 32 tensor u32, counted from the graph's first; 36 reserved u32
///   3  operators    64 bytes each, in the order they run
///        0 kind u8 (see `OperatorKind`); 1 kernel height u8, width u8; 3 stride y u8, x u8;
///        5 padding top u8, bottom u8, left u8, right u8; 9 circular along x u8 (0 or 1);
///        10 minimum i8, maximum i8; 12 input u16; 14 second input u16 (0xFFFF: none);
///        16 output u16; 18 shift u8; 19 reserved 5 bytes; 24 multiplier i32;
///        28 second multiplier i32; 32 reserved i32;
///        36 weights u32, bias u32, multipliers u32, shifts u32: offsets in section 4;
///        52 reserved 12 bytes
///   4  weights      bytes; each array at a multiple of 16
///   5  labels       96 bytes each: what the classifier's logits stand for, in their order
///        0 name 32; 32 kind 16; 48 metal 32; 80 value u32 in rupiah; 84 diameter f32 in mm;
///        88 flags u32 (bit 0: withdrawn); 92 reserved u32
///   6  parameters   40 bytes each
///        0 name 32; 32 value f32; 36 reserved u32
/// ```
///
/// A tensor is int8, height x width x channels, channels next to each other, one picture:
/// real = scale * (q - zero point).
///
/// Convolution weights are int8 in -127...127, `[O, KH, KW, I]`; depthwise ones `[KH, KW, C]`.
/// Bias and multipliers are i32, shifts u8, one for each output channel:
/// accumulator = sum of (input - zero point) * weight, plus bias; then `requantised`, the output's
/// zero point is added and the result clamped to minimum...maximum. Padding holds the zero point,
/// or wraps along x where circular. 255 * sum |weight| + |bias| is at most 2^30 in each channel, so
/// that no 32-bit accumulator overflows in whatever order it is summed.
enum ModelFormat {
  static let magic: StaticString = "RECEHNET"
  static let version: UInt32 = 1
  static let headerBytes = 80
  static let checksumStart = 24
  static let directoryStart = 24
  static let sectionAlignment = 64
  static let arrayAlignment = 16
  static let noTensor: UInt16 = 0xFFFF

  static let graphNameBytes = 32
  static let portNameBytes = 32
  static let labelNameBytes = 32
  static let labelKindBytes = 16
  static let labelMetalBytes = 32
  static let parameterNameBytes = 32

  /// Section 0 to 6 of the directory.
  enum Section: Int {
    case graphs, tensors, ports, operators, weights, labels, parameters

    static let count = 7

    /// Bytes of one record.
    var recordBytes: Int {
      switch self {
      case .graphs: 64
      case .tensors: 16
      case .ports: 40
      case .operators: 64
      case .weights: 1
      case .labels: 96
      case .parameters: 40
      }
    }

    /// The most records a file may have. Names are compared each with each, and each graph's
    /// tensors are planned in tables of fixed size, hence limits: several times what coin
    /// networks need, and small enough for a hostile file to be refused at once.
    var capacity: Int {
      switch self {
      case .graphs: 8
      case .tensors: 1024
      case .ports: 64
      case .operators: 1024
      case .weights: 16 << 20
      case .labels: 256
      case .parameters: 256
      }
    }
  }
}

/// Limits within which a graph can be planned in tables of fixed size and 32-bit arithmetic.
enum GraphLimits {
  /// Tensors of one graph; a 40-layer network with residual sums has fewer than 64.
  static let tensors = 128
  /// Operators of one graph.
  static let operators = 128
  /// Rows, columns or channels of a tensor.
  static let size = 4096
  /// Bytes of one tensor: 4 MiB, twice the budget for everything.
  static let tensorBytes = 4 << 20
  /// Elements a global average adds up: 255 * 2^16 fits an accumulator with room to spare.
  static let averagedElements = 1 << 16
  /// Right shift of a requantisation.
  static let shift = 30
  /// Lowest multiplier of a requantisation; the highest is 2^31 - 1.
  static let multiplier: Int32 = 1 << 30
  /// Highest multiplier of a sum, so that both products fit 16-bit multiply-add instructions.
  static let addMultiplier: Int32 = 32767
  /// Largest magnitude of an accumulator.
  static let accumulator = 1 << 30
}

/// What an operator does; the raw value is its number in the file.
enum OperatorKind: UInt8 {
  case convolution = 1
  case depthwiseConvolution = 2
  case add = 3
  case upsample2x = 4
  case averagePoolGlobal = 5
  case maxPool = 6

  /// Whether it is a convolution, dense or depthwise.
  var isConvolution: Bool { self == .convolution || self == .depthwiseConvolution }
}
