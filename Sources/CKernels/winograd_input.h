// The transform of a tile's input for WORDS channels at a time. Included once for each number of
// them that a set has vectors of; `load_words_<WORDS>` loads so many elements as 16-bit numbers.
#define words JOIN(words_, WORDS)

ALWAYS void JOIN(six_inputs_, WORDS)(words *output, const words *input) {
  const words even = input[4] - (input[2] << 2), odd = input[3] - (input[1] << 2);
  const words near = input[4] - input[2], once = input[3] - input[1];
  const words twice = once + once;
  output[0] = ((input[0] - input[2]) << 2) + near;
  output[1] = even + odd;
  output[2] = even - odd;
  output[3] = near + twice;
  output[4] = near - twice;
  output[5] = input[5] - input[3] - (twice + twice);
}

ALWAYS void JOIN(five_inputs_, WORDS)(words *output, const words *input) {
  const words once = input[3] - input[1], twice = input[1] + input[1];
  const words near = input[3] - input[2], before = input[0] - input[2];
  output[0] = before + before + once;
  output[1] = near - twice;
  output[2] = near + twice - (input[2] + input[2]);
  output[3] = once;
  output[4] = input[4] - input[2] - (once + once);
}

/// All tiles computed together; `at` is where the first one's channels are in the input rows. The
/// last two columns of a tile are the first two of the next one.
ALWAYS void JOIN(transform_, WORDS)(const struct ckernels_winograd *band, ptrdiff_t at,
                                    int16_t *output, int32_t rows) {
  const ptrdiff_t step = (ptrdiff_t)band->together * band->stride;
  words columns[6][COLUMNS];
  for (int32_t tile = 0; tile < band->together; tile++) {
    UNROLLED for (int x = 0; x < COLUMNS; x++) {
      if (x < 2 && tile > 0) continue;
      words column[6], transformed[6];
      UNROLLED for (int y = 0; y < rows + 2; y++)
        column[y] = JOIN(load_words_, WORDS)((const element *)band->input[y] + at +
                                             (ptrdiff_t)x * band->input_channels);
      if (rows == 4)
        JOIN(six_inputs_, WORDS)(transformed, column);
      else
        JOIN(five_inputs_, WORDS)(transformed, column);
      UNROLLED for (int y = 0; y < rows + 2; y++) columns[y][x] = transformed[y];
    }
    UNROLLED for (int y = 0; y < rows + 2; y++) {
      words transformed[6];
      JOIN(six_inputs_, WORDS)(transformed, columns[y]);
      UNROLLED for (int x = 0; x < COLUMNS; x++)
        __builtin_memcpy(output + (y * COLUMNS + x) * step, transformed + x, sizeof *transformed);
      UNROLLED for (int x = 0; x < 2; x++) columns[y][x] = columns[y][x + 4];
    }
    at += (ptrdiff_t)4 * band->input_channels;
    output += band->stride;
  }
}
#undef words
