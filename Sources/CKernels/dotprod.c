// Byte dot products (Cortex-A76 and later): four elements of a pixel, repeated in all lanes, meet
// four of each of four channels' weights.
#include "shared.h"

#if defined(__aarch64__)
#include "arm.h"
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

#define SET dotprod
#define LANES 4
#define GROUP 4
#define MAXIMUM_VECTORS 4
#define TILE_VECTORS 24
#define TILES_1 CASE(10) CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_2 CASE(10) CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_3 CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_4 CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)

typedef int32x4_t vector;
typedef int8x16_t operand;
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

static inline int8x16_t load_weights(const int8_t *from) { return vld1q_s8(from); }

static inline int8x16_t repeat_group(const uint8_t *from) {
  return vreinterpretq_s8_s32(vld1q_dup_s32((const int32_t *)from));
}

static inline int32x4_t dot(int32x4_t sum, int8x16_t group, int8x16_t weights) {
  return vdotq_s32(sum, group, weights);
}

#include "dot.h"

#include "bodies.h"
#pragma clang attribute pop
#endif
