// Colours of pixels that share chroma two by two, 32 at a time. A register's 32-bit lane holds the
// two lumas of a pair, or its U and V, as 16-bit numbers: one multiplication of such pairs gives a
// term for eight pairs of pixels, without the samples being put in order first.
#include <immintrin.h>

/// Pixels worked on at a time.
#define PAIR_BLOCK 32

/// A colour of 32 pixels: in each half of the register eight even pixels, then their odd ones.
typedef __m256i pair_bytes;

struct pair_colours {
  pair_bytes red, green, blue;
};

/// Factors and constants of a row's conversion, ready for the multiplications.
struct pair_factors {
  __m256i even_luma, odd_luma, red, green, blue, red_constant, green_constant, blue_constant;
};

ALWAYS __m256i two_factors(int32_t first, int32_t second) {
  return _mm256_set1_epi32((first & 0xFFFF) | (int32_t)((uint32_t)second << 16));
}

ALWAYS struct pair_factors pair_factors_of(const struct ckernels_frame_row *row,
                                           enum ckernels_layout layout) {
  const bool is_v_first = layout == CKERNELS_PAIRS_VU;
  const int32_t constant = 128 - row->luma * row->luma_offset;
  const int32_t u_green = row->green_from_u, v_green = row->green_from_v;
  return (struct pair_factors){
      two_factors(row->luma, 0),
      two_factors(0, row->luma),
      is_v_first ? two_factors(row->red_from_v, 0) : two_factors(0, row->red_from_v),
      is_v_first ? two_factors(v_green, u_green) : two_factors(u_green, v_green),
      is_v_first ? two_factors(0, row->blue_from_u) : two_factors(row->blue_from_u, 0),
      _mm256_set1_epi32(constant - 128 * row->red_from_v),
      _mm256_set1_epi32(constant - 128 * (u_green + v_green)),
      _mm256_set1_epi32(constant - 128 * row->blue_from_u),
  };
}

ALWAYS __m256i both_halves(const uint8_t *lower, const uint8_t *upper) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)lower)),
      _mm_loadu_si128((const __m128i *)upper), 1);
}

/// Lumas and chroma of 32 pixels, in an order from which packing makes that of `pair_bytes`.
ALWAYS void take_pairs(const struct ckernels_frame_row *row, enum ckernels_layout layout,
                       int32_t x, __m256i luma[2], __m256i chroma[2]) {
  const __m256i low_bytes = _mm256_set1_epi16(0xFF), none = _mm256_setzero_si256();
  if (layout == CKERNELS_YUYV || layout == CKERNELS_UYVY) {
    const uint8_t *at = row->samples + 2 * x;
    const __m256i first = both_halves(at, at + 32), second = both_halves(at + 16, at + 48);
    const __m256i low[2] = {_mm256_and_si256(first, low_bytes),
                            _mm256_and_si256(second, low_bytes)};
    const __m256i high[2] = {_mm256_srli_epi16(first, 8), _mm256_srli_epi16(second, 8)};
    const bool is_luma_low = layout == CKERNELS_YUYV;
    UNROLLED for (int i = 0; i < 2; i++) {
      luma[i] = is_luma_low ? low[i] : high[i];
      chroma[i] = is_luma_low ? high[i] : low[i];
    }
    return;
  }
  const __m256i lumas = _mm256_loadu_si256((const __m256i *)(row->samples + x));
  __m256i both;
  if (layout == CKERNELS_HALVED) {
    const __m128i u = _mm_loadu_si128((const __m128i *)(row->chroma + x / 2));
    const __m128i v = _mm_loadu_si128((const __m128i *)(row->other_chroma + x / 2));
    both = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi8(u, v)),
                                   _mm_unpackhi_epi8(u, v), 1);
  } else {
    both = _mm256_loadu_si256((const __m256i *)(row->chroma + x));
  }
  luma[0] = _mm256_unpacklo_epi8(lumas, none);
  luma[1] = _mm256_unpackhi_epi8(lumas, none);
  chroma[0] = _mm256_unpacklo_epi8(both, none);
  chroma[1] = _mm256_unpackhi_epi8(both, none);
}

/// A colour of 32 pixels from what chroma adds to it.
ALWAYS pair_bytes pair_level(const __m256i even[2], const __m256i odd[2], const __m256i added[2]) {
  __m256i levels[4];
  UNROLLED for (int i = 0; i < 2; i++) {
    levels[i] = _mm256_srai_epi32(_mm256_add_epi32(even[i], added[i]), 8);
    levels[2 + i] = _mm256_srai_epi32(_mm256_add_epi32(odd[i], added[i]), 8);
  }
  return _mm256_packus_epi16(_mm256_packs_epi32(levels[0], levels[1]),
                             _mm256_packs_epi32(levels[2], levels[3]));
}

ALWAYS struct pair_colours pair_block(const struct ckernels_frame_row *row,
                                      enum ckernels_layout layout, struct pair_factors by,
                                      int32_t x) {
  __m256i luma[2], chroma[2], even[2], odd[2], red[2], green[2], blue[2];
  take_pairs(row, layout, x, luma, chroma);
  UNROLLED for (int i = 0; i < 2; i++) {
    even[i] = _mm256_madd_epi16(luma[i], by.even_luma);
    odd[i] = _mm256_madd_epi16(luma[i], by.odd_luma);
    red[i] = _mm256_add_epi32(_mm256_madd_epi16(chroma[i], by.red), by.red_constant);
    green[i] = _mm256_add_epi32(_mm256_madd_epi16(chroma[i], by.green), by.green_constant);
    blue[i] = _mm256_add_epi32(_mm256_madd_epi16(chroma[i], by.blue), by.blue_constant);
  }
  return (struct pair_colours){pair_level(even, odd, red), pair_level(even, odd, green),
                               pair_level(even, odd, blue)};
}

/// Stores the bytes of 32 pixels in order.
ALWAYS void store_pair_bytes(uint8_t *bytes, pair_bytes pairs) {
  const __m256i order = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
  _mm256_storeu_si256((__m256i *)bytes, _mm256_shuffle_epi8(pairs, order));
}

/// The means of two by two pixels, less 128.
ALWAYS u8x16 halved_pairs(pair_bytes upper, pair_bytes lower) {
  const __m256i ones = _mm256_set1_epi8(1);
  const __m256i even = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(upper, lower), ones);
  const __m256i odd = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(upper, lower), ones);
  const __m256i sum = _mm256_add_epi16(_mm256_add_epi16(even, odd), _mm256_set1_epi16(2));
  const __m256i mean = _mm256_srli_epi16(sum, 2);
  const __m128i bytes =
      _mm_packus_epi16(_mm256_castsi256_si128(mean), _mm256_extracti128_si256(mean, 1));
  return (u8x16)_mm_xor_si128(bytes, _mm_set1_epi8((char)0x80));
}

/// Stores the means of 32 by 2 pixels.
ALWAYS void store_halved_pairs(int8_t *output, struct pair_colours upper,
                               struct pair_colours lower) {
  store_pixels((uint8_t *)output, (struct colours){halved_pairs(upper.red, lower.red),
                                                   halved_pairs(upper.green, lower.green),
                                                   halved_pairs(upper.blue, lower.blue)});
}
