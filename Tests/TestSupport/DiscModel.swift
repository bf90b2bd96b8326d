/// A model that knows discs brightest in the middle, 32 pixels wide in the detector's input: a red
/// one is Rp100, a green one Rp500, a grey one foreign, a blue one nothing coin-like.
///
/// Three linear networks made by hand, so that the whole path can be followed: the detector takes
/// brightness for heat, the refiner moves to the centre of brightness, the classifier compares
/// channels.
package enum DiscModel {
  private static let pixels = 1.0 / 128

  /// The model, to be changed or written as a file.
  package static var model: TestModel {
    TestModel(
      graphs: [detector, refiner, classifier],
      labels: [
        TestModel.Label(name: "100-red", value: 100, diameter: 23),
        TestModel.Label(name: "500-green", value: 500, diameter: 27),
        TestModel.Label(name: "500-old", value: 500, diameter: 24, isWithdrawn: true),
        TestModel.Label(name: "foreign", kind: "foreign"),
        TestModel.Label(name: "not-a-coin", kind: "not-a-coin"),
      ],
      parameters: [
        ("detector.threshold", 0.5), ("refiner.threshold", 0.5), ("classifier.temperature", 1),
        ("classifier.unsure", 0.8), ("scale.sigma", 0.03),
        ("taught.radius", 0.3), ("taught.unsized-radius", 0.3),
      ])
  }

  private static var detector: TestModel.Graph {
    // Heat is 10 times the mean brightness, -1 to 1, of a cell.
    TestModel.Graph(
      name: "detector",
      tensors: [
        TestModel.Tensor(height: 240, width: 320, channels: 3, scale: pixels),
        TestModel.Tensor(height: 60, width: 80, channels: 1, scale: 0.08),
        TestModel.Tensor(height: 60, width: 80, channels: 2, scale: 0.01),
        TestModel.Tensor(height: 60, width: 80, channels: 2, scale: 0.02),
      ],
      steps: [
        .convolution(
          from: 0, to: 1, kernel: (4, 4), stride: (4, 4),
          weights: [Int](repeating: 100, count: 48), bias: [0], gain: [10 / 4800.0]),
        .convolution(
          from: 0, to: 2, kernel: (4, 4), stride: (4, 4),
          weights: [Int](repeating: 0, count: 96), bias: [0.5, 0.5], gain: [0.001, 0.001]),
        .convolution(
          from: 0, to: 3, kernel: (4, 4), stride: (4, 4),
          weights: [Int](repeating: 0, count: 96), bias: [0, 0], gain: [0.001, 0.001]),
      ],
      inputs: [("pixels", 0)], outputs: [("centre", 1), ("offset", 2), ("size", 3)])
  }

  private static var refiner: TestModel.Graph {
    let side = 72
    var outline: [Int] = []
    var coinness: [Int] = []
    for output in 0..<5 {
      for row in 0..<side {
        for column in 0..<side {
          let weight = output == 0 ? 2 * column - 71 : output == 1 ? 2 * row - 71 : 0
          outline += [weight, weight, weight]
        }
      }
    }
    for _ in 0..<(side * side) { coinness += [100, 0, -100] }
    // A disc of brightness 1 over its ground weighs a third of a cylinder of radius 24 in each
    // channel it shows in, one of three for the colours and three for grey: take two.
    let weight = 3.14159 * 24 * 24 / 3 * 2 * 1.6
    return TestModel.Graph(
      name: "refiner",
      tensors: [
        TestModel.Tensor(height: side, width: side, channels: 3, scale: pixels),
        TestModel.Tensor(height: 1, width: 1, channels: 5, scale: 0.008),
        TestModel.Tensor(height: 1, width: 1, channels: 1, scale: 0.1),
      ],
      steps: [
        .convolution(
          from: 0, to: 1, kernel: (side, side), stride: (1, 1), weights: outline,
          bias: [0, 0, 0, 0, 0], gain: [Double](repeating: 1 / (2 * 24 * weight), count: 5)),
        .convolution(
          from: 0, to: 2, kernel: (side, side), stride: (1, 1), weights: coinness, bias: [5],
          gain: [0.6 / Double(side * side)]),
      ],
      inputs: [("pixels", 0)], outputs: [("outline", 1), ("coinness", 2)])
  }

  private static var classifier: TestModel.Graph {
    TestModel.Graph(
      name: "classifier",
      tensors: [
        TestModel.Tensor(height: 48, width: 160, channels: 3, scale: pixels),
        TestModel.Tensor(height: 1, width: 1, channels: 3, scale: pixels),
        TestModel.Tensor(height: 1, width: 1, channels: 5, scale: 0.3),
      ],
      steps: [
        .average(from: 0, to: 1),
        .convolution(
          from: 1, to: 2, kernel: (1, 1), stride: (1, 1),
          weights: [100, -100, 0, -100, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
          bias: [0, 0, -10, 5, -10], gain: [Double](repeating: 0.25, count: 5)),
      ],
      inputs: [("pixels", 0)], outputs: [("logits", 2), ("likeness", 1)])
  }
}
