// Winograd's transforms, written once for all instruction sets over the compiler's vectors. Points
// are 0, 1, -1, 2, -2 and infinity for four results, 0, 1, -1, 2 and infinity for three.
//
// A set's file defines before it includes this one, besides what bodies.h wants:
//
//   SUM_LANES     sums of a register
//   WIDE_WORDS    16-bit numbers of a register
//   NARROW_WORDS  fewer, for what remains, if there are such
//   words_<n>, load_words_<n>   such registers, and so many elements loaded as 16-bit numbers
//
// One that defines OWN_INPUT instead of what has to do with words brings `transform_tiles` itself;
// one that multiplies and adds 32-bit numbers in one instruction, ADD_FOUR_TIMES.
#include "ckernels_winograd.h"

#ifndef ADD_FOUR_TIMES
#define ADD_FOUR_TIMES(sum, value) ((sum) + ((value) << 2))
#endif

/// Columns of a tile's positions.
#define COLUMNS 6

/// The position whose sum goes into all results alike, with which the bias is added.
#define BIAS_POSITION (COLUMNS + 1)

/// 32-bit sums, whose arithmetic is modulo 2^32.
typedef uint32_t lanes_of_sums __attribute__((vector_size(4 * SUM_LANES)));

ALWAYS void four_results(lanes_of_sums *results, const lanes_of_sums *sums) {
  const lanes_of_sums both = sums[1] + sums[2], difference = sums[1] - sums[2];
  const lanes_of_sums far_both = sums[3] + sums[4], far = sums[3] - sums[4];
  const lanes_of_sums twice = far + far;
  results[0] = sums[0] + both + far_both;
  results[1] = difference + twice;
  results[2] = ADD_FOUR_TIMES(both, far_both);
  // The last weights are a quarter of what they should be, so that they fit 16 bits.
  results[3] = ADD_FOUR_TIMES(difference, twice + sums[5]);
}

ALWAYS void three_results(lanes_of_sums *results, const lanes_of_sums *sums) {
  const lanes_of_sums both = sums[1] + sums[2], twice = sums[3] + sums[3];
  results[0] = sums[0] + both + sums[3];
  results[1] = sums[1] - sums[2] + twice;
  results[2] = both + (twice + twice) + sums[4];
}

/// The sums of all positions of a tile, `step` elements apart, as four results in each row, to
/// which `bias` is added.
ALWAYS void transform_back(lanes_of_sums results[4][4], const int32_t *sums, ptrdiff_t step,
                           lanes_of_sums bias, int32_t rows) {
  lanes_of_sums columns[4][COLUMNS];
  UNROLLED for (int x = 0; x < COLUMNS; x++) {
    lanes_of_sums column[6], four[4];
    UNROLLED for (int y = 0; y < rows + 2; y++)
      __builtin_memcpy(column + y, sums + (y * COLUMNS + x) * step, sizeof *column);
    if (x == BIAS_POSITION % COLUMNS) column[BIAS_POSITION / COLUMNS] += bias;
    if (rows == 4)
      four_results(four, column);
    else
      three_results(four, column);
    UNROLLED for (int y = 0; y < rows; y++) columns[y][x] = four[y];
  }
  UNROLLED for (int y = 0; y < rows; y++) four_results(results[y], columns[y]);
}

#ifndef OWN_INPUT
#define WORDS WIDE_WORDS
#include "winograd_input.h"
#undef WORDS
#ifdef NARROW_WORDS
#define WORDS NARROW_WORDS
#include "winograd_input.h"
#undef WORDS
#else
#define NARROW_WORDS WIDE_WORDS
#endif

/// The tiles from `first` on, transformed: [position][tile][channel].
ALWAYS void transform_tiles(const struct ckernels_winograd *band, int32_t first, int32_t rows) {
  const ptrdiff_t pixel = (ptrdiff_t)first * 4 * band->input_channels;
  int32_t channel = 0;
  for (; channel + NARROW_WORDS < band->input_channels; channel += WIDE_WORDS)
    JOIN(transform_, WIDE_WORDS)(band, pixel + channel, band->transformed + channel, rows);
  for (; channel < band->input_channels; channel += NARROW_WORDS)
    JOIN(transform_, NARROW_WORDS)(band, pixel + channel, band->transformed + channel, rows);
}
#endif
