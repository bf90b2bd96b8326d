// A tile of a convolution in 512-bit registers: sums, requantisation and stores.
//
// Where a block's last vector has eight channels or fewer, two neighbouring pixels share a register
// for it, the left one in the lower half: with 24 channels that is three registers for two pixels
// instead of four, and as many dot products less.
#include <string.h>

/// The most registers of sums.
#define SUMS TILE_VECTORS

/// The lower half of one register and the upper half of the other.
ALWAYS __m512i upper_half_of(__m512i lower, __m512i upper) {
  // Written as a shift by nothing, since a blend may take a port of the dot products and shifts
  // never do.
  __asm__("vpsrld $0, %1, %0 %{%2%}" : "+v"(lower) : "v"(upper), "Yk"((__mmask16)0xFF00));
  return lower;
}

/// The lower half of what is loaded, in both halves.
ALWAYS __m512i load_half_twice(const void *from) {
  return _mm512_broadcast_i64x4(_mm256_loadu_si256(from));
}

/// Adds the products of all kernel rows. `whole` vectors of each pixel have their own sums; with
/// `is_halved` one more is shared by each pair, its sums after all others.
ALWAYS void accumulate(const struct ckernels_convolution *row, const int8_t *weights, vector *sums,
                       int32_t x, int32_t vectors, int32_t whole, bool is_halved, int32_t pixels) {
  const ptrdiff_t pixel_bytes = row->pixel_bytes;
  const ptrdiff_t length = (ptrdiff_t)row->groups * 4;
  for (int32_t ky = 0; ky < row->row_count; ky++) {
    const uint8_t *input = (const uint8_t *)row->rows[ky] + x * pixel_bytes;
    for (ptrdiff_t at = 0; at < length; at += 4) {
      __m512i taps[MAXIMUM_VECTORS];
      UNROLLED for (int v = 0; v < whole; v++) taps[v] = load_weights(weights + v * 64);
      if (is_halved) taps[whole] = load_half_twice(weights + whole * 64);
      weights += vectors * 64;
      __m512i left = _mm512_setzero_si512();
      UNROLLED for (int m = 0; m < pixels; m++) {
        const __m512i group = repeat_group(input + m * pixel_bytes + at);
        UNROLLED for (int v = 0; v < whole; v++)
          sums[m * whole + v] = dot(sums[m * whole + v], group, taps[v]);
        if (!is_halved) continue;
        if (m % 2 == 0)
          left = group;
        else
          sums[pixels * whole + m / 2] =
              dot(sums[pixels * whole + m / 2], upper_half_of(left, group), taps[whole]);
      }
    }
  }
}

/// Convolutions three elements wide with one vector a pixel: an input element is loaded once for
/// the up to three pixels that it belongs to. `step` is the distance of pixels in input columns.
ALWAYS void accumulate_columns(const struct ckernels_convolution *row, const int8_t *weights,
                               vector *sums, int32_t x, int32_t step, int32_t pixels) {
  const ptrdiff_t column_bytes = row->pixel_bytes / step;
  const ptrdiff_t column_weights = row->groups / 3 * 64;
  for (int32_t ky = 0; ky < row->row_count; ky++) {
    const uint8_t *input = (const uint8_t *)row->rows[ky] + (ptrdiff_t)x * row->pixel_bytes;
    for (ptrdiff_t at = 0; at < column_bytes; at += 4) {
      __m512i taps[3];
      UNROLLED for (int kx = 0; kx < 3; kx++)
        taps[kx] = load_weights(weights + kx * column_weights);
      weights += 64;
      UNROLLED for (int column = 0; column < (pixels - 1) * step + 3; column++) {
        const __m512i group = repeat_group(input + column * column_bytes + at);
        UNROLLED for (int kx = 0; kx < 3; kx++) {
          const int first = column - kx;
          if (first >= 0 && first % step == 0 && first / step < pixels)
            sums[first / step] = dot(sums[first / step], group, taps[kx]);
        }
      }
    }
    weights += 2 * column_weights;
  }
}

/// A vector's requantisation, made ready for all pixels of a tile. Even and odd lanes are scaled
/// apart, by instructions that leave the ports of the dot products alone but for two products: what
/// rounding adds is in the bias and in an offset of the 16-bit results.
struct scaling {
  __m512i even_multiplier, odd_multiplier, even_shift, odd_shift;
};

ALWAYS __m512i scaled(__m512i sum, struct scaling by) {
  const __m512i even = _mm512_mul_epi32(sum, by.even_multiplier);
  const __m512i odd = _mm512_mul_epi32(_mm512_srli_epi64(sum, 32), by.odd_multiplier);
  return _mm512_mask_srav_epi32(_mm512_srav_epi64(even, by.even_shift), 0xAAAA, odd,
                                by.odd_shift);
}

