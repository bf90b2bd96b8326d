// The operators' vector forms, written once over a few primitives that each instruction set's file
// defines before it includes this one:
//
//   SET             the suffix of the functions' names
//   LANES           int32 elements of a `vector`
//   MAXIMUM_VECTORS vectors of a block of channels
//   TILES_1 ...     for each number of vectors, CASE(pixels) of each tile that fits the registers
//   element         an element of a padded row
//   encode          an int8 as such an element
//   vector          int32 accumulators
//   load_vector     LANES int32
//   requantise      the engine's rounding rule on LANES accumulators
//   store_lanes     adds the zero point, clamps, and stores the first `count` lanes as int8
//   store_block     the same for all lanes of the vectors of a block
//   widen           LANES int8 as int32
//   multiply_add    sum + left * right, by lanes
//   splat           one int32 in all lanes, for `add`
//   shift_right     arithmetic shift of all lanes, 1 to 30, for `add`
//   accumulate      adds the products of all kernel rows to a tile's accumulators
//   REST_PIXELS     the tile that ends a row where no more pixels are left, if there is one
//
// A file that defines OWN_TILE brings `tile`, which does all of a tile, instead of `store_block`
// and `accumulate`; one that defines OWN_ADD brings the function `add`; one that defines OWN_NARROW
// brings `is_narrow` and `convolve_narrow`, for convolutions of one element and few channels.
//
// Loops over vectors and pixels have constant bounds once inlined: the arrays become registers.
#include <string.h>

#ifndef REST_PIXELS
#define REST_PIXELS 0
#endif

#ifndef OWN_TILE
// What is left to do for a tile when its sums are there: scaled to int8 and stored, whole blocks by
// `store_block`, blocks with fewer channels than lanes vector by vector.
ALWAYS void finish(const struct ckernels_convolution *row, const int32_t *parameters,
                   vector *sums, int32_t x, int32_t channel, int32_t vectors, int32_t pixels) {
  const int32_t lanes = vectors * LANES;
  UNROLLED for (int v = 0; v < vectors; v++) {
    const vector multiplier = load_vector(parameters + v * LANES);
    const vector half = load_vector(parameters + lanes + v * LANES);
    const vector shift = load_vector(parameters + 2 * lanes + v * LANES);
    UNROLLED for (int m = 0; m < pixels; m++)
      sums[m * vectors + v] = requantise(sums[m * vectors + v], multiplier, half, shift);
  }
  const int32_t count = row->channels - channel;
  int8_t *output = row->output + (ptrdiff_t)x * row->channels + channel;
  UNROLLED for (int m = 0; m < pixels; m++) {
    if (count >= lanes) {
      store_block(sums + m * vectors, vectors, row->zero_point, row->minimum, row->maximum, output);
    } else {
      UNROLLED for (int v = 0; v < vectors; v++)
        store_lanes(sums[m * vectors + v], row->zero_point, row->minimum, row->maximum,
                    output + v * LANES, v == vectors - 1 ? count - v * LANES : LANES);
    }
    output += row->channels;
  }
}

ALWAYS void tile(const struct ckernels_convolution *row, const int8_t *weights,
                 const int32_t *parameters, int32_t x, int32_t channel, int32_t vectors,
                 int32_t pixels) {
  vector sums[TILE_VECTORS];
  const int32_t *bias = row->bias + channel;
  UNROLLED for (int v = 0; v < vectors; v++)
    UNROLLED for (int m = 0; m < pixels; m++) sums[m * vectors + v] = load_vector(bias + v * LANES);
  accumulate(row, weights, sums, x, vectors, pixels);
  finish(row, parameters, sums, x, channel, vectors, pixels);
}
#endif

// All tiles of a row for one block of channels. The last tile, one of REST_PIXELS where these are
// enough, may overlap the one before: it computes the same again.
#define CASE(pixels)                                                                    \
  case pixels:                                                                          \
    for (int32_t x = 0; x < row->width; x += pixels) {                                  \
      if (x + pixels > row->width) {                                                    \
        if (REST_PIXELS > 0 && pixels > REST_PIXELS && row->width - x <= REST_PIXELS) { \
          tile(row, weights, parameters, row->width - REST_PIXELS, channel, VECTORS,    \
               REST_PIXELS > 0 ? REST_PIXELS : 1);                                      \
          return;                                                                       \
        }                                                                               \
        x = row->width - pixels;                                                        \
      }                                                                                 \
      tile(row, weights, parameters, x, channel, VECTORS, pixels);                      \
    }                                                                                   \
    return;

#define DEFINE_BLOCK(name)                                                                  \
  static void name(const struct ckernels_convolution *given, const int8_t *weights,         \
                   const int32_t *parameters, int32_t channel, int32_t pixels)

// What a row says is copied, so that the compiler knows that no store of output changes it.
#define COPY_ROW const struct ckernels_convolution own = *given, *row = &own;

