// Colours of pixels that share chroma two by two, 16 at a time: even and odd pixels apart, as
// loading takes them, so that what chroma adds is found once and put to both.

/// Pixels worked on at a time.
#define PAIR_BLOCK 16

/// A colour of 16 pixels.
typedef struct {
  uint8x8_t even, odd;
} pair_bytes;

struct pair_colours {
  pair_bytes red, green, blue;
};

/// Factors of a row's conversion.
struct pair_factors {
  int16_t luma, red_from_v, green_from_u, green_from_v, blue_from_u;
  uint8_t luma_offset;
};

ALWAYS struct pair_factors pair_factors_of(const struct ckernels_frame_row *row,
                                           enum ckernels_layout layout) {
  (void)layout;
  return (struct pair_factors){(int16_t)row->luma,         (int16_t)row->red_from_v,
                               (int16_t)row->green_from_u, (int16_t)row->green_from_v,
                               (int16_t)row->blue_from_u,  (uint8_t)row->luma_offset};
}

/// Even lumas, odd lumas, U and V of 16 pixels.
ALWAYS void take_pairs(const struct ckernels_frame_row *row, enum ckernels_layout layout,
                       int32_t x, uint8x8_t taken[4]) {
  if (layout == CKERNELS_YUYV || layout == CKERNELS_UYVY) {
    const uint8x8x4_t all = vld4_u8(row->samples + 2 * x);
    const bool is_luma_first = layout == CKERNELS_YUYV;
    taken[0] = all.val[is_luma_first ? 0 : 1];
    taken[1] = all.val[is_luma_first ? 2 : 3];
    taken[2] = all.val[is_luma_first ? 1 : 0];
    taken[3] = all.val[is_luma_first ? 3 : 2];
    return;
  }
  const uint8x8x2_t luma = vld2_u8(row->samples + x);
  taken[0] = luma.val[0];
  taken[1] = luma.val[1];
  if (layout == CKERNELS_HALVED) {
    taken[2] = vld1_u8(row->chroma + x / 2);
    taken[3] = vld1_u8(row->other_chroma + x / 2);
  } else {
    const uint8x8x2_t chroma = vld2_u8(row->chroma + x);
    const bool is_u_first = layout == CKERNELS_PAIRS_UV;
    taken[2] = chroma.val[is_u_first ? 0 : 1];
    taken[3] = chroma.val[is_u_first ? 1 : 0];
  }
}

/// A colour of eight pixels from luma's share and what chroma adds; the shift rounds as the rule
/// does, and what it narrows to holds every value.
ALWAYS uint8x8_t level_8(int32x4_t low, int32x4_t high, int32x4_t low_added,
                         int32x4_t high_added) {
  const int16x4_t first = vqrshrn_n_s32(vaddq_s32(low, low_added), 8);
  return vqmovun_s16(vqrshrn_high_n_s32(first, vaddq_s32(high, high_added), 8));
}

ALWAYS struct pair_colours pair_block(const struct ckernels_frame_row *row,
                                      enum ckernels_layout layout, struct pair_factors by,
                                      int32_t x) {
  uint8x8_t taken[4];
  take_pairs(row, layout, x, taken);
  const uint8x8_t black = vdup_n_u8(by.luma_offset), none = vdup_n_u8(128);
  const int16x8_t even = vreinterpretq_s16_u16(vsubl_u8(taken[0], black));
  const int16x8_t odd = vreinterpretq_s16_u16(vsubl_u8(taken[1], black));
  const int16x8_t u = vreinterpretq_s16_u16(vsubl_u8(taken[2], none));
  const int16x8_t v = vreinterpretq_s16_u16(vsubl_u8(taken[3], none));
  const int32x4_t even_low = vmull_n_s16(vget_low_s16(even), by.luma);
  const int32x4_t even_high = vmull_high_n_s16(even, by.luma);
  const int32x4_t odd_low = vmull_n_s16(vget_low_s16(odd), by.luma);
  const int32x4_t odd_high = vmull_high_n_s16(odd, by.luma);
  const int32x4_t red_low = vmull_n_s16(vget_low_s16(v), by.red_from_v);
  const int32x4_t red_high = vmull_high_n_s16(v, by.red_from_v);
  const int32x4_t green_low = vmlal_n_s16(vmull_n_s16(vget_low_s16(u), by.green_from_u),
                                          vget_low_s16(v), by.green_from_v);
  const int32x4_t green_high =
      vmlal_high_n_s16(vmull_high_n_s16(u, by.green_from_u), v, by.green_from_v);
  const int32x4_t blue_low = vmull_n_s16(vget_low_s16(u), by.blue_from_u);
  const int32x4_t blue_high = vmull_high_n_s16(u, by.blue_from_u);
  return (struct pair_colours){
      {level_8(even_low, even_high, red_low, red_high),
       level_8(odd_low, odd_high, red_low, red_high)},
      {level_8(even_low, even_high, green_low, green_high),
       level_8(odd_low, odd_high, green_low, green_high)},
      {level_8(even_low, even_high, blue_low, blue_high),
       level_8(odd_low, odd_high, blue_low, blue_high)},
  };
}

/// Stores the bytes of 16 pixels in order.
ALWAYS void store_pair_bytes(uint8_t *bytes, pair_bytes pairs) {
  const uint8x8x2_t both = {{pairs.even, pairs.odd}};
  vst2_u8(bytes, both);
}

/// Stores eight pixels, of which the sums of four pixels are given.
ALWAYS void store_means(int8_t *output, struct ckernels_pixel_form form, const uint16x8_t sums[3]) {
  const uint8x8_t flip = vdup_n_u8(0x80 ^ form.sign);
  uint8x8x4_t pixels;
  UNROLLED for (int c = 0; c < 3; c++) pixels.val[c] = veor_u8(vrshrn_n_u16(sums[c], 2), flip);
  pixels.val[3] = flip;
  const uint8x8x3_t colours = {{pixels.val[0], pixels.val[1], pixels.val[2]}};
  if (form.bytes == 4)
    vst4_u8((uint8_t *)output, pixels);
  else
    vst3_u8((uint8_t *)output, colours);
}

/// The sums of two by two pixels.
ALWAYS uint16x8_t summed_pairs(pair_bytes upper, pair_bytes lower) {
  return vaddq_u16(vaddl_u8(upper.even, upper.odd), vaddl_u8(lower.even, lower.odd));
}

/// Stores the means of 16 by 2 pixels.
ALWAYS void store_halved_pairs(int8_t *output, struct ckernels_pixel_form form,
                               struct pair_colours upper, struct pair_colours lower) {
  const uint16x8_t sums[3] = {summed_pairs(upper.red, lower.red),
                              summed_pairs(upper.green, lower.green),
                              summed_pairs(upper.blue, lower.blue)};
  store_means(output, form, sums);
}

/// Pixels that `halve_interleaved` takes of each row, and bytes it may read of them.
#define INTERLEAVED_BLOCK 16
#define INTERLEAVED_BYTES 48

/// The means of two by two pixels of red, green, blue, or of blue, green, red, that lie together.
ALWAYS void halve_interleaved(const uint8_t *upper, const uint8_t *lower, bool is_swapped,
                              struct ckernels_pixel_form form, int8_t *output) {
  const uint8x16x3_t above = vld3q_u8(upper), below = vld3q_u8(lower);
  uint16x8_t sums[3];
  UNROLLED for (int c = 0; c < 3; c++) {
    const int from = is_swapped ? 2 - c : c;
    sums[c] = vpadalq_u8(vpaddlq_u8(above.val[from]), below.val[from]);
  }
  store_means(output, form, sums);
}
