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
#define TILE_VECTORS 8
#define REST_PIXELS 2
#define TILES_1 CASE(4) CASE(2) CASE(1)
#define TILES_2 CASE(4) CASE(2) CASE(1)

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

ALWAYS void store_block(const vector *values, int32_t vectors, int32_t zero_point, int32_t minimum,
                        int32_t maximum, int8_t *output) {
  const int16x8_t low = offset_8(values[0].val[0], values[0].val[1], zero_point);
  if (vectors == 1) {
    vst1_s8(output, clamp_8(low, minimum, maximum));
  } else {
    const int16x8_t high = offset_8(values[1].val[0], values[1].val[1], zero_point);
    vst1q_s8(output, clamp_16(low, high, minimum, maximum));
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

static inline int8x16_t repeat_pair(const uint8_t *from) {
  return vreinterpretq_s8_s16(vld1q_dup_s16((const int16_t *)from));
}

#include "neon_tiles.h"

ALWAYS void accumulate(const struct ckernels_convolution *row, const int8_t *weights, vector *sums,
                       int32_t x, int32_t vectors, int32_t pixels) {
  if (vectors == 2 && pixels == 4)
    two_vectors_of_four(row, weights, sums, x);
  else if (vectors == 2 && pixels == 2)
    two_vectors_of_two(row, weights, sums, x);
  else if (vectors == 1 && pixels == 4)
    one_vector_of_four(row, weights, sums, x);
  else
    any_tile(row, weights, sums, x, vectors, pixels);
}

#define OWN_NARROW
#include "neon_narrow.h"
#define OWN_ADD

#include "bodies.h"
#include "neon_add.h"
#include "neon_winograd.h"
#endif
