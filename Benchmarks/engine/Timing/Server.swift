import BenchmarkWork
import CPeak
import CSystem
import Detection
import Engine
import Frames

/// Answers questions about a model's networks, one a line on standard input, one answer a line on
/// standard output, so that another program can time it in turns with other engines.
///
///     steps NETWORK             what each operator is | products | those of tiles done instead |
///                               bytes moved, one after another
///     time NETWORK RUNS         nanoseconds of each run
///     step-times NETWORK RUNS   the median nanoseconds of each operator
///     output NETWORK IN OUT     runs on the elements in file IN, writes all outputs to OUT
///     frame RUNS                nanoseconds of each whole camera frame, see `FrameWork`
///     part NAME RUNS            nanoseconds of each run of a part of that, see `FrameWork.Part`
///     find FILE WIDTH HEIGHT RUNS
///                               how many coins the product finds in a picture of plain red, green,
///                               blue bytes, and nanoseconds of each run
///     finder                    bytes of memory the product's finder takes
///     memory NETWORK            bytes of constants, bytes of arena
///     peak                      multiply-accumulates a second in registers alone
///     read BYTES                bytes a second read from so small a block
struct Server: ~Copyable {
  private let model: Model
  private let kernels: Kernels
  private var frame: FrameWork?
  private var graphs: [String: UnsafeMutablePointer<Graph>] = [:]

  init(_ model: Model, _ kernels: Kernels) {
    self.model = model
    self.kernels = kernels
  }

