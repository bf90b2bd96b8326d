// Byte matrix products (Cortex-A510, A710 and later): eight elements of each of two pixels meet
// eight of each of two channels' weights in one instruction, which gives all four sums.
#include "shared.h"

#if defined(__aarch64__)
#include "arm.h"
#pragma clang attribute push(__attribute__((target("i8mm,dotprod"))), apply_to = function)

#define SET i8mm
#define GROUP 8
#define MAXIMUM_VECTORS 4
#define TILE_VECTORS 24
#define TILES_1 CASE(8) CASE(4) CASE(1)
#define TILES_2 CASE(8) CASE(4) CASE(1)
#define TILES_3 CASE(4) CASE(1)
#define TILES_4 CASE(4) CASE(1)

#include "arm_four_lanes.h"

// While sums grow, a pair of pixels has two registers for a vector of channels: the first two
// channels of both pixels, and the last two. An odd pixel is its own partner.
ALWAYS void accumulate(const struct ckernels_convolution *row, const int8_t *weights, vector *sums,
                       int32_t x, int32_t vectors, int32_t pixels) {
  int32x4_t first[TILE_VECTORS], last[TILE_VECTORS];
  const int32_t pairs = (pixels + 1) / 2;
  UNROLLED for (int pair = 0; pair < pairs; pair++)
    UNROLLED for (int v = 0; v < vectors; v++) {
      const int other = 2 * pair + 1 < pixels ? 2 * pair + 1 : 2 * pair;
      const int32x4_t one = sums[2 * pair * vectors + v], two = sums[other * vectors + v];
      first[pair * vectors + v] = vcombine_s32(vget_low_s32(one), vget_low_s32(two));
      last[pair * vectors + v] = vcombine_s32(vget_high_s32(one), vget_high_s32(two));
    }
  for (int32_t ky = 0; ky < row->row_count; ky++) {
    const int8_t *input = (const int8_t *)row->rows[ky] + (ptrdiff_t)x * row->pixel_bytes;
    for (int32_t group = 0; group < row->groups; group++) {
      int8x16_t both[TILE_VECTORS];
      UNROLLED for (int pair = 0; pair < pairs; pair++) {
        const int other = 2 * pair + 1 < pixels ? 2 * pair + 1 : 2 * pair;
        both[pair] = vcombine_s8(vld1_s8(input + (ptrdiff_t)(2 * pair) * row->pixel_bytes),
                                 vld1_s8(input + (ptrdiff_t)other * row->pixel_bytes));
      }
      input += GROUP;
      UNROLLED for (int v = 0; v < vectors; v++) {
        const int8x16_t front = vld1q_s8(weights), back = vld1q_s8(weights + 16);
        weights += 32;
        UNROLLED for (int pair = 0; pair < pairs; pair++) {
          const int place = pair * vectors + v;
          first[place] = vmmlaq_s32(first[place], both[pair], front);
          last[place] = vmmlaq_s32(last[place], both[pair], back);
        }
      }
    }
  }
  UNROLLED for (int pair = 0; pair < pairs; pair++)
    UNROLLED for (int v = 0; v < vectors; v++) {
      const int32x4_t front = first[pair * vectors + v], back = last[pair * vectors + v];
      sums[2 * pair * vectors + v] = vcombine_s32(vget_low_s32(front), vget_low_s32(back));
      if (2 * pair + 1 < pixels)
        sums[(2 * pair + 1) * vectors + v] =
            vcombine_s32(vget_high_s32(front), vget_high_s32(back));
    }
}

#include "bodies.h"
#pragma clang attribute pop
#endif
