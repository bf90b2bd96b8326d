import CKernels
import Testing

@testable import Engine

@Suite struct ProcessorTests {
  @Test func thisProcessorHasTheReferenceAndItsBest() {
    let processor = Processor.current
    #expect(processor.has(.reference) && processor.has(processor.best))
    #expect(Kernels.fastest.set == processor.best)
  }

  @Test func kernelsTheProcessorLacksAreNotGiven() {
    let bare = Processor(ckernels_processor())
    #expect(Kernels(.avx512VNNI, on: bare) == nil)
    #expect(Kernels(.avx2, on: bare) == nil)
    #expect(Kernels(.neonDotProduct, on: bare) == nil)
  }

  #if arch(x86_64)
    /// A processor with everything this engine uses.
    private let full = ckernels_processor(
      leaf1_ecx: 1 << 27 | 1 << 28, leaf7_ebx: 1 << 5 | 1 << 16 | 1 << 17 | 1 << 30 | 1 << 31,
      leaf7_ecx: 1 << 11, leaf7_1_eax: 1 << 4, xcr0: 0xE7, hwcap: 0, hwcap2: 0)

    @Test func aProcessorWithEverythingUsesItsWidestDotProduct() {
      #expect(Processor(full).best == .avx512VNNI)
    }

    @Test func registersTheSystemDoesNotSaveAreNotUsed() {
      var report = full
      report.xcr0 = 0x07
      #expect(Processor(report).best == .avxVNNI)
      report.xcr0 = 0x03
      #expect(Processor(report).best == .reference)
      report = full
      report.leaf1_ecx = 1 << 28
      #expect(Processor(report).best == .reference)
    }

    @Test func everyFeatureOfASetIsNeeded() {
      for bit in [16, 17, 30, 31] as [UInt32] {
        var report = full
        report.leaf7_ebx &= ~(1 << bit)
        #expect(Processor(report).best == .avxVNNI)
      }
      var report = full
      report.leaf7_ecx = 0
      #expect(Processor(report).best == .avxVNNI)
      report.leaf7_1_eax = 0
      #expect(Processor(report).best == .avx2)
      report.leaf7_ebx &= ~(1 << 5)
      #expect(Processor(report).best == .reference)
    }
  #elseif arch(arm64)
    @Test func dotProductsAreUsedOnlyWhereTheSystemReportsThem() {
      #expect(Processor(ckernels_processor(hwcap: 0xFF, hwcap2: 0)).best == .neon)
      let dot: UInt64 = 1 << 20 | 0xFF
      #expect(Processor(ckernels_processor(hwcap: dot, hwcap2: 0)).best == .neonDotProduct)
      #expect(Processor(ckernels_processor(hwcap: dot, hwcap2: 1 << 13)).best == .neonMatrix)
      #expect(Processor(ckernels_processor(hwcap: 0xFF, hwcap2: 1 << 13)).best == .neon)
    }
  #endif
}
