// Primitives every aarch64 processor has.
#include <arm_neon.h>

// SQRDMULH and SRSHL are the engine's rounding rule.
static inline int32x4_t requantise_4(int32x4_t sum, int32x4_t multiplier, int32x4_t shift) {
  return vrshlq_s32(vqrdmulhq_s32(sum, multiplier), vnegq_s32(shift));
}

// What does not fit 16 bits is far from fitting 8, with the zero point or without.
static inline int16x8_t offset_8(int32x4_t low, int32x4_t high, int32_t zero_point) {
  return vqaddq_s16(vqmovn_high_s32(vqmovn_s32(low), high), vdupq_n_s16((int16_t)zero_point));
}

static inline int8x8_t clamp_8(int16x8_t value, int32_t minimum, int32_t maximum) {
  const int8x8_t bytes = vqmovn_s16(value);
  return vmin_s8(vmax_s8(bytes, vdup_n_s8((int8_t)minimum)), vdup_n_s8((int8_t)maximum));
}

static inline int8x16_t clamp_16(int16x8_t low, int16x8_t high, int32_t minimum, int32_t maximum) {
  const int8x16_t bytes = vqmovn_high_s16(vqmovn_s16(low), high);
  return vminq_s8(vmaxq_s8(bytes, vdupq_n_s8((int8_t)minimum)), vdupq_n_s8((int8_t)maximum));
}
