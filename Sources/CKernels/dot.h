// The sums of a tile where one instruction multiplies and adds groups of elements within lanes:
// one group of each pixel's input is repeated in all lanes and meets each vector of weights.
//
// Primitives: `operand` (weights or input), `repeat_group`, `load_weights`, `dot`.
ALWAYS void accumulate(const struct ckernels_convolution *row, const int8_t *weights, vector *sums,
                       int32_t x, int32_t vectors, int32_t pixels) {
  const ptrdiff_t pixel_bytes = row->pixel_bytes;
  const ptrdiff_t length = (ptrdiff_t)row->groups * 4;
  for (int32_t ky = 0; ky < row->row_count; ky++) {
    const uint8_t *input = (const uint8_t *)row->rows[ky] + x * pixel_bytes;
    for (ptrdiff_t at = 0; at < length; at += 4) {
      operand taps[MAXIMUM_VECTORS];
      UNROLLED for (int v = 0; v < vectors; v++)
        taps[v] = load_weights(weights + v * LANES * GROUP);
      weights += vectors * LANES * GROUP;
      UNROLLED for (int m = 0; m < pixels; m++) {
        const operand group = repeat_group(input + m * pixel_bytes + at);
        UNROLLED for (int v = 0; v < vectors; v++)
          sums[m * vectors + v] = dot(sums[m * vectors + v], group, taps[v]);
      }
    }
  }
}