#define VECTORS 1
DEFINE_BLOCK(NAME(block_1)) {
  COPY_ROW
  switch (pixels) { TILES_1 }
}
#undef VECTORS
#define VECTORS 2
DEFINE_BLOCK(NAME(block_2)) {
  COPY_ROW
  switch (pixels) { TILES_2 }
}
#undef VECTORS
#if MAXIMUM_VECTORS > 2
#define VECTORS 3
DEFINE_BLOCK(NAME(block_3)) {
  COPY_ROW
  switch (pixels) { TILES_3 }
}
#undef VECTORS
#define VECTORS 4
DEFINE_BLOCK(NAME(block_4)) {
  COPY_ROW
  switch (pixels) { TILES_4 }
}
#undef VECTORS
#endif
#undef CASE

// What a tile costs: products, loads of input and weights, and overhead.
ALWAYS int32_t tile_cost(int32_t vectors, int32_t pixels) {
  return pixels * (2 * vectors + 1) + vectors + 3;
}

// What a row of such tiles costs.
ALWAYS int32_t row_cost(int32_t vectors, int32_t pixels, int32_t width) {
  const int32_t rest = width % pixels;
  const bool is_short = pixels > REST_PIXELS && rest <= REST_PIXELS;
  return width / pixels * tile_cost(vectors, pixels) +
         (rest == 0 ? 0 : tile_cost(vectors, is_short ? REST_PIXELS : pixels));
}

// The tile with the least work for a row.
#define CASE(tile)                                                            \
  if (tile <= width) {                                                        \
    const int32_t cost = row_cost(vectors, tile, width);                      \
    if (best == 0 || cost < least) {                                          \
      best = tile;                                                            \
      least = cost;                                                           \
    }                                                                         \
  }

int32_t NAME(pixels)(int32_t vectors, int32_t width) {
  int32_t best = 0, least = 0;
  switch (vectors) {
    case 1: TILES_1 break;
    case 2: TILES_2 break;
#if MAXIMUM_VECTORS > 2
    case 3: TILES_3 break;
    default: TILES_4 break;
#endif
  }
  return best;
}
#undef CASE

void NAME(convolve)(const struct ckernels_convolution *row) {
#ifdef OWN_NARROW
  if (is_narrow(row)) {
    convolve_narrow(row);
    return;
  }
#endif
  const int8_t *weights = row->weights;
  const int32_t *parameters = row->parameters;
  const int32_t lanes = row->vectors * LANES;
  for (int32_t channel = 0; channel < row->channels; channel += lanes) {
    const int32_t remaining = (row->channels - channel + LANES - 1) / LANES;
    const int32_t vectors = remaining < row->vectors ? remaining : row->vectors;
    const int32_t pixels = remaining <= row->vectors ? row->last_pixels : row->pixels;
    const ptrdiff_t row_weights = (ptrdiff_t)row->groups * vectors * LANES * GROUP;
    const int8_t *first = weights + row->first_row * row_weights;
    switch (vectors) {
      case 1: NAME(block_1)(row, first, parameters, channel, pixels); break;
      case 2: NAME(block_2)(row, first, parameters, channel, pixels); break;
#if MAXIMUM_VECTORS > 2
      case 3: NAME(block_3)(row, first, parameters, channel, pixels); break;
      default: NAME(block_4)(row, first, parameters, channel, pixels); break;
#endif
    }
    weights += row->kernel_height * row_weights;
    parameters += 3 * vectors * LANES;
  }
}

void NAME(transfer)(void *output, const int8_t *input, size_t count) {
  element *restrict target = output;
  for (size_t i = 0; i < count; i++) target[i] = encode(input[i]);
}

void NAME(spread)(void *output, const int8_t *input, size_t pixels) {
  element *restrict target = output;
  size_t pixel = 0;
#ifdef SPREAD_16
  // Loads of sixteen pixels' 48 bytes take sixteen more, of the 22 pixels that these are part of:
  // six after them or, at the end, before.
  for (; pixel + 22 <= pixels; pixel += 16) SPREAD_16(target + 4 * pixel, input + 3 * pixel, 0);
  if (pixels >= 22) {
    pixels -= 16;
    SPREAD_16(target + 4 * pixels, input + 3 * pixels - 16, 4);
  }
#endif
  for (; pixel < pixels; pixel++) {
    for (int channel = 0; channel < 3; channel++)
      target[4 * pixel + channel] = encode(input[3 * pixel + channel]);
    target[4 * pixel + 3] = 0;
  }
}

void NAME(fill)(void *output, int8_t value, size_t count) {
  element *restrict target = output;
  const element encoded = encode(value);
  for (size_t i = 0; i < count; i++) target[i] = encoded;
}

