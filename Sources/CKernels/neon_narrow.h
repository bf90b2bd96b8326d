// Convolutions of one element with one or two output channels: heads. Here lanes are not channels,
// of which most would be empty, but the elements of a pixel, whose products are added up at the
// end.

/// The weights of a channel for all elements of a pixel, and how its sums are scaled.
struct narrow_channel {
  int8x16_t taps;
  int32x4_t bias, multiplier, shift;
};

ALWAYS bool is_narrow(const struct ckernels_convolution *row) {
  return row->channels <= 2 && row->kernel_height == 1 && row->groups == 8 &&
         row->pixel_bytes == 16 && row->width >= 8;
}

ALWAYS struct narrow_channel take_channel(const struct ckernels_convolution *row, int channel) {
  int8_t taps[16];
  for (int group = 0; group < 8; group++)
    __builtin_memcpy(taps + 2 * group, row->weights + (group * LANES + channel) * GROUP, GROUP);
  const int32_t *at = row->parameters + channel;
  return (struct narrow_channel){vld1q_s8(taps), vdupq_n_s32(row->bias[channel]),
                                 vdupq_n_s32(at[0]), vdupq_n_s32(at[2 * LANES])};
}

/// Four pixels' results of a channel. Two products fit 16 bits, as weights are at least -127.
ALWAYS int32x4_t narrow_4(const int8x16_t *pixels, const struct narrow_channel *channel) {
  int32x4_t sums[4];
  UNROLLED for (int m = 0; m < 4; m++)
    sums[m] = vpaddlq_s16(
        vmlal_high_s8(vmull_s8(vget_low_s8(pixels[m]), vget_low_s8(channel->taps)), pixels[m],
                      channel->taps));
  const int32x4_t all = vpaddq_s32(vpaddq_s32(sums[0], sums[1]), vpaddq_s32(sums[2], sums[3]));
  return requantise_4(vaddq_s32(all, channel->bias), channel->multiplier, channel->shift);
}

/// Eight pixels of a channel.
ALWAYS int8x8_t narrow_8(const struct ckernels_convolution *row, const int8x16_t *pixels,
                         const struct narrow_channel *channel) {
  return clamp_8(offset_8(narrow_4(pixels, channel), narrow_4(pixels + 4, channel),
                          row->zero_point),
                 row->minimum, row->maximum);
}

/// All pixels; the last eight may overlap those before: they are computed the same again.
ALWAYS void narrow_row(const struct ckernels_convolution *row, int channels) {
  const int8_t *input = row->rows[0];
  struct narrow_channel all[2];
  UNROLLED for (int c = 0; c < channels; c++) all[c] = take_channel(row, c);
  for (int32_t x = 0; x < row->width; x += 8) {
    if (x + 8 > row->width) x = row->width - 8;
    int8x16_t pixels[8];
    UNROLLED for (int m = 0; m < 8; m++) pixels[m] = vld1q_s8(input + (x + m) * 16);
    int8_t *output = row->output + (ptrdiff_t)x * channels;
    if (channels == 1) {
      vst1_s8(output, narrow_8(row, pixels, all));
    } else {
      const int8x8x2_t both = {{narrow_8(row, pixels, all), narrow_8(row, pixels, all + 1)}};
      vst2_s8(output, both);
    }
  }
}

ALWAYS void convolve_narrow(const struct ckernels_convolution *row) {
  if (row->channels == 1)
    narrow_row(row, 1);
  else
    narrow_row(row, 2);
}
