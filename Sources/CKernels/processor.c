#include "ckernels.h"

#if defined(__x86_64__)
#include <cpuid.h>

struct ckernels_processor ckernels_ask_processor(void) {
  struct ckernels_processor processor = {0};
  unsigned eax, ebx, ecx, edx;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) processor.leaf1_ecx = ecx;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    processor.leaf7_ebx = ebx;
    processor.leaf7_ecx = ecx;
    // The highest subleaf; a subleaf above it would give something else.
    if (eax >= 1 && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx)) processor.leaf7_1_eax = eax;
  }
  if (processor.leaf1_ecx & bit_OSXSAVE) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    processor.xcr0 = low;
  }
  return processor;
}
#elif defined(__aarch64__)
#include <sys/auxv.h>

struct ckernels_processor ckernels_ask_processor(void) {
  return (struct ckernels_processor){.hwcap = getauxval(AT_HWCAP),
                                     .hwcap2 = getauxval(AT_HWCAP2)};
}
#else
struct ckernels_processor ckernels_ask_processor(void) { return (struct ckernels_processor){0}; }
#endif

bool ckernels_has_avx2(const struct ckernels_processor *processor) {
  const uint32_t saved = 0x06, xsave = 1u << 27 | 1u << 28, avx2 = 1u << 5;
  return (processor->xcr0 & saved) == saved && (processor->leaf1_ecx & xsave) == xsave &&
         (processor->leaf7_ebx & avx2) != 0;
}

bool ckernels_has_avx512(const struct ckernels_processor *processor) {
  // F, DQ, BW and VL.
  const uint32_t saved = 0xE6, wanted = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
  return ckernels_has_avx2(processor) && (processor->xcr0 & saved) == saved &&
         (processor->leaf7_ebx & wanted) == wanted;
}
