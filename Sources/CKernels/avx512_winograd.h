// Products and results of Winograd's convolutions in 512-bit registers: one instruction multiplies
// and adds the transformed weights of sixteen channels and two elements. Sums of a position are
// [tile][vector], and after these those of half vectors, which two tiles share.
#define SUM_LANES LANES
#define WIDE_WORDS 32
#define NARROW_WORDS 16

/// The most tiles computed together. With four vectors these take twenty registers of sums, and the
/// scratch of all their positions half to all of the first-level cache.
#define MOST_TILES 5

typedef int16_t words_32 __attribute__((vector_size(64)));
typedef int16_t words_16 __attribute__((vector_size(32)));

ALWAYS words_32 load_words_32(const element *from) {
  return (words_32)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)from));
}

ALWAYS words_16 load_words_16(const element *from) {
  return (words_16)_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)from));
}

#include "winograd.h"

/// Registers of sums of a position.
ALWAYS int32_t sums_of(int32_t vectors, bool is_halved, int32_t tiles) {
  return is_halved ? tiles * (vectors - 1) + (tiles + 1) / 2 : tiles * vectors;
}

/// `whole` vectors have sums for each tile; with `is_halved` one more is shared by each pair of
/// tiles, after all others: its channels are eight or fewer. An odd last tile has one to itself.
ALWAYS void multiply(const struct ckernels_winograd *band, const int16_t *weights,
                     int32_t vectors, bool is_halved, int32_t tiles) {
  const int16_t *transformed = band->transformed;
  int32_t *output = band->sums;
  const int32_t positions = (band->rows + 2) * COLUMNS, channels = band->input_channels;
  const int32_t whole = vectors - is_halved, count = sums_of(vectors, is_halved, tiles);
  const ptrdiff_t stride = band->stride;
  for (int32_t position = 0; position < positions; position++) {
    __m512i sums[4 * MOST_TILES];
    UNROLLED for (int i = 0; i < count; i++) sums[i] = _mm512_setzero_si512();
    for (int32_t channel = 0; channel < channels; channel += 2) {
      __m512i taps[MAXIMUM_VECTORS];
      UNROLLED for (int v = 0; v < whole; v++) taps[v] = _mm512_loadu_si512(weights + v * 32);
      if (is_halved) taps[whole] = load_half_twice(weights + whole * 32);
      weights += vectors * 32;
      __m512i left = _mm512_setzero_si512();
      UNROLLED for (int t = 0; t < tiles; t++) {
        int32_t pair;
        __builtin_memcpy(&pair, transformed + t * stride + channel, sizeof pair);
        __m512i both = _mm512_set1_epi32(pair);
        UNROLLED for (int v = 0; v < whole; v++)
          sums[t * whole + v] = _mm512_dpwssd_epi32(sums[t * whole + v], both, taps[v]);
        if (!is_halved) continue;
        __m512i *half = sums + tiles * whole + t / 2;
        if (t % 2 == 0 && t + 1 < tiles) {
          left = both;
        } else {
          if (t % 2 == 1) both = upper_half_of(left, both);
          *half = _mm512_dpwssd_epi32(*half, both, taps[whole]);
        }
      }
    }
    UNROLLED for (int i = 0; i < count; i++) _mm512_storeu_si512(output + i * LANES, sums[i]);
    output += count * LANES;
    transformed += tiles * stride;
  }
}

/// Whether the last vector of a block from `channel` on has eight channels or fewer.
ALWAYS bool is_block_halved(const struct ckernels_winograd *band, int32_t channel,
                            int32_t vectors) {
  return band->channels - channel <= vectors * LANES - LANES / 2;
}

/// The numbers of tiles, for a number of vectors.
#define TILE_CASES(vectors, is_halved)                                                      \
  switch (band->together) {                                                                 \
    case 5: multiply(band, weights, vectors, is_halved, 5); break;                    \
    case 4: multiply(band, weights, vectors, is_halved, 4); break;                    \
    case 3: multiply(band, weights, vectors, is_halved, 3); break;                    \
    case 2: multiply(band, weights, vectors, is_halved, 2); break;                    \
    default: multiply(band, weights, vectors, is_halved, 1); break;                   \
  }

static void multiply_tiles(const struct ckernels_winograd *band, const int16_t *weights,
                           int32_t channel, int32_t vectors) {
  switch (2 * vectors - is_block_halved(band, channel, vectors)) {
    case 1: TILE_CASES(1, true) break;
    case 2: TILE_CASES(1, false) break;
    case 3: TILE_CASES(2, true) break;
    case 4: TILE_CASES(2, false) break;
    case 5: TILE_CASES(3, true) break;
    case 6: TILE_CASES(3, false) break;
    case 7: TILE_CASES(4, true) break;
    default: TILE_CASES(4, false) break;
  }
}
#undef TILE_CASES

