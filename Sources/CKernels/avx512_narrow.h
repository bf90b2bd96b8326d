// Convolutions of one element with few output channels: heads. Here lanes are not channels, of
// which most would be empty, but the four groups of each of four pixels; each pixel's four partial
// sums are added up afterwards, sixteen pixels at a time.

#define NARROW_CHANNELS 2

ALWAYS bool is_narrow(const struct ckernels_convolution *row) {
  return row->channels <= NARROW_CHANNELS && row->kernel_height == 1 && row->groups == 4 &&
         row->pixel_bytes == 16 && row->width >= 16;
}

/// The sums of sixteen pixels, in order, of four registers with four partial sums a pixel.
ALWAYS __m512i add_quarters(__m512i a, __m512i b, __m512i c, __m512i d) {
  const __m512i ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
  const __m512i cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
  const __m512i all =
      _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
  const __m512i order =
      _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, all);
}

/// The weights of a channel for all four groups of each pixel, and how its sums are scaled.
struct narrow_channel {
  __m512i taps, bias, multiplier, offset, shift;
  struct scaling by;
};

ALWAYS struct narrow_channel take_channel(const struct ckernels_convolution *row, int channel) {
  int32_t groups[4];
  UNROLLED for (int group = 0; group < 4; group++)
    memcpy(groups + group, row->weights + (group * LANES + channel) * 4, 4);
  const int32_t *at = row->parameters + channel;
  const __m512i multiplier = splat(at[0]), shift = splat(at[2 * LANES]);
  return (struct narrow_channel){
      _mm512_broadcast_i32x4(_mm_setr_epi32(groups[0], groups[1], groups[2], groups[3])),
      splat(row->bias[channel]),
      multiplier,
      splat(at[LANES]),
      shift,
      make_scaling(multiplier, shift),
  };
}

/// One channel of sixteen pixels.
ALWAYS __m128i narrow_16(const struct ckernels_convolution *row, const __m512i *pixels,
                         const struct narrow_channel *channel) {
  __m512i sums[4];
  UNROLLED for (int i = 0; i < 4; i++)
    sums[i] = dot(_mm512_setzero_si512(), pixels[i], channel->taps);
  const __m512i sum =
      _mm512_add_epi32(add_quarters(sums[0], sums[1], sums[2], sums[3]), channel->bias);
  __m512i value;
  if (row->scaling == CKERNELS_BY_FLOATS)
    value = float_scaled(sum, (struct float_scaling){_mm512_castsi512_ps(channel->multiplier),
                                                     _mm512_castsi512_ps(channel->shift)});
  else if (row->scaling == CKERNELS_BY_RULE)
    value = plainly_scaled(sum, channel->multiplier, channel->shift);
  else
    value = scaled(sum, channel->by);
  const __m128i bytes = _mm512_cvtsepi32_epi8(_mm512_add_epi32(value, channel->offset));
  return _mm_xor_si128(_mm_min_epi8(_mm_max_epi8(bytes, _mm_set1_epi8((char)row->minimum)),
                                    _mm_set1_epi8((char)row->maximum)),
                       _mm_set1_epi8((char)row->sign));
}

/// All pixels, `channels` of them together; the last sixteen may overlap those before: they are
/// computed the same again.
ALWAYS void narrow_row(const struct ckernels_convolution *row, int channels) {
  const uint8_t *input = row->rows[0];
  struct narrow_channel all[NARROW_CHANNELS];
  UNROLLED for (int c = 0; c < channels; c++) all[c] = take_channel(row, c);
  for (int32_t x = 0; x < row->width; x += 16) {
    if (x + 16 > row->width) x = row->width - 16;
    __m512i pixels[4];
    UNROLLED for (int i = 0; i < 4; i++)
      pixels[i] = _mm512_loadu_si512(input + (x + 4 * i) * 16);
    __m128i bytes[NARROW_CHANNELS];
    UNROLLED for (int c = 0; c < channels; c++) bytes[c] = narrow_16(row, pixels, all + c);
    __m128i *output = (__m128i *)(row->output + (ptrdiff_t)x * channels);
    if (channels == 1) {
      _mm_storeu_si128(output, bytes[0]);
    } else {
      _mm_storeu_si128(output, _mm_unpacklo_epi8(bytes[0], bytes[1]));
      _mm_storeu_si128(output + 1, _mm_unpackhi_epi8(bytes[0], bytes[1]));
    }
  }
}

ALWAYS void convolve_narrow(const struct ckernels_convolution *row) {
  if (row->channels == 1)
    narrow_row(row, 1);
  else
    narrow_row(row, 2);
}
