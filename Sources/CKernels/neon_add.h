// The sum of two tensors, sixteen elements at a time, with multiplications that widen.

ALWAYS int16x8_t add_8(const struct ckernels_add *sum, int16x8_t first, int16x8_t second,
                       int32x4_t constant, int32x4_t shift) {
  const int16_t one = (int16_t)sum->first_multiplier, two = (int16_t)sum->second_multiplier;
  int32x4_t low = vmlal_n_s16(constant, vget_low_s16(first), one);
  int32x4_t high = vmlal_high_n_s16(constant, first, one);
  low = vshlq_s32(vmlal_n_s16(low, vget_low_s16(second), two), shift);
  high = vshlq_s32(vmlal_high_n_s16(high, second, two), shift);
  return offset_8(low, high, sum->zero_point);
}

ALWAYS int8x16_t add_16(const struct ckernels_add *sum, int8x16_t first, int8x16_t second) {
  const int32x4_t constant = vdupq_n_s32((1 << (sum->shift - 1)) -
                                         sum->first_zero_point * sum->first_multiplier -
                                         sum->second_zero_point * sum->second_multiplier);
  const int32x4_t shift = vdupq_n_s32(-sum->shift);
  return clamp_16(add_8(sum, vmovl_s8(vget_low_s8(first)), vmovl_s8(vget_low_s8(second)), constant,
                        shift),
                  add_8(sum, vmovl_high_s8(first), vmovl_high_s8(second), constant, shift),
                  sum->minimum, sum->maximum);
}

void NAME(add)(const struct ckernels_add *sum) {
  const struct ckernels_add by = *sum;
  size_t i = 0;
  for (; i + 16 <= by.count; i += 16)
    vst1q_s8(by.output + i, add_16(&by, vld1q_s8(by.first + i), vld1q_s8(by.second + i)));
  const size_t remaining = by.count - i;
  if (remaining == 0) return;
  int8_t first[16] = {0}, second[16] = {0}, output[16];
  memcpy(first, by.first + i, remaining);
  memcpy(second, by.second + i, remaining);
  vst1q_s8(output, add_16(&by, vld1q_s8(first), vld1q_s8(second)));
  memcpy(by.output + i, output, remaining);
}