ALWAYS struct scaling make_scaling(__m512i multiplier, __m512i shift) {
  const __m512i even_shift = _mm512_maskz_add_epi32(0x5555, shift, _mm512_set1_epi32(32));
  return (struct scaling){multiplier, _mm512_srli_epi64(multiplier, 32), even_shift, shift};
}

/// A vector's scaling by floats, which takes three instructions instead of five. When a graph is
/// prepared it is checked that the results are the rule's.
struct float_scaling {
  __m512 multiplier, addend;
};

ALWAYS __m512i float_scaled(__m512i sum, struct float_scaling by) {
  return _mm512_cvtps_epi32(_mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), by.multiplier, by.addend));
}

/// Scales sums by the rule as it is written, for channels whose rounding could not be folded.
ALWAYS __m512i plainly_scaled(__m512i sum, __m512i multiplier, __m512i shift) {
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i half = _mm512_srli_epi32(_mm512_sllv_epi32(one, shift), 1);
  return requantise(sum, multiplier, half, shift);
}

/// Stores the first `count` of 16 bytes.
ALWAYS void store_some(int8_t *output, __m128i bytes, int32_t count) {
  if (count >= 16)
    _mm_storeu_si128((__m128i *)output, bytes);
  else if (count == 8)
    _mm_storel_epi64((__m128i *)output, bytes);
  else if (count == 2 || count == 1)
    memcpy(output, &bytes, (size_t)count);
  else
    _mm_mask_storeu_epi8(output, (__mmask16)((1u << count) - 1), bytes);
}

ALWAYS __m128i quarter(__m512i bytes, int at) {
  switch (at) {
    case 0: return _mm512_castsi512_si128(bytes);
    case 1: return _mm512_extracti32x4_epi32(bytes, 1);
    case 2: return _mm512_extracti32x4_epi32(bytes, 2);
    default: return _mm512_extracti32x4_epi32(bytes, 3);
  }
}

/// Scales all sums of a tile, in place.
ALWAYS void scale(const struct ckernels_convolution *row, const int32_t *parameters, vector *sums,
                  int32_t vectors, int32_t whole, bool is_halved, int32_t pixels) {
  const int32_t lanes = vectors * LANES;
  UNROLLED for (int v = 0; v < whole + is_halved; v++) {
    const int32_t *at = parameters + v * LANES;
    const bool is_half = v == whole;
    const int count = is_half ? pixels / 2 : pixels;
    vector *first = sums + (is_half ? pixels * whole : v);
    const int step = is_half ? 1 : whole;
    const __m512i multiplier =
        is_half ? load_half_twice(at) : load_vector(at);
    const __m512i shift =
        is_half ? load_half_twice(at + 2 * lanes) : load_vector(at + 2 * lanes);
    if (row->scaling == CKERNELS_BY_FLOATS) {
      const struct float_scaling by = {_mm512_castsi512_ps(multiplier),
                                       _mm512_castsi512_ps(shift)};
      UNROLLED for (int m = 0; m < count; m++) first[m * step] =
          float_scaled(first[m * step], by);
    } else if (row->scaling == CKERNELS_BY_RULE) {
      UNROLLED for (int m = 0; m < count; m++) first[m * step] =
          plainly_scaled(first[m * step], multiplier, shift);
    } else {
      const struct scaling by = make_scaling(multiplier, shift);
      UNROLLED for (int m = 0; m < count; m++) first[m * step] = scaled(first[m * step], by);
    }
  }
}

/// What is added to the 16-bit results of the vector that a tile's sum number `at` belongs to.
ALWAYS __m512i offsets_of(const int32_t *parameters, int at, int32_t vectors, int32_t whole,
                          int32_t pixels) {
  const int32_t *offsets = parameters + vectors * LANES;
  return at < pixels * whole ? load_vector(offsets + at % (whole > 0 ? whole : 1) * LANES)
                             : load_half_twice(offsets + whole * LANES);
}

