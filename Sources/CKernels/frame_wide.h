// What is done to frames by 512-bit registers, on processors whose AVX-512 has instructions on
// bytes.
#pragma once
#include "ckernels_frame.h"

/// Whether the processor has them and the operating system saves them.
bool ckernels_frame_is_wide(void);

/// Writes the row's first pixels, of a layout whose pixels share chroma, as planes; how many.
int32_t ckernels_frame_planes_wide(const struct ckernels_frame_row *row, uint8_t *planes,
                                   size_t pitch);

/// Halves the rows' first pixels, of such a layout; how many.
int32_t ckernels_frame_halve_wide(const struct ckernels_frame_row *upper,
                                  const struct ckernels_frame_row *lower,
                                  struct ckernels_pixel_form form, int8_t *output);

/// `ckernels_patch_along` of a multiple of 16 pixels.
void ckernels_patch_along_wide(const uint8_t *line, const struct ckernels_patch_columns *columns,
                               int32_t count, int16_t *high, int16_t *low);

/// `ckernels_patch_unwrap` of a multiple of 16 angles.
void ckernels_patch_unwrap_wide(const uint8_t *patch, int32_t side, float x, float y,
                                const float *x_steps, const float *y_steps, int32_t radii,
                                int32_t angles, int8_t *output);

/// `ckernels_patch_down`.
void ckernels_patch_down_wide(struct ckernels_patch_line upper, struct ckernels_patch_line lower,
                              int32_t fraction, int32_t count, uint8_t *bytes);
