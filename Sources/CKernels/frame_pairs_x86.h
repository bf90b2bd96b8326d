// Colours of pixels that share chroma two by two, a register's bytes at a time: 256 bits, or 512
// where WIDE is defined. A 32-bit lane holds the two lumas of a pair, or its U and V, as 16-bit
// numbers: one multiplication of such pairs gives a term for every pair of pixels in the register,
// without the samples being put in order first.
#include <immintrin.h>

#ifdef WIDE
#define PAIR_BLOCK 64
typedef __m512i wide;
#define W(operation) _mm512_##operation
#define WHOLE(operation) _mm512_##operation##_si512
#else
/// Pixels worked on at a time.
#define PAIR_BLOCK 32
typedef __m256i wide;
#define W(operation) _mm256_##operation
#define WHOLE(operation) _mm256_##operation##_si256
#endif

/// A colour of as many pixels: in each 128 bits of the register eight even pixels, then their odd
/// ones.
typedef wide pair_bytes;

struct pair_colours {
  pair_bytes red, green, blue;
};

/// Factors and constants of a row's conversion, ready for the multiplications.
struct pair_factors {
  wide even_luma, odd_luma, red, green, blue, red_constant, green_constant, blue_constant;
};

ALWAYS wide two_factors(int32_t first, int32_t second) {
  return W(set1_epi32)((first & 0xFFFF) | (int32_t)((uint32_t)second << 16));
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
      W(set1_epi32)(constant - 128 * row->red_from_v),
      W(set1_epi32)(constant - 128 * (u_green + v_green)),
      W(set1_epi32)(constant - 128 * row->blue_from_u),
  };
}

/// `PAIR_BLOCK` times two bytes: in `taken[0]` the even 128 bits of them, in `taken[1]` the odd
/// ones.
ALWAYS void take_in_turns(const uint8_t *at, wide taken[2]) {
#ifdef WIDE
  const __m512i first = _mm512_loadu_si512(at), second = _mm512_loadu_si512(at + 64);
  const __m512i even = _mm512_setr_epi64(0, 1, 4, 5, 8, 9, 12, 13);
  taken[0] = _mm512_permutex2var_epi64(first, even, second);
  taken[1] = _mm512_permutex2var_epi64(first, _mm512_add_epi64(even, _mm512_set1_epi64(2)), second);
#else
  const __m256i first = _mm256_loadu_si256((const __m256i *)at);
  const __m256i second = _mm256_loadu_si256((const __m256i *)(at + 32));
  taken[0] = _mm256_permute2x128_si256(first, second, 0x20);
  taken[1] = _mm256_permute2x128_si256(first, second, 0x31);
#endif
}

/// U and V of two planes in turns, `PAIR_BLOCK` bytes.
ALWAYS wide join_planes(const uint8_t *u, const uint8_t *v) {
#ifdef WIDE
  const __m512i low = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)u));
  const __m512i high = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)v));
#else
  const __m256i low = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)u));
  const __m256i high = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)v));
#endif
  return WHOLE(or)(low, W(slli_epi16)(high, 8));
}

/// Lumas and chroma of `PAIR_BLOCK` pixels, in an order from which packing makes that of
/// `pair_bytes`.
ALWAYS void take_pairs(const struct ckernels_frame_row *row, enum ckernels_layout layout,
                       int32_t x, wide luma[2], wide chroma[2]) {
  const wide low_bytes = W(set1_epi16)(0xFF), none = WHOLE(setzero)();
  if (layout == CKERNELS_YUYV || layout == CKERNELS_UYVY) {
    wide taken[2];
    take_in_turns(row->samples + 2 * x, taken);
    const wide low[2] = {WHOLE(and)(taken[0], low_bytes), WHOLE(and)(taken[1], low_bytes)};
    const wide high[2] = {W(srli_epi16)(taken[0], 8), W(srli_epi16)(taken[1], 8)};
    const bool is_luma_low = layout == CKERNELS_YUYV;
    UNROLLED for (int i = 0; i < 2; i++) {
      luma[i] = is_luma_low ? low[i] : high[i];
      chroma[i] = is_luma_low ? high[i] : low[i];
    }
    return;
  }
  const wide lumas = WHOLE(loadu)((const void *)(row->samples + x));
  const wide both = layout == CKERNELS_HALVED
                        ? join_planes(row->chroma + x / 2, row->other_chroma + x / 2)
                        : WHOLE(loadu)((const void *)(row->chroma + x));
  luma[0] = W(unpacklo_epi8)(lumas, none);
  luma[1] = W(unpackhi_epi8)(lumas, none);
  chroma[0] = W(unpacklo_epi8)(both, none);
  chroma[1] = W(unpackhi_epi8)(both, none);
}

