import CSystem
import Engine
import EngineChecks

/// Holds the kernels of every instruction set this processor has to the reference, and prints what
/// was found: one line for each set and operator, then `N passed, N failed`. Exit status 1 when
/// anything failed. Runs on the host and, cross-built, on an emulated board.
@main
struct EngineCheck {
  static let operators: [StaticString] = [
    "convolution", "depthwise convolution", "add", "upsample 2x", "average pool", "max pool",
    "convolutions by rows", "networks",
    "depthwise convolutions by rows", "convolutions in tiles",
  ]

  static func main() {
    let processor = Processor.current
    let sets: [InstructionSet] = [
      .avx2, .avxVNNI, .avx512VNNI, .neon, .neonDotProduct, .neonMatrix,
    ]
    print("fastest: ", terminator: "")
    print(processor.best.name)
    var passed = 0
    var failed = 0
    for set in sets {
      guard let kernels = Kernels(set, on: processor) else { continue }
      for kind in 1...10 {
        let count = kind == 1 ? 400 : kind == 7 ? 12 : kind == 8 ? 24 : kind == 9 ? 16 : 100
        let check = KernelCheck(kernels, kind: kind, count: count, seed: 1)
        print(set.name, terminator: " ")
        print(operators[kind - 1], terminator: ": ")
        print(check.passed, terminator: " of ")
        print(check.passed + check.failed, terminator: " equal the reference\n")
        passed += check.passed
        failed += check.failed
        if check.firstFailure >= 0 {
          print("first failure: case ", terminator: "")
          print(check.firstFailure)
        }
      }
    }
    let frames = FrameCheck(count: 300, seed: 1)
    print("frames: ", terminator: "")
    print(frames.passed, terminator: " of ")
    print(frames.passed + frames.failed, terminator: " equal the reference\n")
    passed += frames.passed
    failed += frames.failed
    print(passed, terminator: " passed, ")
    print(failed, terminator: " failed\n")
    exit(failed == 0 && passed > 0 ? 0 : 1)
  }
}
