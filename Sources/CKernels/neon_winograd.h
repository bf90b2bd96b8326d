// Winograd's convolutions for processors without dot products: SMLAL multiplies the transformed
// weights of four channels and one transformed element. That is half of what SMULL does with bytes,
// whose products have to be added up apart, but there are four times fewer of them.
//
// All distances in the scratch are constants, so that loads and stores need no other addresses:
// transformed input is [eight channels][position][tile][channel], sums are [position][tile][lane].
#define SUM_LANES 4

/// Called from both heights of bands, and large.
#define APART static __attribute__((noinline))

/// The most tiles computed together, for which there is always room.
#define MOST_TILES 5
#define TILE_LANES (2 * LANES)
/// From one position to the next.
#define WORDS_STEP (8 * MOST_TILES)
#define SUMS_STEP (TILE_LANES * MOST_TILES)
/// From eight channels to the next, for all positions of six rows.
#define CHANNELS_STEP (6 * COLUMNS * WORDS_STEP)

/// Four, where the compiler does not know that it is a shift, to multiply and add in one.
ALWAYS int16x8_t four_words(void) {
  int16x8_t four = vdupq_n_s16(4);
  __asm__("" : "+w"(four));
  return four;
}

ALWAYS int32x4_t four_sums(void) {
  int32x4_t four = vdupq_n_s32(4);
  __asm__("" : "+w"(four));
  return four;
}
#define ADD_FOUR_TIMES(sum, value) \
  ((lanes_of_sums)vmlaq_s32((int32x4_t)(sum), (int32x4_t)(value), four_sums()))

