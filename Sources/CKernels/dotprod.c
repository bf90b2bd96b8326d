// Byte dot products (Cortex-A76 and later): four elements of a pixel meet four of each of four
// channels' weights; a register holds four such groups of a pixel, chosen by lane.
#include "shared.h"

#if defined(__aarch64__)
#include "arm.h"
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

#define SET dotprod
#define LANES 4
#define GROUP 4
#define MAXIMUM_VECTORS 4
#define TILE_VECTORS 24
#define TILE_PIXELS 10
// Sums, one register of input for each pixel, and weights fill the 32 registers.
#define TILES_1 CASE(10) CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_2 CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_3 CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_4 CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)

typedef int32x4_t vector;
typedef int8_t element;
static inline int8_t encode(int8_t value) { return value; }

static inline int32x4_t load_vector(const int32_t *from) { return vld1q_s32(from); }

static inline int32x4_t requantise(int32x4_t sum, int32x4_t multiplier, int32x4_t half,
                                   int32x4_t shift) {
  (void)half;
  return requantise_4(sum, multiplier, shift);
}

static inline void store_lanes(int32x4_t value, int32_t zero_point, int32_t minimum,
                               int32_t maximum, int8_t *output, int32_t count) {
  int8_t all[8];
  vst1_s8(all, clamp_8(offset_8(value, value, zero_point), minimum, maximum));
  if (count == LANES)
    __builtin_memcpy(output, all, LANES);
  else
    for (int32_t i = 0; i < count; i++) output[i] = all[i];
}

ALWAYS void store_block(const int32x4_t *values, int32_t vectors, int32_t zero_point,
                        int32_t minimum, int32_t maximum, int8_t *output) {
  if (vectors == 1) {
    store_lanes(values[0], zero_point, minimum, maximum, output, LANES);
    return;
  }
  const int16x8_t low = offset_8(values[0], values[1], zero_point);
  if (vectors < 4) {
    vst1_s8(output, clamp_8(low, minimum, maximum));
    if (vectors == 3) store_lanes(values[2], zero_point, minimum, maximum, output + 8, LANES);
  } else {
    const int16x8_t high = offset_8(values[2], values[3], zero_point);
    vst1q_s8(output, clamp_16(low, high, minimum, maximum));
  }
}

static inline int32x4_t widen(const int8_t *from) {
  int32_t four;
  __builtin_memcpy(&four, from, sizeof four);
  return vmovl_s16(vget_low_s16(vmovl_s8(vcreate_s8((uint32_t)four))));
}

static inline int32x4_t multiply_add(int32x4_t sum, int32x4_t left, int32x4_t right) {
  return vmlaq_s32(sum, left, right);
}

static inline int32x4_t splat(int32_t value) { return vdupq_n_s32(value); }

static inline int32x4_t shift_right(int32x4_t value, int32_t shift) {
  return vshlq_s32(value, vdupq_n_s32(-shift));
}

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
  for (int32_t ky = 0; ky < row->kernel_height; ky++) {
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
