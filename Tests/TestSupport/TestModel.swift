/// A model file put together by hand, so that tests can leave parts out.
package struct TestModel {
  package struct Tensor {
    package var height: Int
    package var width: Int
    package var channels: Int
    package var scale: Double
  }

  package enum Step {
    /// A convolution without padding: weights by output, row, column and channel; bias and `gain`,
    /// what a weight of 1 is worth, in real numbers.
    case convolution(
      from: Int, to: Int, kernel: (Int, Int), stride: (Int, Int), weights: [Int], bias: [Double],
      gain: [Double])
    /// The mean over all places.
    case average(from: Int, to: Int)
  }

  package struct Graph {
    package var name: String
    package var tensors: [Tensor]
    package var steps: [Step]
    package var inputs: [(String, Int)]
    package var outputs: [(String, Int)]
  }

  package struct Label {
    package var name: String
    package var kind: String
    package var value: Int
    package var diameter: Float
    package var isWithdrawn: Bool

    package init(
      name: String, kind: String = "coin", value: Int = 0, diameter: Float = 0,
      isWithdrawn: Bool = false
    ) {
      self.name = name
      self.kind = kind
      self.value = value
      self.diameter = diameter
      self.isWithdrawn = isWithdrawn
    }
  }

  package var graphs: [Graph]
  package var labels: [Label]
  package var parameters: [(String, Float)]

  /// The file, as `Sources/Engine/ModelFormat.swift` lays it out.
  package func bytes() -> [UInt8] {
    var sections = Sections()
    for graph in graphs { sections.add(graph) }
    for label in labels {
      sections.text(5, label.name, 32)
      sections.text(5, label.kind, 16)
      sections.text(5, "aluminium", 32)
      sections.number(5, label.value, 4)
      sections.number(5, Int(label.diameter.bitPattern), 4)
      sections.number(5, label.isWithdrawn ? 1 : 0, 4)
      sections.number(5, 0, 4)
    }
    for (name, value) in parameters {
      sections.text(6, name, 32)
      sections.number(6, Int(value.bitPattern), 4)
      sections.number(6, 0, 4)
    }
    return sections.file()
  }

  private struct Sections {
    var bytes: [[UInt8]] = Array(repeating: [], count: 7)
    var counts = [Int](repeating: 0, count: 7)

    mutating func number(_ section: Int, _ value: Int, _ size: Int) {
      for place in 0..<size {
        bytes[section].append(UInt8(truncatingIfNeeded: value >> (8 * place)))
      }
    }

    mutating func text(_ section: Int, _ text: String, _ size: Int) {
      let characters = Array(text.utf8)
      for place in 0..<size {
        bytes[section].append(place < characters.count ? characters[place] : 0)
      }
    }

    mutating func array(_ values: [Int], _ size: Int) -> Int {
      while bytes[4].count % 16 != 0 { bytes[4].append(0) }
      let offset = bytes[4].count
      for value in values { number(4, value, size) }
      return offset
    }

    mutating func add(_ graph: Graph) {
      text(0, graph.name, 32)
      for number in [
        bytes[1].count / 16, graph.tensors.count, bytes[3].count / 64, graph.steps.count,
        bytes[2].count / 40, graph.inputs.count, graph.outputs.count, 0,
      ] { self.number(0, number, 4) }
      for tensor in graph.tensors {
        number(1, tensor.height, 2)
        number(1, tensor.width, 2)
        number(1, tensor.channels, 2)
        number(1, 0, 2)
        number(1, Int(Float(tensor.scale).bitPattern), 4)
        number(1, 0, 4)
      }
      for (name, tensor) in graph.inputs + graph.outputs {
        text(2, name, 32)
        number(2, tensor, 4)
        number(2, 0, 4)
      }
      for step in graph.steps { add(step, graph.tensors) }
    }

    mutating func add(_ step: Step, _ tensors: [Tensor]) {
      var kind = 5
      var window = [1, 1, 1, 1, 0, 0, 0, 0, 0]
      var source = 0
      var target = 0
      var shift = 0
      var multiplier = 0
      var offsets = [0, 0, 0, 0]
      switch step {
      case .convolution(let from, let to, let kernel, let stride, let weights, let bias, let gain):
        kind = 1
        window = [kernel.0, kernel.1, stride.0, stride.1, 0, 0, 0, 0, 0]
        (source, target) = (from, to)
        let pairs = gain.map { Self.multiplier($0 * tensors[from].scale / tensors[to].scale) }
        offsets = [
          array(weights, 1),
          array(
            bias.indices.map { Int((bias[$0] / (gain[$0] * tensors[from].scale)).rounded()) }, 4),
          array(pairs.map(\.0), 4), array(pairs.map(\.1), 1),
        ]
      case .average(let from, let to):
        (source, target) = (from, to)
        let count = Double(tensors[from].height * tensors[from].width)
        (multiplier, shift) = Self.multiplier(tensors[from].scale / tensors[to].scale / count)
      }
      number(3, kind, 1)
      for value in window { number(3, value, 1) }
      number(3, -128, 1)
      number(3, 127, 1)
      number(3, source, 2)
      number(3, 0xFFFF, 2)
      number(3, target, 2)
      number(3, shift, 1)
      number(3, 0, 5)
      number(3, multiplier, 4)
      number(3, 0, 8)
      for offset in offsets { number(3, offset, 4) }
      number(3, 0, 8)
      number(3, 0, 4)
    }

    /// `real` as multiplier / 2^31 / 2^shift.
    static func multiplier(_ real: Double) -> (Int, Int) {
      var mantissa = real
      var shift = 0
      while mantissa < 0.5 {
        mantissa *= 2
        shift += 1
      }
      precondition(mantissa < 1)
      return (min((1 << 31) - 1, Int((mantissa * 2_147_483_648).rounded())), shift)
    }

    func file() -> [UInt8] {
      let recordBytes = [64, 16, 40, 64, 1, 96, 40]
      var file = [UInt8](repeating: 0, count: 80)
      func put(_ offset: Int, _ value: Int) {
        for place in 0..<4 {
          file[offset + place] = UInt8(truncatingIfNeeded: value >> (8 * place))
        }
      }
      for index in bytes.indices {
        while file.count % 64 != 0 { file.append(0) }
        put(24 + 8 * index, file.count)
        put(28 + 8 * index, bytes[index].count / recordBytes[index])
        file += bytes[index]
      }
      file.replaceSubrange(0..<8, with: Array("RECEHNET".utf8))
      put(8, 1)
      put(12, file.count)
      var remainder = ~UInt32(0)
      for byte in file[24...] {
        remainder ^= UInt32(byte)
        for _ in 0..<8 { remainder = (remainder >> 1) ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
      }
      put(16, Int(~remainder))
      return file
    }
  }
}