/// One of the vector's four numbers; a pointer that is moved on.
#define STORE_WORD(to, bytes, lane, step)                                                   \
  __asm__ volatile("st1 {%1.s}[" #lane "], [%0], %2" : "+r"(to) : "w"(bytes), "r"(step) : "memory")

/// Two registers; the pointer is moved on.
#define LOAD_PAIR(pair, from)                                                    \
  __asm__ volatile("ldp %q0, %q1, [%2], #32"                                     \
                   : "=w"(pair.val[0]), "=w"(pair.val[1]), "+r"(from) : : "memory")
#define STORE_PAIR(to, pair)                                                     \
  __asm__ volatile("stp %q1, %q2, [%0], #32"                                     \
                   : "+r"(to) : "w"(pair.val[0]), "w"(pair.val[1]) : "memory")

#define OWN_INPUT
#include "winograd.h"

/// Six elements of a column, of eight channels, as bytes; its first four results are read pairwise.
ALWAYS void six_of_bytes(int16x8_t *output, const int8x8_t *input) {
  const int16x8_t four = four_words();
  const int8x8_t minus_four = vdup_n_s8(-4);
  const int16x8_t near = vsubl_s8(input[4], input[2]), once = vsubl_s8(input[3], input[1]);
  const int16x8_t even = vaddw_s8(vmull_s8(input[2], minus_four), input[4]);
  const int16x8_t odd = vaddw_s8(vmull_s8(input[1], minus_four), input[3]);
  const int16x8_t twice = vaddq_s16(once, once);
  output[0] = vmlaq_s16(near, vsubl_s8(input[0], input[2]), four);
  output[1] = vaddq_s16(even, odd);
  output[2] = vsubq_s16(even, odd);
  output[3] = vaddq_s16(near, twice);
  output[4] = vsubq_s16(near, twice);
  output[5] = vmlsq_s16(vsubl_s8(input[5], input[3]), once, four);
}

/// Five elements of a column of five rows.
ALWAYS void five_of_bytes(int16x8_t *output, const int8x8_t *input) {
  const int16x8_t once = vsubl_s8(input[3], input[1]), near = vsubl_s8(input[3], input[2]);
  const int16x8_t before = vsubl_s8(input[0], input[2]), twice = vshll_n_s8(input[1], 1);
  output[0] = vaddq_s16(vaddq_s16(before, before), once);
  output[1] = vsubq_s16(near, twice);
  output[2] = vsubq_s16(vaddq_s16(near, twice), vshll_n_s8(input[2], 1));
  output[3] = once;
  output[4] = vsubq_s16(vsubl_s8(input[4], input[2]), vaddq_s16(once, once));
}

/// Six columns of a row.
ALWAYS void six_of_words(int16x8_t *output, const int16x8_t *input) {
  const int16x8_t four = four_words();
  const int16x8_t near = vsubq_s16(input[4], input[2]), once = vsubq_s16(input[3], input[1]);
  const int16x8_t even = vmlsq_s16(input[4], input[2], four);
  const int16x8_t odd = vmlsq_s16(input[3], input[1], four);
  const int16x8_t twice = vaddq_s16(once, once);
  output[0] = vmlaq_s16(near, vsubq_s16(input[0], input[2]), four);
  output[1] = vaddq_s16(even, odd);
  output[2] = vsubq_s16(even, odd);
  output[3] = vaddq_s16(near, twice);
  output[4] = vsubq_s16(near, twice);
  output[5] = vmlsq_s16(vsubq_s16(input[5], input[3]), once, four);
}

/// The tiles from `first` on, transformed. Columns that two tiles share are transformed twice: to
/// keep them would take more registers than there are.
ALWAYS void transform_tiles(const struct ckernels_winograd *band, int32_t first, int32_t rows) {
  const ptrdiff_t channels = band->input_channels;
  for (int32_t tile = 0; tile < band->together; tile++) {
    const int8_t *input[6];
    UNROLLED for (int y = 0; y < rows + 2; y++)
      input[y] = (const int8_t *)band->input[y] + (first + tile) * 4 * channels;
    int16_t *output = band->transformed + tile * 8;
    for (ptrdiff_t channel = 0; channel < channels; channel += 8) {
      int16x8_t columns[6][COLUMNS];
      UNROLLED for (int x = 0; x < COLUMNS; x++) {
        int8x8_t column[6];
        int16x8_t transformed[6];
        UNROLLED for (int y = 0; y < rows + 2; y++) column[y] = vld1_s8(input[y] + x * channels);
        if (rows == 4)
          six_of_bytes(transformed, column);
        else
          five_of_bytes(transformed, column);
        UNROLLED for (int y = 0; y < rows + 2; y++) columns[y][x] = transformed[y];
      }
      UNROLLED for (int y = 0; y < rows + 2; y++) {
        int16x8_t transformed[6];
        six_of_words(transformed, columns[y]);
        UNROLLED for (int x = 0; x < COLUMNS; x++)
          vst1q_s16(output + (y * COLUMNS + x) * WORDS_STEP, transformed[x]);
        input[y] += 8;
      }
      output += CHANNELS_STEP;
    }
  }
}

// As in neon_tiles.h the loops are written for processors that issue in order: sums in v12 to v31,
// eight channels of each tile in v0 to v4, the weights of two channels, or of four in blocks of one
// vector, in v8 to v11, loaded anew as soon as they are used. What the next eight channels need is
// loaded ahead: after the last weights that are 64 bytes of the parameters or the band's output
// that follow them, and after the last channels of a position the sums' scratch.

// The products of a channel for one tile; the tile's sums are in four registers, or two.
#define TILE_2(op, one, two, three, four, taps, more, tile, channel)         \
  op " v" #one ".4s, v" #taps ".4h, v" #tile ".h[" #channel "]\n"            \
  op "2 v" #two ".4s, v" #taps ".8h, v" #tile ".h[" #channel "]\n"           \
  op " v" #three ".4s, v" #more ".4h, v" #tile ".h[" #channel "]\n"          \
  op "2 v" #four ".4s, v" #more ".8h, v" #tile ".h[" #channel "]\n"
#define TILE_1(op, one, two, taps, tile, channel)                            \
  op " v" #one ".4s, v" #taps ".4h, v" #tile ".h[" #channel "]\n"            \
  op "2 v" #two ".4s, v" #taps ".8h, v" #tile ".h[" #channel "]\n"

#define TILES_1_2(op, taps, more, channel) TILE_2(op, 12, 13, 14, 15, taps, more, 0, channel)
#define TILES_3_2(op, taps, more, channel)                                   \
  TILES_1_2(op, taps, more, channel)                                         \
  TILE_2(op, 16, 17, 18, 19, taps, more, 1, channel)                         \
  TILE_2(op, 20, 21, 22, 23, taps, more, 2, channel)
#define TILES_5_2(op, taps, more, channel)                                   \
  TILES_3_2(op, taps, more, channel)                                         \
  TILE_2(op, 24, 25, 26, 27, taps, more, 3, channel)                         \
  TILE_2(op, 28, 29, 30, 31, taps, more, 4, channel)
#define TILES_1_1(op, taps, channel) TILE_1(op, 12, 13, taps, 0, channel)
#define TILES_3_1(op, taps, channel)                                         \
  TILES_1_1(op, taps, channel)                                               \
  TILE_1(op, 14, 15, taps, 1, channel)                                       \
  TILE_1(op, 16, 17, taps, 2, channel)
#define TILES_5_1(op, taps, channel)                                         \
  TILES_3_1(op, taps, channel)                                               \
  TILE_1(op, 18, 19, taps, 3, channel)                                       \
  TILE_1(op, 20, 21, taps, 4, channel)

#define LOAD_TAPS(taps, more, offset, next)                                  \
  "ldr q" #taps ", [%[weights], #" #offset "]\n"                             \
  "ldr q" #more ", [%[weights], #" #next "]\n"

#define INPUTS_1 "ldr q0, [%[at]]\n"
#define INPUTS_3 "ldp q0, q1, [%[at]]\n ldr q2, [%[at], #32]\n"
#define INPUTS_5 "ldp q0, q1, [%[at]]\n ldp q2, q3, [%[at], #32]\n ldr q4, [%[at], #64]\n"

// The first of eight channels begin the sums or add to them; the others follow.
#define FIRST_2(tiles, op) TILES_##tiles##_2(op, 8, 9, 0) LOAD_TAPS(8, 9, 64, 80)
#define OTHERS_2(tiles)                                                      \
  TILES_##tiles##_2("smlal", 10, 11, 1) LOAD_TAPS(10, 11, 96, 112)           \
  TILES_##tiles##_2("smlal", 8, 9, 2) LOAD_TAPS(8, 9, 128, 144)              \
  TILES_##tiles##_2("smlal", 10, 11, 3) LOAD_TAPS(10, 11, 160, 176)          \
  TILES_##tiles##_2("smlal", 8, 9, 4) LOAD_TAPS(8, 9, 192, 208)              \
  TILES_##tiles##_2("smlal", 10, 11, 5) LOAD_TAPS(10, 11, 224, 240)          \
  "add %[weights], %[weights], #256\n"                                       \
  TILES_##tiles##_2("smlal", 8, 9, 6) LOAD_TAPS(8, 9, 0, 16)                 \
  "add %[at], %[at], %[channels_step]\n"                                     \
  "subs %[left], %[left], #1\n"                                              \
  TILES_##tiles##_2("smlal", 10, 11, 7) INPUTS_##tiles LOAD_TAPS(10, 11, 32, 48)
#define FIRST_1(tiles, op) TILES_##tiles##_1(op, 8, 0)
#define OTHERS_1(tiles)                                                      \
  TILES_##tiles##_1("smlal", 9, 1) LOAD_TAPS(8, 9, 64, 80)                   \
  TILES_##tiles##_1("smlal", 10, 2)                                          \
  TILES_##tiles##_1("smlal", 11, 3) LOAD_TAPS(10, 11, 96, 112)               \
  TILES_##tiles##_1("smlal", 8, 4)                                           \
  "add %[weights], %[weights], #128\n"                                       \
  TILES_##tiles##_1("smlal", 9, 5) LOAD_TAPS(8, 9, 0, 16)                    \
  "add %[at], %[at], %[channels_step]\n"                                     \
  "subs %[left], %[left], #1\n"                                              \
  TILES_##tiles##_1("smlal", 10, 6)                                          \
  TILES_##tiles##_1("smlal", 11, 7) INPUTS_##tiles LOAD_TAPS(10, 11, 32, 48)

#define STORE(one, two, offset) "stp q" #one ", q" #two ", [%[sums], #" #offset "]\n"
#define STORES_1_1 STORE(12, 13, 0)
#define STORES_5_1                                                           \
  STORES_1_1 STORE(14, 15, 64) STORE(16, 17, 128) STORE(18, 19, 192) STORE(20, 21, 256)
#define STORES_1_2 STORES_1_1 STORE(14, 15, 32)
#define STORES_3_2                                                           \
  STORES_1_2 STORE(16, 17, 64) STORE(18, 19, 96) STORE(20, 21, 128) STORE(22, 23, 160)
#define STORES_5_2                                                           \
  STORES_3_2 STORE(24, 25, 192) STORE(26, 27, 224) STORE(28, 29, 256) STORE(30, 31, 288)

/// Some tiles' sums of a block, for all positions: `input` and `sums` are the first tile's.
#define DEFINE_PRODUCTS(tiles, vectors)                                                         \
  static void products_##tiles##_##vectors(const struct ckernels_winograd *band,                \
                                           const int16_t *weights, const int16_t *input,        \
                                           int32_t *sums, ptrdiff_t positions) {                \
    const ptrdiff_t groups = band->input_channels / 8, channels_step = 2 * CHANNELS_STEP;       \
    ptrdiff_t left;                                                                             \
    const int16_t *at;                                                                          \
    __asm__ volatile(                                                                           \
        "ldp q8, q9, [%[weights]]\n ldp q10, q11, [%[weights], #32]\n"                          \
        "1:\n"                                                                                  \
        "mov %[at], %[input]\n"                                                                 \
        INPUTS_##tiles                                                                          \
        "mov %[left], %[groups]\n"                                                              \
        "add %[input], %[input], %[words_step]\n"                                               \
        FIRST_##vectors(tiles, "smull")                                                         \
        "b 3f\n"                                                                                \
        "2:\n"                                                                                  \
        FIRST_##vectors(tiles, "smlal")                                                         \
        "3:\n"                                                                                  \
        OTHERS_##vectors(tiles)                                                                 \
        "b.ne 2b\n"                                                                             \
        STORES_##tiles##_##vectors                                                              \
        "subs %[positions], %[positions], #1\n"                                                 \
        "add %[sums], %[sums], %[sums_step]\n"                                                  \
        "b.ne 1b\n"                                                                             \
        : [weights] "+r"(weights), [input] "+r"(input), [sums] "+r"(sums),                      \
          [positions] "+r"(positions), [left] "=&r"(left), [at] "=&r"(at)                       \
        : [channels_step] "r"(channels_step), [groups] "r"(groups),                             \
          [words_step] "i"(2 * WORDS_STEP), [sums_step] "i"(4 * SUMS_STEP)                      \
        : "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v8", "v9", "v10", "v11", "v12", "v13", \
          "v14", "v15", UPPER_REGISTERS);                                                       \
  }
