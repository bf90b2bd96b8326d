import BenchmarkWork
import CSystem
import Engine

/// Loads a model and runs one of its networks a number of times, and nothing else, so that the
/// instructions executed can be counted from outside. Builds as Embedded Swift, which has no
/// arguments, so that all comes by standard input: a letter for the work (`d`etector, `r`efiner,
/// `c`lassifier; `f`rame up to the detector's maps, c`o`in cut out, refined and classified, and
/// compared with as many `t`aught kinds as there may be), a digit for the runs, and the model. A
/// network's letter as a capital runs nothing but prints bytes of constants and of arena, and then
/// for each operator the multiplications that it stands for, and how many of transformed elements are
/// done in their place.
@main
struct EngineCount {
  static func main() {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 20, alignment: 64)
    var count = 0
    while count < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
      let got = read(0, rest.baseAddress, rest.count)
      guard got > 0 else { break }
      count += got
    }
    guard count > 2, bytes[1] >= UInt8(ascii: "0"), bytes[1] <= UInt8(ascii: "9") else {
      fail("engine-count: give a letter, a digit and a model on standard input\n", status: 2)
    }
    do throws(ModelError) {
      let model = try Model(UnsafeRawBufferPointer(rebasing: bytes[2..<count]))
      let runs = Int(bytes[1] - UInt8(ascii: "0"))
      switch bytes[0] {
      case UInt8(ascii: "d"): try run(model, "detector", runs)
      case UInt8(ascii: "r"): try run(model, "refiner", runs)
      case UInt8(ascii: "D"): try describe(model, "detector", readsRows: true)
      case UInt8(ascii: "R"): try describe(model, "refiner")
      case UInt8(ascii: "C"): try describe(model, "classifier")
      case UInt8(ascii: "f"), UInt8(ascii: "o"):
        var work = try FrameWork(model, .fastest)
        for _ in 0..<runs {
          if bytes[0] == UInt8(ascii: "f") { work.locate() } else { work.identify() }
        }
      case UInt8(ascii: "t"):
        let work = try TaughtWork(model, .fastest)
        for _ in 0..<runs { work.run() }
      default: try run(model, "classifier", runs)
      }
    } catch {
      fail("engine-count: the model does not load or lacks the network\n", status: 1)
    }
  }

  static func run(_ model: Model, _ name: StaticString, _ runs: Int) throws(ModelError) {
    var graph = try graph(model, name)
    for _ in 0..<runs { graph.run() }
  }

  /// - Parameter readsRows: whether the memory is that of a graph that asks for its input by rows, as
  ///   the product's detector does.
  static func describe(
    _ model: Model, _ name: StaticString, readsRows: Bool = false
  ) throws(ModelError) {
    let need = try Graph.memory(model, name, .fastest, readsRows: readsRows)
    printPair(need.constants, need.arena)
    let graph = try graph(model, name)
    for step in 0..<graph.stepCount { printPair(graph.products(step), graph.productsInTiles(step)) }
  }

  static func printPair(_ first: Int, _ second: Int) {
    print(first, terminator: " ")
    print(second)
  }

  static func graph(_ model: Model, _ name: StaticString) throws(ModelError) -> Graph {
    let need = try Graph.memory(model, name, .fastest)
    return try Graph(
      model, name, .fastest,
      constants: .allocate(byteCount: need.constants, alignment: 64),
      arena: .allocate(byteCount: need.arena, alignment: 64))
  }

  static func fail(_ message: StaticString, status: Int32) -> Never {
    write(2, message.utf8Start, message.utf8CodeUnitCount)
    exit(status)
  }
}
