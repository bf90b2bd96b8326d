// What the cutting and unrolling of coins does by instructions of aarch64 alone.

/// Blends eight pixels of a line: samples are paired as 16-bit numbers by a table, and a pair's
/// products added.
ALWAYS void along_8(const uint8_t *line, const struct ckernels_patch_columns *columns,
                    int16_t *high, int16_t *low) {
  UNROLLED for (int half = 0; half < 2; half++) {
    const uint8x16_t bytes = vld1q_u8(line + columns->offsets[half]);
    UNROLLED for (int i = 0; i < 3; i++) {
      const int at = 3 * half + i, from = 2 * i + half;
      const int16x8_t pairs =
          vreinterpretq_s16_u8(vqtbl1q_u8(bytes, vld1q_u8(columns->places + 16 * from)));
      const int16x8_t weights = vld1q_s16(columns->weights + 8 * from);
      const int32x4_t sum =
          vpaddq_s32(vmull_s16(vget_low_s16(pairs), vget_low_s16(weights)),
                     vmull_high_s16(pairs, weights));
      vst1_s16(high + 4 * at, vshrn_n_s32(sum, 7));
      vst1_s16(low + 4 * at, vand_s16(vmovn_s32(sum), vdup_n_s16(127)));
    }
  }
}

/// Blends eight values of two lines. Their last bits are weighed apart, so that 32 bits are enough.
ALWAYS void down_8(const int16_t *upper_high, const int16_t *upper_low, const int16_t *lower_high,
                   const int16_t *lower_low, int32_t upper, int32_t lower, uint8_t *bytes) {
  const int16_t above = (int16_t)upper, below = (int16_t)lower;
  const int16x8_t a = vld1q_s16(upper_high), b = vld1q_s16(lower_high);
  const int16x8_t c = vld1q_s16(upper_low), d = vld1q_s16(lower_low);
  int32x4_t first = vmlal_n_s16(vmull_n_s16(vget_low_s16(a), above), vget_low_s16(b), below);
  int32x4_t second = vmlal_high_n_s16(vmull_high_n_s16(a, above), b, below);
  first = vsraq_n_s32(
      first, vmlal_n_s16(vmull_n_s16(vget_low_s16(c), above), vget_low_s16(d), below), 7);
  second = vsraq_n_s32(second, vmlal_high_n_s16(vmull_high_n_s16(c, above), d, below), 7);
  const int16x8_t words =
      vmovn_high_s32(vmovn_s32(vrshrq_n_s32(first, 19)), vrshrq_n_s32(second, 19));
  vst1_u8(bytes, vreinterpret_u8_s8(vmovn_s16(words)));
}

ALWAYS uint8x8_t between_8(uint16x8_t upper, uint16x8_t lower, uint16x8_t below) {
  const uint16x8_t above = vsubq_u16(vdupq_n_u16(256), below);
  const uint32x4_t first = vmlal_u16(vmull_u16(vget_low_u16(upper), vget_low_u16(above)),
                                     vget_low_u16(lower), vget_low_u16(below));
  const uint32x4_t second = vmlal_high_u16(vmull_high_u16(upper, above), lower, below);
  return vmovn_u16(vrshrn_high_n_u32(vrshrn_n_u32(first, 16), second, 16));
}

/// `down` / 256 from `top` to `bottom`, over 256 and rounded.
ALWAYS u8x16 between_lines(u16x16 top, u16x16 bottom, u16x16 down) {
#define LOWER(v) ((uint16x8_t)__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7))
#define UPPER(v) ((uint16x8_t)__builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15))
  return (u8x16)vcombine_u8(between_8(LOWER(top), LOWER(bottom), LOWER(down)),
                            between_8(UPPER(top), UPPER(bottom), UPPER(down)));
}