DEFINE_PRODUCTS(1, 1)
DEFINE_PRODUCTS(5, 1)
DEFINE_PRODUCTS(1, 2)
DEFINE_PRODUCTS(3, 2)
DEFINE_PRODUCTS(5, 2)

/// The products of some positions, from where `input` and `sums` are on. Tiles are taken five or
/// three at once, or singly.
static void multiply_positions(const struct ckernels_winograd *band, const int16_t *weights,
                               const int16_t *input, int32_t *sums, int32_t vectors,
                               ptrdiff_t positions) {
  int32_t left = band->together;
  if (left == MOST_TILES) {
    if (vectors == 2)
      products_5_2(band, weights, input, sums, positions);
    else
      products_5_1(band, weights, input, sums, positions);
    return;
  }
  while (left > 0) {
    const int32_t count = vectors == 2 && left >= 3 ? 3 : 1;
    if (count == 3)
      products_3_2(band, weights, input, sums, positions);
    else if (vectors == 2)
      products_1_2(band, weights, input, sums, positions);
    else
      products_1_1(band, weights, input, sums, positions);
    left -= count;
    input += count * 8;
    sums += count * TILE_LANES;
  }
}

/// The weights of six columns of positions, each `count` numbers, of those of three.
static void expand_columns(int16_t *restrict output, const int16_t *restrict weights,
                           ptrdiff_t count) {
  // Every column has a pointer of its own, which loads and stores move on.
  const int16_t *input[3];
  int16_t *columns[COLUMNS];
  UNROLLED for (int k = 0; k < 3; k++) input[k] = weights + k * count;
  UNROLLED for (int k = 0; k < COLUMNS; k++) columns[k] = output + k * count;
  const int16x8_t four = four_words();
  const int16x8_t minus_four = vnegq_s16(four), six = vdupq_n_s16(6);
  for (ptrdiff_t left = count; left > 0; left -= 16) {
    int16x8x2_t three[3], all[COLUMNS];
    UNROLLED for (int k = 0; k < 3; k++) LOAD_PAIR(three[k], input[k]);
    UNROLLED for (int half = 0; half < 2; half++) {
      const int16x8_t first = three[0].val[half], second = three[1].val[half];
      const int16x8_t third = three[2].val[half];
      const int16x8_t ends = vaddq_s16(first, third), twice = vaddq_s16(second, second);
      const int16x8_t far = vmlaq_s16(first, third, four);
      all[0].val[half] = vmulq_s16(first, six);
      all[1].val[half] = vmulq_s16(vaddq_s16(ends, second), minus_four);
      all[2].val[half] = vmulq_s16(vsubq_s16(ends, second), minus_four);
      all[3].val[half] = vaddq_s16(far, twice);
      all[4].val[half] = vsubq_s16(far, twice);
      all[5].val[half] = vmulq_s16(third, six);
    }
    UNROLLED for (int k = 0; k < COLUMNS; k++) STORE_PAIR(columns[k], all[k]);
  }
}

