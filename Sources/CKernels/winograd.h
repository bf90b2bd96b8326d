// Winograd's transforms, written once for all instruction sets over the compiler's vectors. Points are
// 0, 1, -1, 2, -2 and infinity for four results, 0, 1, -1, 2 and infinity for three.
//
// A set's file defines before it includes this one, besides what bodies.h wants:
//
//   SUM_LANES     sums of a register
//   WIDE_WORDS    16-bit numbers of a register
//   NARROW_WORDS  fewer, for what remains, if there are such
//   words_<n>, load_words_<n>   such registers, and so many elements loaded as 16-bit numbers
#include "ckernels_winograd.h"

/// Columns of a tile's positions.
#define COLUMNS 6

/// The position whose sum goes into all results alike, with which the bias is added.
#define BIAS_POSITION (COLUMNS + 1)

/// 32-bit sums.
typedef int32_t lanes_of_sums __attribute__((vector_size(4 * SUM_LANES)));

ALWAYS void four_results(lanes_of_sums *results, const lanes_of_sums *sums) {
  const lanes_of_sums both = sums[1] + sums[2], difference = sums[1] - sums[2];
  const lanes_of_sums far_both = sums[3] + sums[4], far = sums[3] - sums[4];
  const lanes_of_sums twice = far + far;
  results[0] = sums[0] + both + far_both;
  results[1] = difference + twice;
  results[2] = both + (far_both << 2);
  // The last weights are a quarter of what they should be, so that they fit 16 bits.
  results[3] = difference + ((twice + sums[5]) << 2);
}

ALWAYS void three_results(lanes_of_sums *results, const lanes_of_sums *sums) {
  const lanes_of_sums both = sums[1] + sums[2], twice = sums[3] + sums[3];
  results[0] = sums[0] + both + sums[3];
  results[1] = sums[1] - sums[2] + twice;
  results[2] = both + (twice + twice) + sums[4];
}

/// The sums of all positions of a tile, `step` elements apart, as four results in each row.
ALWAYS void transform_back(lanes_of_sums results[4][4], const int32_t *sums, ptrdiff_t step,
                           int32_t rows) {
  lanes_of_sums columns[4][COLUMNS];
  UNROLLED for (int x = 0; x < COLUMNS; x++) {
    lanes_of_sums column[6], four[4];
    UNROLLED for (int y = 0; y < rows + 2; y++)
      __builtin_memcpy(column + y, sums + (y * COLUMNS + x) * step, sizeof *column);
    if (rows == 4)
      four_results(four, column);
    else
      three_results(four, column);
    UNROLLED for (int y = 0; y < rows; y++) columns[y][x] = four[y];
  }
  UNROLLED for (int y = 0; y < rows; y++) four_results(results[y], columns[y]);
}

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
