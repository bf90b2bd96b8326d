import CKernels

/// A tensor in the arena: where it lies, its shape, and the number that stands for zero.
struct Operand {
  var base: UnsafeMutablePointer<Int8>
  var height: Int
  var width: Int
  var channels: Int
  var zeroPoint: Int32

  var count: Int { height * width * channels }
  var rowCount: Int { width * channels }
}

/// One operator made ready to run: every pointer and number its kernel needs, none left to check.
///
/// Steps lie in the graph's constant memory, one after the other, in the order they run.
struct Step {
  var kind: OperatorKind
  var window: Window
  var source: Operand
  /// The second summand; the same as `source` where there is only one.
  var second: Operand
  var target: Operand
  var minimum: Int32
  var maximum: Int32
  var shift: Int32
  var multiplier: Int32
  var secondMultiplier: Int32
  /// The file's arrays, at any alignment.
  var weights: UnsafePointer<Int8>
  var bias: UnsafeRawPointer
  var multipliers: UnsafeRawPointer
  var shifts: UnsafePointer<UInt8>
  /// Whether another step runs this one along.
  var isCarried: Bool
  /// What makes the rows of an input that is never whole in memory, when they are asked for; its
  /// `base` is then room for one.
  var sourceMaker: UnsafeMutablePointer<Step>?
  var secondMaker: UnsafeMutablePointer<Step>?
  /// What makes the rows of the graph's input, where this step asks for them; while the graph runs.
  var rowSource: RowSource?
  /// How many steps right before this one compute their rows along with it from the same input rows.
  var companions: Int
  /// What the vector form of a convolution needs besides.
  var rows: RowPlan

  /// The bias of an output channel.
  func bias(_ channel: Int) -> Int32 {
    Int32(littleEndian: bias.loadUnaligned(fromByteOffset: 4 * channel, as: Int32.self))
  }

  /// The requantisation multiplier of an output channel.
  func multiplier(_ channel: Int) -> Int32 {
    Int32(littleEndian: multipliers.loadUnaligned(fromByteOffset: 4 * channel, as: Int32.self))
  }

  /// The requantisation shift of an output channel.
  func shift(_ channel: Int) -> Int32 { Int32(shifts[channel]) }

  /// Row and column of the input that a place in the padded input stands for; -1 for padding.
  func sourceColumn(_ padded: Int) -> Int {
    let column = padded - window.left
    if column >= 0 && column < source.width { return column }
    guard window.isCircular else { return -1 }
    return column < 0 ? column + source.width : column - source.width
  }

  /// The input's row for a row of the padded input; -1 for padding.
  func sourceRow(_ padded: Int) -> Int {
    let row = padded - window.top
    return row >= 0 && row < source.height ? row : -1
  }
}