/// A colour of `PAIR_BLOCK` pixels from what chroma adds to it.
ALWAYS pair_bytes pair_level(const wide even[2], const wide odd[2], const wide added[2]) {
  wide levels[4];
  UNROLLED for (int i = 0; i < 2; i++) {
    levels[i] = W(srai_epi32)(W(add_epi32)(even[i], added[i]), 8);
    levels[2 + i] = W(srai_epi32)(W(add_epi32)(odd[i], added[i]), 8);
  }
  return W(packus_epi16)(W(packs_epi32)(levels[0], levels[1]),
                             W(packs_epi32)(levels[2], levels[3]));
}

ALWAYS struct pair_colours pair_block(const struct ckernels_frame_row *row,
                                      enum ckernels_layout layout, struct pair_factors by,
                                      int32_t x) {
  wide luma[2], chroma[2], even[2], odd[2], red[2], green[2], blue[2];
  take_pairs(row, layout, x, luma, chroma);
  UNROLLED for (int i = 0; i < 2; i++) {
    even[i] = W(madd_epi16)(luma[i], by.even_luma);
    odd[i] = W(madd_epi16)(luma[i], by.odd_luma);
    red[i] = W(add_epi32)(W(madd_epi16)(chroma[i], by.red), by.red_constant);
    green[i] = W(add_epi32)(W(madd_epi16)(chroma[i], by.green), by.green_constant);
    blue[i] = W(add_epi32)(W(madd_epi16)(chroma[i], by.blue), by.blue_constant);
  }
  return (struct pair_colours){pair_level(even, odd, red), pair_level(even, odd, green),
                               pair_level(even, odd, blue)};
}

/// Stores the bytes of pixels in order.
ALWAYS void store_pair_bytes(uint8_t *bytes, pair_bytes pairs) {
  const __m128i turns = _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
#ifdef WIDE
  _mm512_storeu_si512(bytes, _mm512_shuffle_epi8(pairs, _mm512_broadcast_i32x4(turns)));
#else
  _mm256_storeu_si256((__m256i *)bytes,
                      _mm256_shuffle_epi8(pairs, _mm256_broadcastsi128_si256(turns)));
#endif
}

/// The means of two by two pixels, exclusively ored with `flip`, as 16-bit numbers.
ALWAYS wide halved_pairs(pair_bytes upper, pair_bytes lower, wide flip) {
  const wide ones = W(set1_epi8)(1);
  const wide even = W(maddubs_epi16)(W(unpacklo_epi8)(upper, lower), ones);
  const wide odd = W(maddubs_epi16)(W(unpackhi_epi8)(upper, lower), ones);
  const wide sum = W(add_epi16)(W(add_epi16)(even, odd), W(set1_epi16)(2));
  return WHOLE(xor)(W(srli_epi16)(sum, 2), flip);
}

/// Stores 16-bit numbers as pixels of four bytes, the last of them 0.
ALWAYS void store_fours(int8_t *output, wide red, wide green, wide blue) {
  const wide both = WHOLE(or)(red, W(slli_epi16)(green, 8));
  // Of each 128 bits four pixels, then the other four.
  const wide low = W(unpacklo_epi16)(both, blue), high = W(unpackhi_epi16)(both, blue);
#ifdef WIDE
  const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
  const __m512i second = _mm512_add_epi64(first, _mm512_set1_epi64(4));
  _mm512_storeu_si512(output, _mm512_permutex2var_epi64(low, first, high));
  _mm512_storeu_si512(output + 64, _mm512_permutex2var_epi64(low, second, high));
#else
  _mm256_storeu_si256((__m256i *)output, _mm256_permute2x128_si256(low, high, 0x20));
  _mm256_storeu_si256((__m256i *)(output + 32), _mm256_permute2x128_si256(low, high, 0x31));
#endif
}