  /// Answers until standard input ends.
  mutating func run() throws(ModelError) {
    reply("ready \(kernels.set.name)")
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      reply(try answer(words) ?? "error: \(line): see engine-benchmark --help")
    }
  }

  /// Unbuffered: whoever asked waits for the line.
  private func reply(_ line: String) {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBufferPointer { write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { exit(1) }
      bytes = bytes.dropFirst(count)
    }
  }

  private mutating func answer(_ words: [String]) throws(ModelError) -> String? {
    let count = words.count > 2 ? Int(words[2]) ?? 0 : 0
    switch words.first {
    case "steps" where words.count == 2:
      return try withGraph(words[1]) { graph in
        (0..<graph.stepCount).map { step in
          "\(graph.describe(step))|\(graph.products(step))|\(graph.productsInTiles(step))"
            + "|\(graph.traffic(step))"
        }.joined(separator: "|")
      }
    case "time" where count > 0:
      return try withGraph(words[1]) { graph in
        (0..<count).map { _ in
          let start = cpeak_nanoseconds()
          graph.run()
          return "\(cpeak_nanoseconds() - start)"
        }.joined(separator: " ")
      }
    case "step-times" where count > 0:
      return try withGraph(words[1]) { graph in
        var times = [[Int64]](repeating: [], count: graph.stepCount)
        for _ in 0..<count {
          for step in 0..<graph.stepCount {
            let start = cpeak_nanoseconds()
            graph.runStep(step)
            times[step].append(cpeak_nanoseconds() - start)
          }
        }
        let clock = clockCost()
        return times.map { "\(max(0, $0.sorted()[count / 2] - clock))" }.joined(separator: " ")
      }
    case "frame" where words.count == 2:
      return try frameTimes(Int(words[1]) ?? 1) { $0.run() }
    case "part" where count > 0:
      let part: FrameWork.Part
      switch words[1] {
      case "scaling": part = .scaling
      case "cutting": part = .cutting
      case "halving": part = .halving
      case "unrolling": part = .unrolling
      default: return nil
      }
      return try frameTimes(count) { $0.run(part) }
    case "output" where words.count == 4:
      return try withGraph(words[1]) { Self.writeOutputs(&$0, words[2], words[3]) }
    case "find" where words.count == 5:
      return find(words[1], Int(words[2]) ?? 0, Int(words[3]) ?? 0, Int(words[4]) ?? 1)
    case "finder":
      return (try? CoinFinder.memory(model, kernels)).map { "\($0)" }
    case "memory" where words.count == 2:
      return try memory(words[1])
    case "peak":
      return peak()
    case "read" where words.count == 2:
      return read(bytes: max(512, (Int(words[1]) ?? 0) / 512 * 512))
    default: return nil
    }
  }

  private mutating func frameTimes(
    _ count: Int, _ work: (inout FrameWork) -> Void
  ) throws(ModelError) -> String {
    if frame == nil { frame = try FrameWork(model, kernels) }
    guard var frame = frame.take() else { return "" }
    var times: [String] = []
    for _ in 0..<count {
      let start = cpeak_nanoseconds()
      work(&frame)
      times.append("\(cpeak_nanoseconds() - start)")
    }
    self.frame = consume frame
    return times.joined(separator: " ")
  }

  private func find(_ path: String, _ width: Int, _ height: Int, _ count: Int) -> String {
    guard width > 0, height > 0, let pixels = EngineBenchmark.read(path),
      pixels.count == 3 * width * height, let base = pixels.baseAddress
    else { return "error: \(path): is not \(width) by \(height) pixels" }
    defer { pixels.deallocate() }
    let image = ImageView(
      base: UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self), width: width,
      height: height, stride: 3 * width)
    do throws(FinderError) {
      let size = try CoinFinder.memory(model, kernels)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
      defer { memory.deallocate() }
      var finder = try CoinFinder(model, kernels, memory: memory)
      var coins = DetectionList(filler: .none)
      var times: [String] = []
      for _ in 0..<count {
        let start = cpeak_nanoseconds()
        finder.find(in: image, effort: .live, into: &coins)
        times.append("\(cpeak_nanoseconds() - start)")
      }
      return "\(coins.count) " + times.joined(separator: " ")
    } catch {
      return "error: \(error)"
    }
  }

  private func name(_ word: String) -> StaticString {
    switch word {
    case "detector": "detector"
    case "refiner": "refiner"
    default: "classifier"
    }
  }

  private func memory(_ word: String) throws(ModelError) -> String {
    // As the product has it: the detector's input comes by rows.
    let need = try Graph.memory(model, name(word), kernels, readsRows: word == "detector")
    return "\(need.constants) \(need.arena)"
  }

  /// Lends a network that is made once and kept.
  private mutating func withGraph(
    _ word: String, _ body: (inout Graph) -> String
  ) throws(ModelError) -> String {
    if graphs[word] == nil {
      let need = try Graph.memory(model, name(word), kernels)
      let place = UnsafeMutablePointer<Graph>.allocate(capacity: 1)
      place.initialize(
        to: try Graph(
          model, name(word), kernels,
          constants: .allocate(byteCount: need.constants, alignment: 64),
          arena: .allocate(byteCount: need.arena, alignment: 64)))
      graphs[word] = place
    }
    guard let graph = graphs[word] else { return "" }
    return body(&graph.pointee)
  }

  private static func writeOutputs(
    _ graph: inout Graph, _ source: String, _ target: String
  ) -> String {
    guard let input = try? graph.input("pixels"), let picture = EngineBenchmark.read(source),
      picture.count >= input.count
    else { return "error: \(source): cannot be read or is too short" }
    for place in 0..<input.count { input.base[place] = Int8(bitPattern: picture[place]) }
    graph.run()
    let descriptor = creat(target, 0o644)
    guard descriptor >= 0 else { return "error: \(target): cannot be written" }
    defer { close(descriptor) }
    for index in 0..<graph.outputCount {
      guard let output = try? graph.output(at: index),
        write(descriptor, output.base, output.count) == output.count
      else { return "error: \(target): cannot be written" }
    }
    return "written"
  }

  /// The best of several tries: the loop cannot be faster than the core, only disturbed.
  private func peak() -> String {
    var best = 0.0
    for _ in 0..<20 {
      let start = cpeak_nanoseconds()
      let products = cpeak_multiply("\(kernels.set.name)", 200_000)
      best = max(best, Double(products) / Double(cpeak_nanoseconds() - start))
    }
    return "\(best * 1e9)"
  }

  private func read(bytes count: Int) -> String {
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    block.initialize(repeating: 1, count: count)
    defer { block.deallocate() }
    let rounds = max(1, (16 << 20) / count)
    var best = 0.0
    for _ in 0..<20 {
      let start = cpeak_nanoseconds()
      _ = cpeak_read(block, count, Int64(rounds))
      best = max(best, Double(rounds * count) / Double(cpeak_nanoseconds() - start))
    }
    return "\(best * 1e9)"
  }
}

/// Nanoseconds between two readings of the clock with nothing between them.
private func clockCost() -> Int64 {
  var costs: [Int64] = []
  for _ in 0..<101 {
    let start = cpeak_nanoseconds()
    costs.append(cpeak_nanoseconds() - start)
  }
  return costs.sorted()[50]
}
