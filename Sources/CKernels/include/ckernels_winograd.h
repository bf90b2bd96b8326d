// Convolutions of 3x3 elements by Winograd's minimal filtering, in whole numbers.
//
// Four by four results take 36 products instead of 144, of transformed weights and transformed
// input (Lavin, Gray: Fast Algorithms for Convolutional Neural Networks, 2015). The weights'
// transform has fractions; made whole, it gives sums that are `WINOGRAD_SCALE_4` or
// `WINOGRAD_SCALE_3` times the convolution's. Elements and weights transformed fit 16 bits, sums
// are taken modulo 2^32, and as the results fit 32 bits, which is checked when a graph is prepared,
// they are exact.
#pragma once
#include "ckernels.h"

/// What the sums of a band of four rows, or of three, are multiplied by.
#define WINOGRAD_SCALE_4 576
#define WINOGRAD_SCALE_3 144

/// A band of output rows.
///
/// Weights come in blocks of channels, each of `vectors` vectors (the last maybe fewer), packed
/// [position][group][lane][element of the group]: the positions of a tile are rows + 2 rows of six,
/// a group is so many input channels as one instruction multiplies and adds within a lane.
/// Parameters of a block are three arrays, one element a lane, as those of a convolution that is
/// not scaled by the rule as it is written.
struct ckernels_winograd {
  /// rows + 2 padded input rows, as `transfer` and `fill` wrote them, each of at least 4 * tiles +
  /// 2 pixels. What is there beyond the padding may be anything.
  const void *const *input;
  const int16_t *weights;
  /// Of a row of positions' weights: six, or three, of which the kernel makes six.
  int32_t weight_columns;
  const int32_t *parameters;
  /// Of the scaled sums, one a lane, of all blocks.
  const int32_t *bias;
  /// [row][4 * tiles pixels][channel]
  int8_t *output;
  /// Scratch: the transformed input of some tiles and the sums of a block's products for them.
  int16_t *transformed;
  int32_t *sums;
  /// Output rows: 4 or 3.
  int32_t rows;
  /// Tiles of four output pixels in a row, and how many of them are computed together.
  int32_t tiles;
  int32_t together;
  /// A multiple of 8.
  int32_t input_channels;
  /// Elements from one tile's transformed channels to the next tile's.
  int32_t stride;
  int32_t channels;
  /// Vectors of a block; the last block has what remains.
  int32_t vectors;
  int32_t minimum;
  int32_t maximum;
  /// As those of a convolution.
  uint8_t sign;
  enum ckernels_scaling scaling;
};

#if defined(__x86_64__)
void ckernels_winograd_avx512vnni(const struct ckernels_winograd *band);
#elif defined(__aarch64__)
void ckernels_winograd_neon(const struct ckernels_winograd *band);
#endif
