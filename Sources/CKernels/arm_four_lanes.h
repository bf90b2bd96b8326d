// Primitives of aarch64 sets whose vectors of channels have four lanes.
#define LANES 4

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