/// One register of sums for all positions, its results stored as int8: sixteen channels of a tile,
/// or eight of each of two. `count` channels are there.
ALWAYS void finish_tile(const struct ckernels_winograd *band, const int32_t *sums, ptrdiff_t step,
                        __m512i bias, __m512i multiplier, __m512i shift, __m512i offset,
                        int8_t *output, int32_t rows, int32_t count, bool is_pair, bool by_floats) {
  const __m512i order =
      _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const ptrdiff_t channels = band->channels, row = band->tiles * 4 * channels;
  const struct scaling by = make_scaling(multiplier, shift);
  const struct float_scaling by_float = {_mm512_castsi512_ps(multiplier),
                                         _mm512_castsi512_ps(shift)};
  lanes_of_sums results[4][4];
  transform_back(results, sums, step, (lanes_of_sums)bias, rows);
  UNROLLED for (int y = 0; y < rows; y++) {
    __m512i four[4];
    UNROLLED for (int x = 0; x < 4; x++)
      four[x] = by_floats ? float_scaled((__m512i)results[y][x], by_float)
                          : scaled((__m512i)results[y][x], by);
    const __m512i low = _mm512_adds_epi16(_mm512_packs_epi32(four[0], four[1]), offset);
    const __m512i high = _mm512_adds_epi16(_mm512_packs_epi32(four[2], four[3]), offset);
    __m512i bytes = _mm512_permutexvar_epi32(order, _mm512_packs_epi16(low, high));
    bytes = _mm512_max_epi8(bytes, _mm512_set1_epi8((char)band->minimum));
    bytes = _mm512_min_epi8(bytes, _mm512_set1_epi8((char)band->maximum));
    bytes = _mm512_xor_si512(bytes, _mm512_set1_epi8((char)band->sign));
    UNROLLED for (int x = 0; x < 4; x++) {
      const __m128i pixel = quarter(bytes, x);
      int8_t *at = output + y * row + x * channels;
      store_some(at, pixel, count);
      if (is_pair) store_some(at + 4 * channels, _mm_unpackhi_epi64(pixel, pixel), count);
    }
  }
}

ALWAYS void finish_rows(const struct ckernels_winograd *band, const int32_t *parameters,
                        int32_t first, int32_t channel, int32_t vectors, int32_t rows,
                        bool by_floats) {
  const int32_t tiles = band->together, lanes = vectors * LANES;
  const bool is_halved = is_block_halved(band, channel, vectors);
  const int32_t whole = vectors - is_halved;
  const ptrdiff_t step = (ptrdiff_t)sums_of(vectors, is_halved, tiles) * LANES;
  int8_t *output = band->output + (ptrdiff_t)first * 4 * band->channels + channel;
  const int32_t *sums = band->sums;
  for (int32_t v = 0; v < whole; v++) {
    const int32_t *at = parameters + v * LANES;
    const __m512i bias = load_vector(band->bias + channel + v * LANES);
    const __m512i multiplier = load_vector(at), shift = load_vector(at + 2 * lanes);
    const __m512i offset = load_vector(at + lanes);
    const __m512i offsets = _mm512_packs_epi32(offset, offset);
    const int32_t count = band->channels - channel - v * LANES;
    for (int32_t tile = 0; tile < tiles; tile++) {
      const int32_t *from = sums + (tile * whole + v) * LANES;
      int8_t *to = output + (ptrdiff_t)tile * 4 * band->channels + v * LANES;
      if (count >= LANES)
        finish_tile(band, from, step, bias, multiplier, shift, offsets, to, rows, LANES, false,
                  by_floats);
      else
        finish_tile(band, from, step, bias, multiplier, shift, offsets, to, rows, count, false,
                  by_floats);
    }
  }
  if (!is_halved) return;
  const int32_t *at = parameters + whole * LANES;
  const __m512i bias = load_half_twice(band->bias + channel + whole * LANES);
  const __m512i multiplier = load_half_twice(at), shift = load_half_twice(at + 2 * lanes);
  const __m512i offset = load_half_twice(at + lanes);
  const __m512i offsets = _mm512_packs_epi32(offset, offset);
  const int32_t count = band->channels - channel - whole * LANES;
  for (int32_t tile = 0; tile < tiles; tile += 2) {
    const int32_t *from = sums + (tiles * whole + tile / 2) * LANES;
    int8_t *to = output + (ptrdiff_t)tile * 4 * band->channels + whole * LANES;
    if (tile + 1 < tiles)
      finish_tile(band, from, step, bias, multiplier, shift, offsets, to, rows, count, true,
                  by_floats);
    else
      finish_tile(band, from, step, bias, multiplier, shift, offsets, to, rows, count, false,
                  by_floats);
  }
}

static void finish_tiles(const struct ckernels_winograd *band, const int32_t *parameters,
                         int32_t first, int32_t channel, int32_t vectors) {
  const bool by_floats = band->scaling == CKERNELS_BY_FLOATS;
  if (band->rows == 4 && by_floats)
    finish_rows(band, parameters, first, channel, vectors, 4, true);
  else if (band->rows == 4)
    finish_rows(band, parameters, first, channel, vectors, 4, false);
  else if (by_floats)
    finish_rows(band, parameters, first, channel, vectors, 3, true);
  else
    finish_rows(band, parameters, first, channel, vectors, 3, false);
}

#include "winograd_band.h"
