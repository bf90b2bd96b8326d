#include "frame_wide.h"

#include "shared.h"

#include <string.h>

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl"))), \
                             apply_to = function)
#define WIDE
#include "frame_blocks.h"
#include "frame_pairs_x86.h"
#include "frame_rows.h"

int32_t ckernels_frame_planes_wide(const struct ckernels_frame_row *row, uint8_t *planes,
                                   size_t pitch) {
  return whole_planes(row, planes, pitch);
}

int32_t ckernels_frame_halve_wide(const struct ckernels_frame_row *upper,
                                  const struct ckernels_frame_row *lower,
                                  struct ckernels_pixel_form form, int8_t *output) {
  return halve_whole(upper, lower, form, output);
}

/// Both lines' words side by side times their weights, added: of each 128 bits the lower ones, or
/// the upper ones.
ALWAYS __m512i weighed_lines(__m512i upper, __m512i lower, bool is_high, __m512i weights) {
  return _mm512_madd_epi16(is_high ? _mm512_unpackhi_epi16(upper, lower)
                                   : _mm512_unpacklo_epi16(upper, lower),
                           weights);
}

void ckernels_patch_down_wide(struct ckernels_patch_line upper, struct ckernels_patch_line lower,
                              int32_t fraction, int32_t count, uint8_t *bytes) {
  const __m512i weights = _mm512_set1_epi32((8192 - fraction) | fraction << 16);
  const __m512i half = _mm512_set1_epi32(1 << 18);
  for (int32_t i = 0; i < 3 * count; i += 32) {
    const int32_t left = 3 * count - i;
    const __mmask32 some = left < 32 ? (1u << left) - 1 : ~0u;
    const __m512i a = _mm512_maskz_loadu_epi16(some, upper.high + i);
    const __m512i b = _mm512_maskz_loadu_epi16(some, lower.high + i);
    const __m512i c = _mm512_maskz_loadu_epi16(some, upper.low + i);
    const __m512i d = _mm512_maskz_loadu_epi16(some, lower.low + i);
    __m512i means[2];
    UNROLLED for (int part = 0; part < 2; part++) {
      const __m512i high = weighed_lines(a, b, part == 1, weights);
      const __m512i low = weighed_lines(c, d, part == 1, weights);
      means[part] = _mm512_srli_epi32(
          _mm512_add_epi32(_mm512_add_epi32(high, half), _mm512_srli_epi32(low, 7)), 19);
    }
    _mm256_mask_storeu_epi8(bytes + i, some,
                            _mm512_cvtepi16_epi8(_mm512_packs_epi32(means[0], means[1])));
  }
}
#pragma clang attribute pop
#endif
