// Vector forms of what is done to camera frames before a network sees them: samples of a row become
// red, green and blue, and rows of these are averaged. Each equals the plain form in Sources/Frames
// bit for bit.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes beyond its `width` that a plane written or read here must have room for.
#define CKERNELS_PLANE_SLACK 64

/// How the samples of a row lie.
enum ckernels_layout {
  /// Y U Y V.
  CKERNELS_YUYV,
  /// U Y V Y.
  CKERNELS_UYVY,
  /// Luma apart; chroma in pairs of U and V, one for two pixels.
  CKERNELS_PAIRS_UV,
  /// Luma apart; chroma in pairs of V and U, one for two pixels.
  CKERNELS_PAIRS_VU,
  /// Luma, U and V apart, chroma one for two pixels.
  CKERNELS_HALVED,
  /// Luma, U and V apart, chroma for each pixel.
  CKERNELS_FULL,
  /// Luma alone.
  CKERNELS_GREY,
  /// Red, green, blue.
  CKERNELS_RGB,
  /// Blue, green, red.
  CKERNELS_BGR,
};

/// One row of a frame, or part of one that begins at an even column.
struct ckernels_frame_row {
  /// The first sample of luma, or of all where they lie together.
  const uint8_t *samples;
  /// U, or the pairs.
  const uint8_t *chroma;
  /// V where it is apart.
  const uint8_t *other_chroma;
  enum ckernels_layout layout;
  /// Pixels.
  int32_t width;
  /// `ColourCoefficients` in their order.
  int32_t luma_offset, luma, red_from_v, green_from_u, green_from_v, blue_from_u;
};

/// Whether this processor has what the functions below are made of. Ask before calling any.
bool ckernels_frame_is_fast(void);

/// Writes a row as interleaved red, green, blue: 3 * `width` bytes and none beyond.
void ckernels_frame_pixels(const struct ckernels_frame_row *row, uint8_t *pixels);

/// Writes a row as three planes, the second and third `pitch` bytes after the one before; up to
/// `CKERNELS_PLANE_SLACK` bytes after each are overwritten.
void ckernels_frame_planes(const struct ckernels_frame_row *row, uint8_t *planes, size_t pitch);

/// Averages two by two pixels of two rows in planes, rounding halves up, into `count` pixels of
/// interleaved red, green, blue less 128.
void ckernels_frame_halve(const uint8_t *upper, const uint8_t *lower, size_t pitch, int8_t *output,
                          int32_t count);

/// Adds `weight` times each of `count` samples to the sums.
void ckernels_frame_accumulate(uint32_t *sums, const uint8_t *samples, uint32_t weight,
                               size_t count);

/// Writes `count` bytes: `upper` times its weight and `lower` times its, added, divided by two to
/// the power of `shift`, at least 1, rounding halves up. Weights and sums have 32 bits, products 63.
void ckernels_frame_blend(const uint32_t *upper, const uint32_t *lower, uint32_t upper_weight,
                          uint32_t lower_weight, int32_t shift, uint8_t *bytes, size_t count);
