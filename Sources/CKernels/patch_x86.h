// What the cutting and unrolling of coins does by instructions of x86-64 alone.
#include <immintrin.h>

ALWAYS __m256i load_wide(const void *from) { return _mm256_loadu_si256((const __m256i *)from); }

/// Blends eight pixels of a line, four in each half of the registers: samples are paired as 16-bit
/// numbers, and a pair's products added by one instruction.
ALWAYS void along_8(const uint8_t *line, const struct ckernels_patch_columns *columns,
                    int16_t *high, int16_t *low) {
  const __m256i bytes = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(line + columns->offsets[0]))),
      _mm_loadu_si128((const __m128i *)(line + columns->offsets[1])), 1);
  __m256i highs[3], lows[3];
  UNROLLED for (int i = 0; i < 3; i++) {
    const __m256i pairs = _mm256_shuffle_epi8(bytes, load_wide(columns->places + 32 * i));
    const __m256i sum = _mm256_madd_epi16(pairs, load_wide(columns->weights + 16 * i));
    highs[i] = _mm256_srli_epi32(sum, 7);
    lows[i] = _mm256_and_si256(sum, _mm256_set1_epi32(127));
  }
  const __m256i first_highs = _mm256_packs_epi32(highs[0], highs[1]);
  const __m256i first_lows = _mm256_packs_epi32(lows[0], lows[1]);
  const __m256i last = _mm256_packs_epi32(highs[2], lows[2]);
  UNROLLED for (int half = 0; half < 2; half++) {
    const __m128i both =
        half == 0 ? _mm256_castsi256_si128(last) : _mm256_extracti128_si256(last, 1);
    _mm_storeu_si128((__m128i *)(high + 12 * half),
                     half == 0 ? _mm256_castsi256_si128(first_highs)
                               : _mm256_extracti128_si256(first_highs, 1));
    _mm_storeu_si128((__m128i *)(low + 12 * half),
                     half == 0 ? _mm256_castsi256_si128(first_lows)
                               : _mm256_extracti128_si256(first_lows, 1));
    _mm_storel_epi64((__m128i *)(high + 12 * half + 8), both);
    _mm_storel_epi64((__m128i *)(low + 12 * half + 8), _mm_unpackhi_epi64(both, both));
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