/// Stores a tile's scaled sums as int8. Four registers of them become one of bytes at a time. The
/// last vector of each pixel has `rest` channels.
ALWAYS void store_sums(const struct ckernels_convolution *row, const int32_t *parameters,
                       const vector *sums, int8_t *output, int32_t vectors, int32_t whole,
                       bool is_halved, int32_t pixels, int32_t rest) {
  const __m512i least = _mm512_set1_epi8((char)row->minimum);
  const __m512i most = _mm512_set1_epi8((char)row->maximum);
  // Mostly not: packing saturates.
  const bool is_clamped = row->minimum > INT8_MIN || row->maximum < INT8_MAX;
  const __m512i sign = _mm512_set1_epi8((char)row->sign);
  // Packing works within quarters of registers: puts the sixteen bytes of each sum together.
  const __m512i order =
      _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const ptrdiff_t channels = row->channels;
  const bool is_full = !is_halved && rest == LANES;
  const bool is_contiguous = is_full && channels == vectors * LANES;
  const int total = pixels * whole + (is_halved ? pixels / 2 : 0);
  UNROLLED for (int first = 0; first < total; first += 4) {
    __m512i four[4], offsets[4];
    UNROLLED for (int i = 0; i < 4; i++) {
      const int at = first + i < total ? first + i : total - 1;
      four[i] = sums[at];
      offsets[i] = offsets_of(parameters, at, vectors, whole, pixels);
    }
    const __m512i low = _mm512_adds_epi16(_mm512_packs_epi32(four[0], four[1]),
                                          _mm512_packs_epi32(offsets[0], offsets[1]));
    const __m512i high = _mm512_adds_epi16(_mm512_packs_epi32(four[2], four[3]),
                                           _mm512_packs_epi32(offsets[2], offsets[3]));
    __m512i bytes = _mm512_permutexvar_epi32(order, _mm512_packs_epi16(low, high));
    if (is_clamped) bytes = _mm512_min_epi8(_mm512_max_epi8(bytes, least), most);
    bytes = _mm512_xor_si512(bytes, sign);
    if (is_full && whole == 4) {
      _mm512_storeu_si512(output + first / 4 * channels, bytes);
      continue;
    }
    if (is_contiguous && first + 4 <= total) {
      _mm512_storeu_si512(output + first * 16, bytes);
      continue;
    }
    if (is_full && whole == 2 && first + 4 <= total) {
      int8_t *pair = output + first / 2 * channels;
      _mm256_storeu_si256((__m256i *)pair, _mm512_castsi512_si256(bytes));
      _mm256_storeu_si256((__m256i *)(pair + channels), _mm512_extracti64x4_epi64(bytes, 1));
      continue;
    }
    UNROLLED for (int i = 0; i < 4; i++) {
      const int at = first + i;
      if (at >= total) break;
      if (at < pixels * whole) {
        const int v = at % (whole > 0 ? whole : 1), m = at / (whole > 0 ? whole : 1);
        const bool is_last = !is_halved && v == whole - 1;
        store_some(output + m * channels + v * 16, quarter(bytes, i), is_last ? rest : 16);
      } else {
        const int m = 2 * (at - pixels * whole);
        int8_t *pair = output + m * channels + whole * 16;
        const __m128i both = quarter(bytes, i);
        store_some(pair, both, rest);
        store_some(pair + channels, _mm_unpackhi_epi64(both, both), rest);
      }
    }
  }
}

/// Scales sums to int8 and stores them.
ALWAYS void finish(const struct ckernels_convolution *row, const int32_t *parameters, vector *sums,
                   int32_t x, int32_t channel, int32_t vectors, int32_t whole, bool is_halved,
                   int32_t pixels) {
  scale(row, parameters, sums, vectors, whole, is_halved, pixels);
  int8_t *output = row->output + (ptrdiff_t)x * row->channels + channel;
  const int32_t full = is_halved ? LANES / 2 : LANES;
  const int32_t rest = row->channels - channel - (vectors - 1) * LANES;
  if (rest >= full)
    store_sums(row, parameters, sums, output, vectors, whole, is_halved, pixels, full);
  else
    store_sums(row, parameters, sums, output, vectors, whole, is_halved, pixels, rest);
}

ALWAYS void tile(const struct ckernels_convolution *row, const int8_t *weights,
                 const int32_t *parameters, int32_t x, int32_t channel, int32_t vectors,
                 int32_t pixels) {
  vector sums[SUMS + MAXIMUM_VECTORS];
  const int32_t *bias = row->bias + channel;
  const bool is_halved =
      pixels % 2 == 0 && vectors < 4 && row->channels - channel <= vectors * LANES - LANES / 2;
  if (pixels % 2 == 0 && vectors < 4 && is_halved) {
    const int32_t whole = vectors - 1;
    UNROLLED for (int v = 0; v < whole; v++)
      UNROLLED for (int m = 0; m < pixels; m++)
        sums[m * whole + v] = load_vector(bias + v * LANES);
    UNROLLED for (int m = 0; m < pixels / 2; m++)
      sums[pixels * whole + m] = load_half_twice(bias + whole * LANES);
    accumulate(row, weights, sums, x, vectors, whole, true, pixels);
    finish(row, parameters, sums, x, channel, vectors, whole, true, pixels);
    return;
  }
  UNROLLED for (int v = 0; v < vectors; v++)
    UNROLLED for (int m = 0; m < pixels; m++)
      sums[m * vectors + v] = load_vector(bias + v * LANES);
  if (vectors == 1 && row->columns_step == 1)
    accumulate_columns(row, weights, sums, x, 1, pixels);
  else if (vectors == 1 && row->columns_step == 2)
    accumulate_columns(row, weights, sums, x, 2, pixels);
  else
    accumulate(row, weights, sums, x, vectors, vectors, false, pixels);
  finish(row, parameters, sums, x, channel, vectors, vectors, false, pixels);
}