APART void multiply_tiles(const struct ckernels_winograd *band, const int16_t *weights,
                          int32_t channel, int32_t vectors) {
  (void)channel;
  const int32_t rows = band->rows + 2;
  if (band->weight_columns == COLUMNS) {
    multiply_positions(band, weights, band->transformed, band->sums, vectors, rows * COLUMNS);
    return;
  }
  const ptrdiff_t count = (ptrdiff_t)band->input_channels * vectors * LANES;
  int16_t *const expanded = (int16_t *)(band->sums + 6 * COLUMNS * SUMS_STEP);
  for (int32_t row = 0; row < rows; row++) {
    expand_columns(expanded, weights + row * 3 * count, count);
    multiply_positions(band, expanded, band->transformed + row * COLUMNS * WORDS_STEP,
                       band->sums + row * COLUMNS * SUMS_STEP, vectors, COLUMNS);
  }
}

/// One tile's results of four channels, stored as int8, pixels and rows so many bytes apart.
ALWAYS void finish_tile(const struct ckernels_winograd *band, const int32_t *sums, int32x4_t bias,
                        const int32_t *parameters, int32_t lanes, int8_t *output, ptrdiff_t pixel,
                        ptrdiff_t row, int32_t rows) {
  const int32x4_t multiplier = vld1q_s32(parameters);
  const int16x4_t narrow = vqmovn_s32(vld1q_s32(parameters + lanes));
  const int16x8_t offset = vcombine_s16(narrow, narrow);
  const int32x4_t shift = vnegq_s32(vld1q_s32(parameters + 2 * lanes));
  lanes_of_sums results[4][4];
  transform_back(results, sums, SUMS_STEP, (lanes_of_sums)bias, rows);
  UNROLLED for (int y = 0; y < rows; y++) {
    int32x4_t four[4];
    // SQDMULH and SSHL round down, as the bias wants it.
    UNROLLED for (int x = 0; x < 4; x++)
      four[x] = vshlq_s32(vqdmulhq_s32((int32x4_t)results[y][x], multiplier), shift);
    const int16x8_t low = vqaddq_s16(vqmovn_high_s32(vqmovn_s32(four[0]), four[1]), offset);
    const int16x8_t high = vqaddq_s16(vqmovn_high_s32(vqmovn_s32(four[2]), four[3]), offset);
    const int32x4_t bytes =
        vreinterpretq_s32_s8(clamp_16(low, high, band->minimum, band->maximum));
    int8_t *at = output;
    STORE_WORD(at, bytes, 0, pixel);
    STORE_WORD(at, bytes, 1, pixel);
    STORE_WORD(at, bytes, 2, pixel);
    STORE_WORD(at, bytes, 3, pixel);
    output += row;
  }
}