/// Stores the means of `PAIR_BLOCK` by 2 pixels.
ALWAYS void store_halved_pairs(int8_t *output, struct ckernels_pixel_form form,
                               struct pair_colours upper, struct pair_colours lower) {
  const wide flip = W(set1_epi16)(0x80 ^ form.sign);
  const wide red = halved_pairs(upper.red, lower.red, flip);
  const wide green = halved_pairs(upper.green, lower.green, flip);
  const wide blue = halved_pairs(upper.blue, lower.blue, flip);
  if (form.bytes == 4) {
    store_fours(output, red, green, blue);
    return;
  }
#ifdef WIDE
  const __m256i reds = _mm512_cvtepi16_epi8(red), greens = _mm512_cvtepi16_epi8(green);
  const __m256i blues = _mm512_cvtepi16_epi8(blue);
  store_pixels((uint8_t *)output,
               (struct colours){(u8x16)_mm256_castsi256_si128(reds),
                                (u8x16)_mm256_castsi256_si128(greens),
                                (u8x16)_mm256_castsi256_si128(blues)});
  store_pixels((uint8_t *)output + 48,
               (struct colours){(u8x16)_mm256_extracti128_si256(reds, 1),
                                (u8x16)_mm256_extracti128_si256(greens, 1),
                                (u8x16)_mm256_extracti128_si256(blues, 1)});
#else
  // Packs red with green, then puts the quarters of each colour together.
  const __m256i both = _mm256_permute4x64_epi64(_mm256_packus_epi16(red, green), 0xD8);
  const __m256i last = _mm256_permute4x64_epi64(_mm256_packus_epi16(blue, blue), 0xD8);
  store_pixels((uint8_t *)output, (struct colours){(u8x16)_mm256_castsi256_si128(both),
                                                   (u8x16)_mm256_extracti128_si256(both, 1),
                                                   (u8x16)_mm256_castsi256_si128(last)});
#endif
}

/// Pixels that `halve_interleaved` takes of each row, and bytes it may read of them.
#define INTERLEAVED_BLOCK 8
#define INTERLEAVED_BYTES 28

/// Sums of neighbouring pixels: of four in each half of the register, two.
ALWAYS __m256i sum_neighbours(const uint8_t *at, __m256i places) {
  const __m256i pixels = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)at)),
      _mm_loadu_si128((const __m128i *)(at + 12)), 1);
  return _mm256_maddubs_epi16(_mm256_shuffle_epi8(pixels, places), _mm256_set1_epi8(1));
}

/// The means of two by two pixels of red, green, blue, or of blue, green, red, that lie together.
ALWAYS void halve_interleaved(const uint8_t *upper, const uint8_t *lower, bool is_swapped,
                              struct ckernels_pixel_form form, int8_t *output) {
  const __m256i places = _mm256_broadcastsi128_si256(
      is_swapped ? _mm_setr_epi8(2, 5, 1, 4, 0, 3, 8, 11, 7, 10, 6, 9, -1, -1, -1, -1)
                 : _mm_setr_epi8(0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11, -1, -1, -1, -1));
  const __m256i sum = _mm256_add_epi16(
      _mm256_add_epi16(sum_neighbours(upper, places), sum_neighbours(lower, places)),
      _mm256_set1_epi16(2));
  const __m256i mean = _mm256_srli_epi16(sum, 2);
  const __m128i bytes = _mm_xor_si128(
      _mm_packus_epi16(_mm256_castsi256_si128(mean), _mm256_extracti128_si256(mean, 1)),
      _mm_set1_epi8((char)(0x80 ^ form.sign)));
  // Of each eight bytes six are there.
  if (form.bytes == 4) {
    const __m128i packed = _mm_shuffle_epi8(
        bytes, _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 8, 9, 10, -1, 11, 12, 13, -1));
    memcpy(output, &packed, 16);
  } else {
    const __m128i packed = _mm_shuffle_epi8(
        bytes, _mm_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1));
    memcpy(output, &packed, 12);
  }
}
