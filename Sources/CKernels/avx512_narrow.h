// Convolutions of one element with few output channels: heads. Here lanes are not channels, of
// which most would be empty, but the four groups of each of four pixels; each pixel's four partial
// sums are added up afterwards, sixteen pixels at a time.

#define NARROW_CHANNELS 4

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

ALWAYS void convolve_narrow(const struct ckernels_convolution *row) {
  const uint8_t *input = row->rows[0];
  for (int32_t channel = 0; channel < row->channels; channel++) {
    int32_t groups[4];
    for (int group = 0; group < 4; group++)
      memcpy(groups + group, row->weights + (group * LANES + channel) * 4, 4);
    const __m512i taps = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)groups));
    const int32_t *parameters = row->parameters + channel;
    const __m512i bias = splat(parameters[0]);
    const struct scaling by = make_scaling(splat(parameters[LANES]), splat(parameters[2 * LANES]),
                                           splat(parameters[3 * LANES]));
    for (int32_t x = 0; x < row->width; x += 16) {
      // The last sixteen may overlap those before: they are computed the same again.
      if (x + 16 > row->width) x = row->width - 16;
      __m512i sums[4];
      UNROLLED for (int i = 0; i < 4; i++)
        sums[i] = dot(_mm512_setzero_si512(), _mm512_loadu_si512(input + (x + 4 * i) * 16), taps);
      const __m512i sum =
          _mm512_add_epi32(add_quarters(sums[0], sums[1], sums[2], sums[3]), bias);
      int8_t bytes[16];
      store_lanes(scaled(sum, by), row->zero_point, row->minimum, row->maximum, bytes, LANES);
      int8_t *output = row->output + (ptrdiff_t)x * row->channels + channel;
      for (int pixel = 0; pixel < 16; pixel++) output[pixel * row->channels] = bytes[pixel];
    }
  }
}