/// The first channels of a tile's results, which are four each in `some`.
APART void store_some(int8_t *output, const int8_t *some, ptrdiff_t pixel, ptrdiff_t row,
                      int32_t rows, int32_t count) {
  for (int32_t y = 0; y < rows; y++) {
    int8_t *at = output + y * row;
    for (int32_t x = 0; x < 4; x++) {
#pragma clang loop vectorize(disable) unroll(disable)
      for (int32_t c = 0; c < count; c++) at[c] = some[c];
      at += pixel;
      some += 4;
    }
  }
}

APART void finish_tiles(const struct ckernels_winograd *band, const int32_t *parameters,
                        int32_t first, int32_t channel, int32_t vectors) {
  const int32_t lanes = vectors * LANES, rows = band->rows;
  const ptrdiff_t channels = band->channels, row = 4 * band->tiles * channels;
  for (int32_t lane = 0; lane < lanes && channel + lane < channels; lane += 4) {
    const ptrdiff_t remaining = channels - channel - lane;
    const int32x4_t bias = vld1q_s32(band->bias + channel + lane);
    for (int32_t tile = 0; tile < band->together; tile++) {
      const int32_t *sums = band->sums + tile * TILE_LANES + lane;
      int8_t *output = band->output + (first + tile) * 4 * channels + channel + lane;
      // Fewer channels than four are picked out of all.
      int8_t some[64];
      int8_t *const at = remaining >= 4 ? output : some;
      const ptrdiff_t at_pixel = remaining >= 4 ? channels : 4, at_row = remaining >= 4 ? row : 16;
      if (rows == 4)
        finish_tile(band, sums, bias, parameters + lane, lanes, at, at_pixel, at_row, 4);
      else
        finish_tile(band, sums, bias, parameters + lane, lanes, at, at_pixel, at_row, 3);
      if (remaining >= 4) continue;
      store_some(output, some, channels, row, rows, (int32_t)remaining);
    }
  }
}

#include "winograd_band.h"
