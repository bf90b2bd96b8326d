// What every aarch64 processor has. Two elements of a pixel, repeated in all lanes, meet two of
// each of eight channels' weights: SMULL and SMLAL add up two such products in 16 bits, which
// weights of at least -127 cannot overflow, and SADALP adds neighbours to the 32-bit sums.
#include "shared.h"

#if defined(__aarch64__)
#include "arm.h"

#define SET neon
#define LANES 8
#define GROUP 2
#define MAXIMUM_VECTORS 2
#define TILE_VECTORS 10
#define TILES_1 CASE(10) CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_2 CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)

typedef int32x4x2_t vector;
typedef int8_t element;
static inline int8_t encode(int8_t value) { return value; }

static inline vector load_vector(const int32_t *from) {
  return (vector){{vld1q_s32(from), vld1q_s32(from + 4)}};
}

static inline vector requantise(vector sum, vector multiplier, vector half, vector shift) {
  (void)half;
  return (vector){{requantise_4(sum.val[0], multiplier.val[0], shift.val[0]),
                   requantise_4(sum.val[1], multiplier.val[1], shift.val[1])}};
}

static inline void store_lanes(vector value, int32_t zero_point, int32_t minimum, int32_t maximum,
                               int8_t *output, int32_t count) {
  const int8x8_t bytes =
      clamp_8(offset_8(value.val[0], value.val[1], zero_point), minimum, maximum);
  if (count == LANES) {
    vst1_s8(output, bytes);
  } else {
    int8_t all[8];
    vst1_s8(all, bytes);
    for (int32_t i = 0; i < count; i++) output[i] = all[i];
  }
}

static inline vector widen(const int8_t *from) {
  const int16x8_t words = vmovl_s8(vld1_s8(from));
  return (vector){{vmovl_s16(vget_low_s16(words)), vmovl_high_s16(words)}};
}

static inline vector multiply_add(vector sum, vector left, vector right) {
  return (vector){{vmlaq_s32(sum.val[0], left.val[0], right.val[0]),
                   vmlaq_s32(sum.val[1], left.val[1], right.val[1])}};
}

static inline vector splat(int32_t value) {
  return (vector){{vdupq_n_s32(value), vdupq_n_s32(value)}};
}

static inline vector shift_right(vector value, int32_t shift) {
  const int32x4_t left = vdupq_n_s32(-shift);
  return (vector){{vshlq_s32(value.val[0], left), vshlq_s32(value.val[1], left)}};
}

static inline int8x16_t repeat_pair(const uint8_t *from) {
  return vreinterpretq_s8_s16(vld1q_dup_s16((const int16_t *)from));
}

ALWAYS void accumulate(const struct ckernels_convolution *row, const int8_t *weights, vector *sums,
                       int32_t x, int32_t vectors, int32_t pixels) {
  const ptrdiff_t pixel_bytes = row->pixel_bytes;
  const ptrdiff_t length = (ptrdiff_t)row->groups * GROUP;
  for (int32_t ky = 0; ky < row->kernel_height; ky++) {
    const uint8_t *input = (const uint8_t *)row->rows[ky] + x * pixel_bytes;
    for (ptrdiff_t at = 0; at < length; at += 2 * GROUP) {
      int8x16_t first[MAXIMUM_VECTORS], second[MAXIMUM_VECTORS];
      UNROLLED for (int v = 0; v < vectors; v++) {
        first[v] = vld1q_s8(weights + v * 16);
        second[v] = vld1q_s8(weights + (vectors + v) * 16);
      }
      weights += 2 * vectors * 16;
      UNROLLED for (int m = 0; m < pixels; m++) {
        const int8x16_t left = repeat_pair(input + m * pixel_bytes + at);
        const int8x16_t right = repeat_pair(input + m * pixel_bytes + at + GROUP);
        UNROLLED for (int v = 0; v < vectors; v++) {
          vector *sum = &sums[m * vectors + v];
          int16x8_t low = vmull_s8(vget_low_s8(first[v]), vget_low_s8(left));
          low = vmlal_s8(low, vget_low_s8(second[v]), vget_low_s8(right));
          sum->val[0] = vpadalq_s16(sum->val[0], low);
          int16x8_t high = vmull_high_s8(first[v], left);
          high = vmlal_high_s8(high, second[v], right);
          sum->val[1] = vpadalq_s16(sum->val[1], high);
        }
      }
    }
  }
}

#include "bodies.h"
#endif
