import CKernels

/// What kernels may use of the processor.
public enum InstructionSet: UInt8, Sendable {
  /// Plain Swift, on anything.
  case reference
  /// x86-64 with 256-bit integers.
  case avx2
  /// x86-64 with 256-bit byte dot products.
  case avxVNNI
  /// x86-64 with 512-bit byte dot products.
  case avx512VNNI
  /// aarch64 as every processor has it (Cortex-A53, A72).
  case neon
  /// aarch64 with byte dot products (Cortex-A76).
  case neonDotProduct
  /// aarch64 with byte matrix products (Cortex-A510, A710 and later).
  case neonMatrix

  /// The name shown in benchmarks and checks.
  public var name: StaticString {
    switch self {
    case .reference: "reference"
    case .avx2: "avx2"
    case .avxVNNI: "avx-vnni"
    case .avx512VNNI: "avx512-vnni"
    case .neon: "neon"
    case .neonDotProduct: "neon-dotprod"
    case .neonMatrix: "neon-i8mm"
    }
  }
}

/// Which instruction sets a processor has and its operating system supports.
public struct Processor: Sendable {
  /// Bit n is set when the set of raw value n may be used.
  private var sets: UInt8 = 1 << InstructionSet.reference.rawValue

  /// The processor this runs on.
  public static var current: Processor { Processor(ckernels_ask_processor()) }

  /// Whether the instruction set may be used.
  public func has(_ set: InstructionSet) -> Bool { sets & (1 << set.rawValue) != 0 }

  /// The fastest instruction set there is.
  public var best: InstructionSet {
    let fastestFirst: InlineArray<6, InstructionSet> = [
      .avx512VNNI, .avxVNNI, .avx2, .neonMatrix, .neonDotProduct, .neon,
    ]
    for index in 0..<fastestFirst.count where has(fastestFirst[index]) {
      return fastestFirst[index]
    }
    return .reference
  }

  /// Decides from what a processor reports: an instruction alone is not enough, the operating
  /// system must save the registers it uses.
  init(_ report: ckernels_processor) {
    #if arch(x86_64)
      var report = report
      let hasAVX2 = ckernels_has_avx2(&report)
      let hasAVXVNNI = hasAVX2 && report.leaf7_1_eax & (1 << 4) != 0
      let hasAVX512 = ckernels_has_avx512(&report)
      if hasAVX2 { add(.avx2) }
      if hasAVXVNNI { add(.avxVNNI) }
      if hasAVX512 && report.leaf7_ecx & (1 << 11) != 0 { add(.avx512VNNI) }
    #elseif arch(arm64)
      add(.neon)
      // HWCAP_ASIMDDP
      let hasDotProduct = report.hwcap & (1 << 20) != 0
      if hasDotProduct { add(.neonDotProduct) }
      // HWCAP2_I8MM; every processor that has it has dot products as well.
      if hasDotProduct && report.hwcap2 & (1 << 13) != 0 { add(.neonMatrix) }
    #endif
  }

  private mutating func add(_ set: InstructionSet) { sets |= 1 << set.rawValue }
}
