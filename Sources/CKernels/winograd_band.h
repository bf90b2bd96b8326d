// What walks over a band of a convolution by Winograd's filtering, for all instruction sets. A
// set's file defines before it includes this one:
//
//   transform_tiles the tiles from one on, transformed: winograd.h has it
//   multiply_tiles  the products of a block of channels for all positions, into the band's `sums`
//   finish_tiles    these transformed back, scaled to int8 and stored

ALWAYS void winograd_rows(const struct ckernels_winograd *band, int32_t rows) {
  const int32_t lanes = band->vectors * LANES;
  for (int32_t first = 0; first < band->tiles; first += band->together) {
    // The last tiles may be some of those before: they are computed the same again.
    if (first + band->together > band->tiles) first = band->tiles - band->together;
    transform_tiles(band, first, rows);
    const int16_t *weights = band->weights;
    const int32_t *parameters = band->parameters;
    for (int32_t channel = 0; channel < band->channels; channel += lanes) {
      const int32_t remaining = (band->channels - channel + LANES - 1) / LANES;
      const int32_t vectors = remaining < band->vectors ? remaining : band->vectors;
      multiply_tiles(band, weights, channel, vectors);
      finish_tiles(band, parameters, first, channel, vectors);
      weights +=
          (ptrdiff_t)(rows + 2) * band->weight_columns * band->input_channels * vectors * LANES;
      parameters += 3 * vectors * LANES;
    }
  }
}

void NAME(winograd)(const struct ckernels_winograd *given) {
  const struct ckernels_winograd own = *given;
  if (own.rows == 4)
    winograd_rows(&own, 4);
  else
    winograd_rows(&own, 3);
}
