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
#define TILE_PIXELS 6
#define TILES_1 CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
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

// Four chains of multiply, multiply-add, add pairwise, side by side, so that an in-order processor
// need not wait for a result. Left to the compiler, the chains of a whole tile are mixed, run out
// of registers, and spill.

// One pixel's pairs meet two vectors of channels; meanwhile the pairs of the pixel to come next are
// loaded from `next`, which is moved on.
static inline void one_pixel(vector *sums, const int8x16_t *first, const int8x16_t *second,
                             int8x16_t left, int8x16_t right, const uint8_t **next,
                             int8x16_t *next_left, int8x16_t *next_right) {
  int16x8_t product0, product1, product2, product3;
  // Reads memory by `next` alone, which nothing here writes.
  __asm__(
      "smull %[p0].8h, %[f0].8b, %[l].8b\n"
      "ld1r {%[nl].8h}, [%[next]], #2\n"
      "smull2 %[p1].8h, %[f0].16b, %[l].16b\n"
      "smull %[p2].8h, %[f1].8b, %[l].8b\n"
      "ld1r {%[nr].8h}, [%[next]], #2\n"
      "smull2 %[p3].8h, %[f1].16b, %[l].16b\n"
      "smlal %[p0].8h, %[s0].8b, %[r].8b\n"
      "smlal2 %[p1].8h, %[s0].16b, %[r].16b\n"
      "smlal %[p2].8h, %[s1].8b, %[r].8b\n"
      "smlal2 %[p3].8h, %[s1].16b, %[r].16b\n"
      "sadalp %[a0].4s, %[p0].8h\n"
      "sadalp %[a1].4s, %[p1].8h\n"
      "sadalp %[a2].4s, %[p2].8h\n"
      "sadalp %[a3].4s, %[p3].8h\n"
      : [a0] "+w"(sums[0].val[0]), [a1] "+w"(sums[0].val[1]), [a2] "+w"(sums[1].val[0]),
        [a3] "+w"(sums[1].val[1]), [p0] "=&w"(product0), [p1] "=&w"(product1),
        [p2] "=&w"(product2), [p3] "=&w"(product3), [nl] "=&w"(*next_left),
        [nr] "=&w"(*next_right), [next] "+r"(*next)
      : [f0] "w"(first[0]), [s0] "w"(second[0]), [l] "w"(left), [r] "w"(right),
        [f1] "w"(first[1]), [s1] "w"(second[1]));
}

// Two pixels' pairs meet one vector of channels.
static inline void two_pixels(vector *sums, int8x16_t first, int8x16_t second, int8x16_t left0,
                              int8x16_t right0, int8x16_t left1, int8x16_t right1) {
  int16x8_t product0, product1, product2, product3;
  __asm__(
      "smull %[p0].8h, %[f].8b, %[l0].8b\n"
      "smull2 %[p1].8h, %[f].16b, %[l0].16b\n"
      "smull %[p2].8h, %[f].8b, %[l1].8b\n"
      "smull2 %[p3].8h, %[f].16b, %[l1].16b\n"
      "smlal %[p0].8h, %[s].8b, %[r0].8b\n"
      "smlal2 %[p1].8h, %[s].16b, %[r0].16b\n"
      "smlal %[p2].8h, %[s].8b, %[r1].8b\n"
      "smlal2 %[p3].8h, %[s].16b, %[r1].16b\n"
      "sadalp %[a0].4s, %[p0].8h\n"
      "sadalp %[a1].4s, %[p1].8h\n"
      "sadalp %[a2].4s, %[p2].8h\n"
      "sadalp %[a3].4s, %[p3].8h\n"
      : [a0] "+w"(sums[0].val[0]), [a1] "+w"(sums[0].val[1]), [a2] "+w"(sums[1].val[0]),
        [a3] "+w"(sums[1].val[1]), [p0] "=&w"(product0), [p1] "=&w"(product1),
        [p2] "=&w"(product2), [p3] "=&w"(product3)
      : [f] "w"(first), [s] "w"(second), [l0] "w"(left0), [r0] "w"(right0), [l1] "w"(left1),
        [r1] "w"(right1));
}

