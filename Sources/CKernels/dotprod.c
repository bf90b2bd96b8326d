// Byte dot products (Cortex-A76 and later): four elements of a pixel meet four of each of four
// channels' weights; a register holds four such groups of a pixel, chosen by lane.
#include "shared.h"

#if defined(__aarch64__)
#include "arm.h"
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

#define SET dotprod
#define GROUP 4
#define MAXIMUM_VECTORS 4
#define TILE_VECTORS 24
#define TILE_PIXELS 8
// Sums, one register of input for each pixel, and weights fill the 32 registers. Every tile is
// code: these few suit widths of whole fives and eights, and one of two overlaps what is left.
#define TILES_1 CASE(8) CASE(5) CASE(1)
#define TILES_2 CASE(8) CASE(5) CASE(1)
#define TILES_3 CASE(5) CASE(1)
#define TILES_4 CASE(5) CASE(1)

#include "arm_four_lanes.h"

static inline int8x16_t repeat_group(const uint8_t *from) {
  return vreinterpretq_s8_s32(vld1q_dup_s32((const int32_t *)from));
}

// One of the four groups of `input` meets the weights of all vectors.
#define MULTIPLY_LANE(lane)                                                                      \
  UNROLLED for (int v = 0; v < vectors; v++) {                                                   \
    const int8x16_t taps = vld1q_s8(weights + (lane * vectors + v) * 16);                        \
    UNROLLED for (int m = 0; m < pixels; m++)                                                    \
      sums[m * vectors + v] = vdotq_laneq_s32(sums[m * vectors + v], taps, input[m], lane);      \
  }

ALWAYS void accumulate(const struct ckernels_convolution *row, const int8_t *weights, vector *sums,
                       int32_t x, int32_t vectors, int32_t pixels) {
  for (int32_t ky = 0; ky < row->row_count; ky++) {
    const uint8_t *at[TILE_PIXELS];
    UNROLLED for (int m = 0; m < pixels; m++)
      at[m] = (const uint8_t *)row->rows[ky] + (ptrdiff_t)(x + m) * row->pixel_bytes;
    int32_t group = 0;
    for (; group + 4 <= row->groups; group += 4) {
      int8x16_t input[TILE_PIXELS];
      UNROLLED for (int m = 0; m < pixels; m++) {
        input[m] = vld1q_s8((const int8_t *)at[m]);
        at[m] += 16;
      }
      MULTIPLY_LANE(0)
      MULTIPLY_LANE(1)
      MULTIPLY_LANE(2)
      MULTIPLY_LANE(3)
      weights += 4 * vectors * 16;
    }
    for (; group < row->groups; group++) {
      UNROLLED for (int m = 0; m < pixels; m++) {
        const int8x16_t repeated = repeat_group(at[m]);
        at[m] += GROUP;
        UNROLLED for (int v = 0; v < vectors; v++)
          sums[m * vectors + v] =
              vdotq_s32(sums[m * vectors + v], repeated, vld1q_s8(weights + v * 16));
      }
      weights += vectors * 16;
    }
  }
}

#include "bodies.h"
#pragma clang attribute pop
#endif
