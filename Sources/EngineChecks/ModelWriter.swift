/// Writes model files as `Sources/Engine/ModelFormat.swift` describes them.
public struct ModelWriter {
  /// Bytes of the graphs, tensors, ports, operators, weights, labels and parameters so far.
  private var sections: [[UInt8]] = Array(repeating: [], count: 7)
  private var zeroPoints: [Int] = []
  private var tensorCount: Int { zeroPoints.count }

  /// Starts an empty model.
  public init() {}

  /// Adds a tensor and returns its number.
  public mutating func tensor(
    height: Int, width: Int, channels: Int, zeroPoint: Int, scale: Float = 0.5
  ) -> Int {
    append(1, height, 2)
    append(1, width, 2)
    append(1, channels, 2)
    append(1, zeroPoint, 1)
    zeroPoints.append(zeroPoint)
    append(1, 0, 1)
    append(1, Int(scale.bitPattern), 4)
    append(1, 0, 4)
    return tensorCount - 1
  }

  /// The zero point of a tensor by its number.
  func zeroPoint(_ tensor: Int) -> Int { zeroPoints[tensor] }

  /// Adds an array of the weights section, `size` bytes a number, and returns its offset.
  public mutating func array(_ numbers: [Int], size: Int) -> Int {
    while sections[4].count % 16 != 0 { sections[4].append(0) }
    let offset = sections[4].count
    for number in numbers { append(4, number, size) }
    return offset
  }

  /// Adds an operator. The arrays of `arrays` are weights, bias, multipliers, shifts.
  public mutating func add(_ row: OperatorRow) {
    append(3, row.kind, 1)
    for number in row.window { append(3, number, 1) }
    append(3, row.minimum, 1)
    append(3, row.maximum, 1)
    append(3, row.input, 2)
    append(3, row.second, 2)
    append(3, row.output, 2)
    append(3, row.shift, 1)
    for _ in 0..<5 { append(3, 0, 1) }
    append(3, row.multiplier, 4)
    append(3, row.secondMultiplier, 4)
    append(3, 0, 4)
    for offset in row.arrays { append(3, offset, 4) }
    for _ in 0..<12 { append(3, 0, 1) }
  }

  /// Closes the one graph, named `test`, whose inputs are named `a` and `b` and outputs `out`, `two`
  /// and `three`.
  public mutating func finish(inputs: [Int], outputs: [Int]) -> [UInt8] {
    text(0, "test", 32)
    let operators = sections[3].count / 64
    for number in [0, tensorCount, 0, operators, 0, inputs.count, outputs.count, 0] {
      append(0, number, 4)
    }
    for (tensor, name) in zip(inputs, ["a", "b"] as [StaticString]) { port(tensor, name) }
    for (tensor, name) in zip(outputs, ["out", "two", "three"] as [StaticString]) {
      port(tensor, name)
    }
    return file()
  }

  private mutating func port(_ tensor: Int, _ name: StaticString) {
    text(2, name, 32)
    append(2, tensor, 4)
    append(2, 0, 4)
  }

  private mutating func text(_ section: Int, _ text: StaticString, _ size: Int) {
    for place in 0..<size {
      sections[section].append(place < text.utf8CodeUnitCount ? text.utf8Start[place] : 0)
    }
  }

  private mutating func append(_ section: Int, _ number: Int, _ size: Int) {
    for place in 0..<size {
      sections[section].append(UInt8(truncatingIfNeeded: number >> (8 * place)))
    }
  }

  private func file() -> [UInt8] {
    let recordBytes = [64, 16, 40, 64, 1, 96, 40]
    var bytes = [UInt8](repeating: 0, count: 80)
    for (index, section) in sections.enumerated() {
      while bytes.count % 64 != 0 { bytes.append(0) }
      ModelWriter.put(&bytes, 24 + 8 * index, bytes.count)
      ModelWriter.put(&bytes, 28 + 8 * index, section.count / recordBytes[index])
      bytes += section
    }
    let magic: StaticString = "RECEHNET"
    for place in 0..<8 { bytes[place] = magic.utf8Start[place] }
    ModelWriter.put(&bytes, 8, 1)
    ModelWriter.put(&bytes, 12, bytes.count)
    ModelWriter.seal(&bytes)
    return bytes
  }

  /// Writes the checksum that fits the file's bytes, so that changing them goes unnoticed.
  public static func seal(_ bytes: inout [UInt8]) {
    guard bytes.count >= 24 else { return }
    var remainder = ~UInt32(0)
    for byte in bytes[24...] {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = (remainder >> 1) ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    put(&bytes, 16, Int(~remainder))
  }

  /// Writes a 32-bit number at an offset.
  public static func put(_ bytes: inout [UInt8], _ offset: Int, _ number: Int) {
    for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
  }
}

/// One operator's row.
public struct OperatorRow {
  /// The kind's number in the file.
  public var kind: Int
  /// Kernel height and width, stride y and x, padding top, bottom, left, right, circular.
  public var window = [1, 1, 1, 1, 0, 0, 0, 0, 0]
  /// Least result, -128 to 127.
  public var minimum = -128
  /// Greatest result, -128 to 127.
  public var maximum = 127
  /// Number of the input tensor.
  public var input = 0
  /// Number of the second input tensor; 0xFFFF for none.
  public var second = 0xFFFF
  /// Number of the output tensor.
  public var output = 0
  /// Right shift of a sum or mean.
  public var shift = 0
  /// Multiplier of a mean, or of a sum's first input.
  public var multiplier = 0
  /// Multiplier of a sum's second input.
  public var secondMultiplier = 0
  /// Offsets of weights, bias, multipliers and shifts.
  public var arrays = [0, 0, 0, 0]

  /// An operator of this kind with a window of one element.
  public init(kind: Int) { self.kind = kind }
}