// Two vectors of channels. The pairs of the first pixel are loaded one group ahead: after the last
// group of a row that reads four bytes beyond, which the ring has room for.
ALWAYS void accumulate_2(const struct ckernels_convolution *row, const int8_t *weights,
                         vector *sums, int32_t x, int32_t pixels) {
  for (int32_t ky = 0; ky < row->kernel_height; ky++) {
    const uint8_t *at[TILE_PIXELS];
    UNROLLED for (int m = 0; m < pixels; m++)
      at[m] = (const uint8_t *)row->rows[ky] + (ptrdiff_t)(x + m) * row->pixel_bytes;
    int8x16_t left = repeat_pair(at[0]), right = repeat_pair(at[0] + GROUP);
    at[0] += 2 * GROUP;
    for (int32_t group = 0; group < row->groups; group += 2) {
      const int8x16_t first[2] = {vld1q_s8(weights), vld1q_s8(weights + 16)};
      const int8x16_t second[2] = {vld1q_s8(weights + 32), vld1q_s8(weights + 48)};
      weights += 64;
      UNROLLED for (int m = 0; m < pixels; m++) {
        int8x16_t next_left, next_right;
        one_pixel(sums + 2 * m, first, second, left, right, &at[(m + 1) % pixels], &next_left,
                  &next_right);
        left = next_left;
        right = next_right;
      }
    }
  }
}

// One vector of channels.
ALWAYS void accumulate_1(const struct ckernels_convolution *row, const int8_t *weights,
                         vector *sums, int32_t x, int32_t pixels) {
  for (int32_t ky = 0; ky < row->kernel_height; ky++) {
    const uint8_t *at[TILE_PIXELS];
    UNROLLED for (int m = 0; m < pixels; m++)
      at[m] = (const uint8_t *)row->rows[ky] + (ptrdiff_t)(x + m) * row->pixel_bytes;
    for (int32_t group = 0; group < row->groups; group += 2) {
      const int8x16_t first = vld1q_s8(weights), second = vld1q_s8(weights + 16);
      weights += 32;
      UNROLLED for (int m = 0; m + 1 < pixels; m += 2) {
        const int8x16_t left0 = repeat_pair(at[m]), right0 = repeat_pair(at[m] + GROUP);
        const int8x16_t left1 = repeat_pair(at[m + 1]), right1 = repeat_pair(at[m + 1] + GROUP);
        at[m] += 2 * GROUP;
        at[m + 1] += 2 * GROUP;
        two_pixels(sums + m, first, second, left0, right0, left1, right1);
      }
      if (pixels % 2 == 1) {
        vector *sum = sums + pixels - 1;
        const int8x16_t left = repeat_pair(at[pixels - 1]);
        const int8x16_t right = repeat_pair(at[pixels - 1] + GROUP);
        at[pixels - 1] += 2 * GROUP;
        int16x8_t low = vmull_s8(vget_low_s8(first), vget_low_s8(left));
        int16x8_t high = vmull_high_s8(first, left);
        low = vmlal_s8(low, vget_low_s8(second), vget_low_s8(right));
        high = vmlal_high_s8(high, second, right);
        sum->val[0] = vpadalq_s16(sum->val[0], low);
        sum->val[1] = vpadalq_s16(sum->val[1], high);
      }
    }
  }
}

ALWAYS void accumulate(const struct ckernels_convolution *row, const int8_t *weights, vector *sums,
                       int32_t x, int32_t vectors, int32_t pixels) {
  if (vectors == 2)
    accumulate_2(row, weights, sums, x, pixels);
  else
    accumulate_1(row, weights, sums, x, pixels);
}
#include "bodies.h"
#endif