// LANES channels of one pixel; `count` of them are there.
ALWAYS void depthwise_lanes(const struct ckernels_depthwise *row, int32_t x, int32_t channel,
                            int32_t count) {
  const int32_t *parameters = row->parameters + channel;
  const int8_t *weights = row->weights + channel;
  int8_t partial_input[LANES] = {0}, partial_weights[LANES] = {0};
  vector sum = load_vector(parameters);
  for (int32_t ky = 0; ky < row->kernel_height; ky++) {
    const int8_t *input = row->rows[ky] + (ptrdiff_t)x * row->pixel_bytes + channel;
    for (int32_t kx = 0; kx < row->kernel_width; kx++) {
      if (count == LANES) {
        sum = multiply_add(sum, widen(input), widen(weights));
      } else {
        memcpy(partial_input, input, (size_t)count);
        memcpy(partial_weights, weights, (size_t)count);
        sum = multiply_add(sum, widen(partial_input), widen(partial_weights));
      }
      input += row->channels;
      weights += row->channels;
    }
  }
  const int32_t padded = row->padded_channels;
  const vector result =
      requantise(sum, load_vector(parameters + padded), load_vector(parameters + 2 * padded),
                 load_vector(parameters + 3 * padded));
  store_lanes(result, row->zero_point, row->minimum, row->maximum,
              row->output + (ptrdiff_t)x * row->channels + channel, count);
}

void NAME(depthwise)(const struct ckernels_depthwise *row) {
  for (int32_t x = 0; x < row->width; x++) {
    int32_t channel = 0;
    for (; channel + LANES <= row->channels; channel += LANES)
      depthwise_lanes(row, x, channel, LANES);
    if (channel < row->channels) depthwise_lanes(row, x, channel, row->channels - channel);
  }
}

#ifndef OWN_ADD
// LANES elements of a sum. The zero points' share and the rounding term are in `constant`.
ALWAYS vector add_lanes(const struct ckernels_add *sum, vector constant, const int8_t *first,
                        const int8_t *second) {
  vector total = multiply_add(constant, widen(first), splat(sum->first_multiplier));
  total = multiply_add(total, widen(second), splat(sum->second_multiplier));
  return shift_right(total, sum->shift);
}

void NAME(add)(const struct ckernels_add *sum) {
  const vector constant = splat((1 << (sum->shift - 1)) -
                                sum->first_zero_point * sum->first_multiplier -
                                sum->second_zero_point * sum->second_multiplier);
  size_t i = 0;
  for (; i + LANES <= sum->count; i += LANES)
    store_lanes(add_lanes(sum, constant, sum->first + i, sum->second + i), sum->zero_point,
                sum->minimum, sum->maximum, sum->output + i, LANES);
  const size_t remaining = sum->count - i;
  if (remaining == 0) return;
  int8_t first[LANES] = {0}, second[LANES] = {0};
  memcpy(first, sum->first + i, remaining);
  memcpy(second, sum->second + i, remaining);
  store_lanes(add_lanes(sum, constant, first, second), sum->zero_point, sum->minimum,
              sum->maximum, sum->output + i, (int32_t)remaining);
}
#endif

void NAME(average)(const struct ckernels_average *of) {
  int32_t *restrict totals = of->totals;
  const int8_t *restrict input = of->input;
  const size_t channels = of->channels;
  for (size_t c = 0; c < channels; c++) totals[c] = -of->origin;
  for (size_t place = 0; place < of->places; place++) {
    for (size_t c = 0; c < channels; c++) totals[c] += input[c];
    input += channels;
  }
  int32_t multipliers[LANES], halves[LANES], shifts[LANES];
  for (int lane = 0; lane < LANES; lane++) {
    multipliers[lane] = of->multiplier;
    halves[lane] = of->shift > 0 ? 1 << (of->shift - 1) : 0;
    shifts[lane] = of->shift;
  }
  for (size_t c = 0; c < channels; c += LANES) {
    const size_t left = channels - c;
    const vector value = requantise(load_vector(totals + c), load_vector(multipliers),
                                    load_vector(halves), load_vector(shifts));
    store_lanes(value, of->zero_point, of->minimum, of->maximum, of->output + c,
                left < LANES ? (int32_t)left : LANES);
  }
}

void NAME(largest)(int8_t *restrict output, const int8_t *restrict input, size_t count) {
  for (size_t i = 0; i < count; i++) output[i] = input[i] > output[i] ? input[i] : output[i];
}

ALWAYS void double_pixels(int8_t *restrict output, const int8_t *restrict input, size_t pixels,
                          size_t channels) {
  for (size_t pixel = 0; pixel < pixels; pixel++) {
    memcpy(output, input, channels);
    memcpy(output + channels, input, channels);
    input += channels;
    output += 2 * channels;
  }
}

void NAME(upsample)(int8_t *restrict output, const int8_t *restrict input, size_t pixels,
                    size_t channels) {
  // Known sizes, those of a detector's paths downwards, are copied in registers.
  switch (channels) {
    case 16: double_pixels(output, input, pixels, 16); break;
    case 24: double_pixels(output, input, pixels, 24); break;
    case 48: double_pixels(output, input, pixels, 48); break;
    default: double_pixels(output, input, pixels, channels); break;
  }
}
