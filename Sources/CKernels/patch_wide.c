// What patch.c does, by 512-bit registers.
#include "frame_shared.h"

// Floating-point numbers are rounded after each operation, as the plain form rounds them.
#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl"))), \
                             apply_to = function)
#include "frame_blocks.h"
#include "patch_x86.h"
#include "patch_places.h"

/// Stores sums of sixteen pixels: of each four pixels, which share 128 bits, the first eight
/// values, and then the last four.
ALWAYS void store_sums(int16_t *sums, __m512i first, __m512i last) {
  const __m512i low = _mm512_setr_epi64(0, 1, 8, 2, 3, 10, 4, 5);
  const __m512i high = _mm512_setr_epi64(12, 6, 7, 14, 12, 6, 7, 14);
  _mm512_storeu_si512(sums, _mm512_permutex2var_epi64(first, low, last));
  _mm256_storeu_si256((__m256i *)(sums + 32),
                      _mm512_castsi512_si256(_mm512_permutex2var_epi64(first, high, last)));
}

ALWAYS __m512i two_halves(const void *low, const void *high) {
  return _mm512_inserti64x4(_mm512_castsi256_si512(load_wide(low)), load_wide(high), 1);
}

void ckernels_patch_along_wide(const uint8_t *line, const struct ckernels_patch_columns *columns,
                               int32_t count, int16_t *high, int16_t *low) {
  for (int32_t x = 0; x < count; x += 16) {
    const struct ckernels_patch_columns *next = columns + 1;
    __m512i bytes = _mm512_castsi128_si512(
        _mm_loadu_si128((const __m128i *)(line + columns->offsets[0])));
    bytes = _mm512_inserti32x4(
        bytes, _mm_loadu_si128((const __m128i *)(line + columns->offsets[1])), 1);
    bytes =
        _mm512_inserti32x4(bytes, _mm_loadu_si128((const __m128i *)(line + next->offsets[0])), 2);
    bytes =
        _mm512_inserti32x4(bytes, _mm_loadu_si128((const __m128i *)(line + next->offsets[1])), 3);
    __m512i highs[3], lows[3];
    UNROLLED for (int i = 0; i < 3; i++) {
      const __m512i places = two_halves(columns->places + 32 * i, next->places + 32 * i);
      const __m512i weights = two_halves(columns->weights + 16 * i, next->weights + 16 * i);
      const __m512i sum = _mm512_madd_epi16(_mm512_shuffle_epi8(bytes, places), weights);
      highs[i] = _mm512_srli_epi32(sum, 7);
      lows[i] = _mm512_and_si512(sum, _mm512_set1_epi32(127));
    }
    store_sums(high, _mm512_packs_epi32(highs[0], highs[1]),
               _mm512_packs_epi32(highs[2], highs[2]));
    store_sums(low, _mm512_packs_epi32(lows[0], lows[1]), _mm512_packs_epi32(lows[2], lows[2]));
    columns += 2;
    high += 48;
    low += 48;
  }
}

/// Both lines' words side by side times their weights, added: of each 128 bits the lower ones, or
/// the upper ones.
ALWAYS __m512i weighed_wide(__m512i upper, __m512i lower, bool is_high, __m512i weights) {
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
      const __m512i high = weighed_wide(a, b, part == 1, weights);
      const __m512i low = weighed_wide(c, d, part == 1, weights);
      means[part] = _mm512_srli_epi32(
          _mm512_add_epi32(_mm512_add_epi32(high, half), _mm512_srli_epi32(low, 7)), 19);
    }
    _mm256_mask_storeu_epi8(bytes + i, some,
                            _mm512_cvtepi16_epi8(_mm512_packs_epi32(means[0], means[1])));
  }
}

typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef int32_t i32x16 __attribute__((ext_vector_type(16)));

/// `places_of`, sixteen of them.
ALWAYS void take_places(f32x16 at, int32_t side, i32x16 *whole, i32x16 *rest) {
  const f32x16 last = (f32x16)(float)(side - 1), first = (f32x16)0.0f;
  const f32x16 less = at - 0.5f;
  const f32x16 low = less < last ? less : last;
  const f32x16 bounded = low >= first ? low : first;
  const i32x16 fixed = __builtin_convertvector(bounded * 256 + 0.5f, i32x16);
  *whole = __builtin_elementwise_min(fixed >> 8, (i32x16)(side - 2));
  *rest = fixed - (*whole << 8);
}

/// Two neighbouring pixels of eight places each, and two bytes that follow.
ALWAYS __m512i eight_pairs(const uint8_t *patch, const uint32_t *corners) {
  typedef uint64_t u64x8 __attribute__((vector_size(64)));
  u64x8 pairs;
  UNROLLED for (int i = 0; i < 8; i++) pairs[i] = two_pixels(patch + corners[i], false);
  return (__m512i)pairs;
}

