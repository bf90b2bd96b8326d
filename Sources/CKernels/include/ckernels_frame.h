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

/// Holds the functions below to registers of at most so many bits, where there is a choice: for
/// checks of all of them on one processor.
void ckernels_frame_limit(int32_t bits);

/// Writes a row as interleaved red, green, blue: 3 * `width` bytes and none beyond.
void ckernels_frame_pixels(const struct ckernels_frame_row *row, uint8_t *pixels);

/// Writes a row as three planes, the second and third `pitch` bytes after the one before; up to
/// `CKERNELS_PLANE_SLACK` bytes after each are overwritten.
void ckernels_frame_planes(const struct ckernels_frame_row *row, uint8_t *planes, size_t pitch);

/// How pixels of red, green and blue are written.
struct ckernels_pixel_form {
  /// Bytes from a pixel to the next: 3, or 4 of which the last does not matter.
  int32_t bytes;
  /// What each value, less 128, is exclusively ored with.
  uint8_t sign;
};

/// Averages two by two pixels of two rows of one frame, rounding halves up, into half as many
/// pixels of that form. The width is even.
void ckernels_frame_halve(const struct ckernels_frame_row *upper,
                          const struct ckernels_frame_row *lower,
                          struct ckernels_pixel_form form, int8_t *output);

/// Adds `weight` times each of `count` samples to the sums.
void ckernels_frame_accumulate(uint32_t *sums, const uint8_t *samples, uint32_t weight,
                               size_t count);

/// Writes `count` bytes: `upper` times its weight and `lower` times its, added, divided by two to
/// the power of `shift`, at least 1, rounding halves up. Weights and sums have 32 bits, products
/// 63.
void ckernels_frame_blend(const uint32_t *upper, const uint32_t *lower, uint32_t upper_weight,
                          uint32_t lower_weight, int32_t shift, uint8_t *bytes, size_t count);

/// The two pixels of a line that a pixel of a patch lies between, and how far from the first to the
/// second in 1/8192.
struct ckernels_between {
  int32_t first, second;
  uint32_t fraction;
};

/// What eight pixels of a patch take from a line, made ready.
struct ckernels_patch_columns {
  /// For each four of them, where the sixteen bytes that hold all they take begin.
  int32_t offsets[2];
  /// For each value the places of its two samples among these, as 16-bit numbers; the upper bytes
  /// are places beyond, which stand for zero. First the first four values of both, then the next
  /// four, then the last.
  uint8_t places[96];
  /// For each value, in the same order, the weights of its two samples, together 8192.
  int16_t weights[48];
};

/// Eight of these at a time: a patch's width is a multiple of it.
#define CKERNELS_PATCH_COLUMNS 8

/// Makes `count` places ready, each at most one pixel after the one before, of lines of which the
/// bytes `begin` to `end` may be read, 16 at least.
void ckernels_patch_prepare(struct ckernels_patch_columns *columns,
                            const struct ckernels_between *places, int32_t count, int32_t begin,
                            int32_t end);

/// Blends a line's pixels: writes 3 * `count` sums, 1/8192 each, less their last seven bits to
/// `high` and these to `low`.
void ckernels_patch_along(const uint8_t *line, const struct ckernels_patch_columns *columns,
                          int32_t count, int16_t *high, int16_t *low);

/// Sums of a line, as `ckernels_patch_along` writes them.
struct ckernels_patch_line {
  const int16_t *high, *low;
};

/// Blends two lines: writes 3 * `count` values, `fraction` / 8192 from the upper to the lower,
/// rounding halves up.
void ckernels_patch_down(struct ckernels_patch_line upper, struct ckernels_patch_line lower,
                         int32_t fraction, int32_t count, uint8_t *bytes);

/// Averages two by two pixels of a square patch of `side`, a multiple of 4, pixels, each value less
/// 128, rounding halves up.
void ckernels_patch_halve(const uint8_t *patch, int32_t side, int8_t *output);

/// Unrolls a square patch of `side` pixels: row `r` of `radii` has the values at `x`, `y` plus
/// r + 1/2 times each of the `angles` steps, a multiple of 8, between four pixels to 1/256, less
/// 128.
void ckernels_patch_unwrap(const uint8_t *patch, int32_t side, float x, float y,
                           const float *x_steps, const float *y_steps, int32_t radii,
                           int32_t angles, int8_t *output);
