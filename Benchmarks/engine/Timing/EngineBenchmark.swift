import CSystem
import Engine

/// Times a model's networks operator by operator: milliseconds and multiply-accumulates a second,
/// the median of several runs, with each instruction set this processor has or the one named.
@main
struct EngineBenchmark {
  /// Runs of the whole network; the median of each operator's times is shown.
  static let runs = 41

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, path != "--help" else {
      print("usage: engine-benchmark MODEL [INSTRUCTION-SET] [--serve]")
      print("times each operator of the model's networks; see Benchmarks/engine/run")
      print("--serve answers the questions of Benchmarks/peers, which Server.swift lists")
      exit(arguments.first == nil ? 2 : 0)
    }
    guard let bytes = read(path) else {
      print("\(path): cannot be read: name a model file")
      exit(1)
    }
    let sets: [InstructionSet] = [
      .reference, .avx2, .avxVNNI, .avx512VNNI, .neon, .neonDotProduct, .neonMatrix,
    ]
    let options = arguments.dropFirst()
    let chosen = options.first { $0 != "--serve" }
    do throws(ModelError) {
      let model = try Model(UnsafeRawBufferPointer(bytes))
      for set in sets {
        guard let kernels = Kernels(set) else { continue }
        if chosen.map({ $0 == "\(set.name)" }) ?? (set == Kernels.fastest.set) {
          if options.contains("--serve") {
            var server = Server(model, kernels)
            try server.run()
            return
          }
          try time(model, "detector", kernels)
          try time(model, "refiner", kernels)
          try time(model, "classifier", kernels)
        }
      }
    } catch {
      print("\(path): \(error)")
      exit(1)
    }
  }

  static func time(_ model: Model, _ name: StaticString, _ kernels: Kernels) throws(ModelError) {
    let need = try Graph.memory(model, name, kernels)
    let constants = UnsafeMutableRawBufferPointer.allocate(
      byteCount: need.constants, alignment: 64)
    let arena = UnsafeMutableRawBufferPointer.allocate(byteCount: need.arena, alignment: 64)
    defer {
      constants.deallocate()
      arena.deallocate()
    }
    var graph = try Graph(model, name, kernels, constants: constants, arena: arena)
    print("\(name), \(kernels.set.name): constants \(need.constants) B, arena \(need.arena) B")
    var times = [[Double]](repeating: [], count: graph.stepCount)
    let clock = ContinuousClock()
    for _ in 0..<runs {
      for step in 0..<graph.stepCount {
        let elapsed = clock.measure { graph.runStep(step) }
        times[step].append(Double(elapsed.components.attoseconds) * 1e-18)
      }
    }
    var products = 0
    var total = 0.0
    for step in 0..<graph.stepCount {
      products += graph.products(step)
      total += median(times[step])
      line("  \(step) \(graph.describe(step))", median(times[step]), graph.products(step))
    }
    line("  sum of the medians", total, products)
    let input = try graph.input("pixels")
    var state: UInt32 = 1
    for place in 0..<input.count {
      state = state &* 1_664_525 &+ 1_013_904_223
      input.base[place] = Int8(truncatingIfNeeded: Int(state >> 24) - 128)
    }
    graph.run()
    print("  outputs for a fixed noise picture: \(try checksum(graph))")
  }

  /// FNV-1a of all outputs: the same with every instruction set and on every machine.
  static func checksum(_ graph: borrowing Graph) throws(ModelError) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<graph.outputCount {
      let output = try graph.output(at: index)
      for place in 0..<output.count {
        hash = (hash ^ UInt64(UInt8(bitPattern: output.base[place]))) &* 0x100_0000_01B3
      }
    }
    return String(hash, radix: 16)
  }

  static func line(_ text: String, _ seconds: Double, _ products: Int) {
    let padded = text + String(repeating: " ", count: max(1, 52 - text.count))
    let rate = Double(products) / seconds / 1e9
    print(padded + "\(fixed(seconds * 1e3, 4)) ms  \(fixed(rate, 1)) GMAC/s")
  }

  static func fixed(_ number: Double, _ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((number * scale).rounded())
    let fraction = String(whole % Int(scale))
    return "\(whole / Int(scale))." + String(repeating: "0", count: digits - fraction.count)
      + fraction
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  static func read(_ path: String) -> UnsafeMutableRawBufferPointer? {
    let descriptor = csystem_open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 20, alignment: 64)
    var count = 0
    while count < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
      let got = CSystem.read(descriptor, rest.baseAddress, rest.count)
      guard got > 0 else { break }
      count += got
    }
    return UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
  }
}