/// Of each pair one pixel's values as 16-bit numbers.
ALWAYS __m512i pick(__m512i pairs, char first) {
  const __m128i places = _mm_setr_epi8(first, -1, first + 1, -1, first + 2, -1, -1, -1, first + 8,
                                       -1, first + 9, -1, first + 10, -1, -1, -1);
  return _mm512_shuffle_epi8(pairs, _mm512_broadcast_i32x4(places));
}

/// The values between each pair's pixels, times 256.
ALWAYS __m512i between_pixels(__m512i pairs, __m512i along) {
  // Times 256 at most: what overflows 16 bits on the way comes back.
  const __m512i left = pick(pairs, 0);
  return _mm512_add_epi16(_mm512_slli_epi16(left, 8),
                          _mm512_mullo_epi16(_mm512_sub_epi16(pick(pairs, 3), left), along));
}

/// `eight_places`, none of them near the end.
ALWAYS void eight_places_wide(const uint8_t *patch, const uint32_t *corners, size_t line,
                              __m512i along, __m512i down, int8_t *output) {
  const __m512i top = between_pixels(eight_pairs(patch, corners), along);
  const __m512i bottom = between_pixels(eight_pairs(patch + line, corners), along);
  // As `between_lines` has it.
  const __m512i half = _mm512_set1_epi16((short)0x8000);
  const __m512i upper = _mm512_xor_si512(top, half), lower = _mm512_xor_si512(bottom, half);
  const __m512i above = _mm512_sub_epi16(_mm512_set1_epi16(256), down);
  const __m512i back = _mm512_set1_epi32((1 << 23) + (1 << 15));
  const __m512i first = _mm512_madd_epi16(_mm512_unpacklo_epi16(upper, lower),
                                          _mm512_unpacklo_epi16(above, down));
  const __m512i second = _mm512_madd_epi16(_mm512_unpackhi_epi16(upper, lower),
                                           _mm512_unpackhi_epi16(above, down));
  const __m512i words = _mm512_packs_epi32(_mm512_srli_epi32(_mm512_add_epi32(first, back), 16),
                                           _mm512_srli_epi32(_mm512_add_epi32(second, back), 16));
  // Three of each four bytes.
  const __m256i bytes =
      _mm256_xor_si256(_mm512_cvtepi16_epi8(words), _mm256_set1_epi8((char)0x80));
  const __m128i three = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
  const __m256i packed = _mm256_permutevar8x32_epi32(
      _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(three)),
      _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7));
  _mm256_mask_storeu_epi32(output, 0x3F, packed);
}

void ckernels_patch_unwrap_wide(const uint8_t *patch, int32_t side, float x, float y,
                                const float *x_steps, const float *y_steps, int32_t radii,
                                int32_t angles, int8_t *output) {
  const size_t line = 3 * (size_t)side;
  // From corners up to this one eight bytes of the lower line can be read.
  const i32x16 most = (i32x16)((int32_t)line * (side - 1) - 8);
  // Each of eight numbers, of the lower half and of the upper one, for all values of its place.
  const __m512i low = _mm512_set_epi64(
      0x0007000700070007, 0x0006000600060006, 0x0005000500050005, 0x0004000400040004,
      0x0003000300030003, 0x0002000200020002, 0x0001000100010001, 0);
  const __m512i high = _mm512_add_epi16(low, _mm512_set1_epi16(8));
  for (int32_t radius = 0; radius < radii; radius++) {
    const float distance = (float)radius + 0.5f;
    for (int32_t angle = 0; angle < angles; angle += 16) {
      f32x16 x_step, y_step;
      memcpy(&x_step, x_steps + angle, sizeof x_step);
      memcpy(&y_step, y_steps + angle, sizeof y_step);
      i32x16 across, below, across_rest, below_rest;
      take_places(x + distance * x_step, side, &across, &across_rest);
      take_places(y + distance * y_step, side, &below, &below_rest);
      const i32x16 corner = below * (int32_t)line + 3 * across;
      uint32_t corners[16];
      memcpy(corners, &corner, sizeof corners);
      const __m256i along = _mm512_cvtepi32_epi16((__m512i)across_rest);
      const __m256i down = _mm512_cvtepi32_epi16((__m512i)below_rest);
      if (__builtin_reduce_and(corner <= most)) {
        const __m512i alongs = _mm512_castsi256_si512(along), downs = _mm512_castsi256_si512(down);
        eight_places_wide(patch, corners, line, _mm512_permutexvar_epi16(low, alongs),
                          _mm512_permutexvar_epi16(low, downs), output);
        eight_places_wide(patch, corners + 8, line, _mm512_permutexvar_epi16(high, alongs),
                          _mm512_permutexvar_epi16(high, downs), output + 24);
      } else {
        u16x8 alongs[2], downs[2];
        memcpy(alongs, &along, sizeof alongs);
        memcpy(downs, &down, sizeof downs);
        for (int half = 0; half < 2; half++)
          eight_places(patch, corners + 8 * half, line, true, alongs[half], downs[half],
                       output + 24 * half);
      }
      output += 48;
    }
  }
}
#pragma clang attribute pop
#endif
