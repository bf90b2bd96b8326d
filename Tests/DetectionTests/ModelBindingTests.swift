import Detection
import Engine
import TestSupport
import Testing

@Suite struct ModelBindingTests {
  /// What is said of a model, or "" when it is fine.
  private func complaint(_ change: (inout TestModel) -> Void) -> String {
    var model = DiscModel.model
    change(&model)
    do {
      _ = try TestFinder(model)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func aCompleteModelIsAccepted() {
    #expect(complaint { _ in } == "")
  }

  @Test(arguments: ["detector", "refiner", "classifier"])
  func aMissingGraphIsNamed(name: String) {
    let said = complaint { $0.graphs.removeAll { $0.name == name } }
    #expect(said.hasPrefix("model: has no graph \(name);"))
  }

  @Test(arguments: ["centre", "offset", "size", "outline", "coinness", "logits"])
  func aMissingOutputIsNamed(name: String) {
    let said = complaint { model in
      for graph in model.graphs.indices {
        for output in model.graphs[graph].outputs.indices
        where model.graphs[graph].outputs[output].0 == name {
          model.graphs[graph].outputs[output].0 = "other"
        }
      }
    }
    #expect(said.contains("has no input or output \(name);"))
  }

  @Test func aMissingInputIsNamed() {
    let said = complaint { $0.graphs[1].inputs[0].0 = "picture" }
    #expect(said.contains("graph refiner has no input or output pixels"))
  }

  @Test(arguments: [
    "detector.threshold", "refiner.threshold", "classifier.temperature", "classifier.unsure",
    "scale.sigma",
  ])
  func aMissingOrSenselessParameterIsNamed(name: String) {
    let missing = complaint { $0.parameters.removeAll { $0.0 == name } }
    #expect(missing.contains("has no parameter \(name);"))
    let senseless = complaint { model in
      for index in model.parameters.indices where model.parameters[index].0 == name {
        model.parameters[index].1 = -3
      }
    }
    #expect(senseless.contains("parameter \(name) is out of range"))
  }

  @Test func parametersThatMayBeLeftOutAreReadAndCheckedWhenThere() throws {
    var model = DiscModel.model
    #expect(try TestFinder(model).finder.parameters.reject == 0.5)
    model.parameters.append(("classifier.reject", 0.25))
    #expect(try TestFinder(model).finder.parameters.reject == 0.25)
    #expect(complaint { $0.parameters.append(("scale.tilt", 7)) }.contains("scale.tilt"))
  }

  @Test func labelsMustFitTheClassifier() {
    #expect(
      complaint { $0.labels.removeLast() }.contains("not one label for each output"))
    #expect(complaint { $0.labels[1].value = 25 }.contains("label 1 has a value or diameter"))
    #expect(complaint { $0.labels[2].diameter = 0 }.contains("label 2 has a value or diameter"))
    #expect(complaint { $0.labels[4].kind = "coin" }.contains("no label of the kind not-a-coin"))
    #expect(
      complaint { $0.labels[3] = .init(name: "x", value: 50, diameter: 20) }
        .contains("no label of the kind foreign"))
  }

  @Test func tensorsOfOtherShapesAndScalesAreRefused() {
    #expect(
      complaint { $0.graphs[1].outputs[0].1 = 2 }
        .contains("graph refiner has a outline of another shape"))
    #expect(
      complaint { $0.graphs[0].outputs[1].1 = 1 }
        .contains("graph detector has a offset of another shape"))
    #expect(
      complaint { $0.graphs[2].tensors[0].scale = 1 / 255.0 }
        .contains("graph classifier has an input that is not (pixel - 128) / 128"))
  }

  @Test func memoryThatIsTooSmallOrMisalignedIsRefused() throws {
    let file = DiscModel.model.bytes()
    try file.withUnsafeBytes { bytes in
      let model = try Model(bytes)
      let size = try CoinFinder.memory(model, .fastest)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 64, alignment: 64)
      defer { memory.deallocate() }
      for (start, count) in [(0, size - 64), (0, 0), (8, size)] {
        #expect(throws: FinderError.self) {
          _ = try CoinFinder(
            model, .fastest,
            memory: UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + count)]))
        }
      }
    }
  }
}
