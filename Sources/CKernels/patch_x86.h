// What the cutting and unrolling of coins does by instructions of x86-64 alone.
#include <immintrin.h>

/// Blends eight pixels of a line: samples are paired as 16-bit numbers, and a pair's products added
/// by one instruction.
ALWAYS void along_8(const uint8_t *line, const struct ckernels_patch_columns *columns,
                    int16_t *high, int16_t *low) {
  __m128i sums[6];
  UNROLLED for (int half = 0; half < 2; half++) {
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(line + columns->offsets[half]));
    UNROLLED for (int i = 0; i < 3; i++) {
      const int at = 3 * half + i;
      const __m128i places = _mm_loadu_si128((const __m128i *)(columns->places + 16 * at));
      const __m128i weights = _mm_loadu_si128((const __m128i *)(columns->weights + 8 * at));
      sums[at] = _mm_madd_epi16(_mm_shuffle_epi8(bytes, places), weights);
    }
  }
  const __m128i last = _mm_set1_epi32(127);
  UNROLLED for (int i = 0; i < 3; i++) {
    const __m128i one = sums[2 * i], two = sums[2 * i + 1];
    _mm_storeu_si128((__m128i *)(high + 8 * i),
                     _mm_packs_epi32(_mm_srli_epi32(one, 7), _mm_srli_epi32(two, 7)));
    _mm_storeu_si128((__m128i *)(low + 8 * i),
                     _mm_packs_epi32(_mm_and_si128(one, last), _mm_and_si128(two, last)));
  }
}

ALWAYS __m128i load_words(const int16_t *from) { return _mm_loadu_si128((const __m128i *)from); }

/// Both lines' words side by side times their weights, added.
ALWAYS __m256i weighed_lines(__m128i upper, __m128i lower, __m256i weights) {
  const __m256i both = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_unpacklo_epi16(upper, lower)), _mm_unpackhi_epi16(upper, lower),
      1);
  return _mm256_madd_epi16(both, weights);
}

/// Blends eight values of two lines. Their last bits are weighed apart, so that 32 bits are enough.
ALWAYS void down_8(const int16_t *upper_high, const int16_t *upper_low, const int16_t *lower_high,
                   const int16_t *lower_low, int32_t upper, int32_t lower, uint8_t *bytes) {
  const __m256i weights = _mm256_set1_epi32(upper | lower << 16);
  const __m256i high = weighed_lines(load_words(upper_high), load_words(lower_high), weights);
  const __m256i low = weighed_lines(load_words(upper_low), load_words(lower_low), weights);
  const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(high, _mm256_srli_epi32(low, 7)),
                                       _mm256_set1_epi32(1 << 18));
  const __m256i mean = _mm256_srli_epi32(sum, 19);
  const __m128i words =
      _mm_packs_epi32(_mm256_castsi256_si128(mean), _mm256_extracti128_si256(mean, 1));
  _mm_storel_epi64((__m128i *)bytes, _mm_packus_epi16(words, words));
}

/// `down` / 256 from `top` to `bottom`, unsigned 16-bit numbers, over 256 and rounded. They are
/// made signed, as the multiplication has them, by taking away 2^15, which is put back with the
/// half.
ALWAYS u8x16 between_lines(u16x16 top, u16x16 bottom, u16x16 down) {
  const __m256i half = _mm256_set1_epi16((short)0x8000), below = (__m256i)down;
  const __m256i upper = _mm256_xor_si256((__m256i)top, half);
  const __m256i lower = _mm256_xor_si256((__m256i)bottom, half);
  const __m256i above = _mm256_sub_epi16(_mm256_set1_epi16(256), below);
  const __m256i back = _mm256_set1_epi32((1 << 23) + (1 << 15));
  const __m256i first = _mm256_madd_epi16(_mm256_unpacklo_epi16(upper, lower),
                                          _mm256_unpacklo_epi16(above, below));
  const __m256i second = _mm256_madd_epi16(_mm256_unpackhi_epi16(upper, lower),
                                           _mm256_unpackhi_epi16(above, below));
  const __m256i words = _mm256_packs_epi32(_mm256_srli_epi32(_mm256_add_epi32(first, back), 16),
                                           _mm256_srli_epi32(_mm256_add_epi32(second, back), 16));
  return (u8x16)_mm_packus_epi16(_mm256_castsi256_si128(words),
                                 _mm256_extracti128_si256(words, 1));
}
