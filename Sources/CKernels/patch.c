// A coin cut out of a picture, made smaller, and unrolled. Written with vectors of a fixed number
// of lanes, as the conversions of frames are; what one instruction does on one architecture alone
// is written for each.
#include "frame_shared.h"

// Floating-point numbers are rounded after each operation, as the plain form rounds them.
#pragma STDC FP_CONTRACT OFF

void ckernels_patch_prepare(struct ckernels_patch_columns *columns,
                            const struct ckernels_between *places, int32_t count, int32_t begin,
                            int32_t end) {
  for (int32_t four = 0; four < count / 4; four++) {
    const struct ckernels_between *place = places + 4 * four;
    struct ckernels_patch_columns *at = columns + four / 2;
    const int32_t half = four % 2;
    int32_t offset = 3 * place[0].first;
    if (offset > end - 16) offset = end - 16;
    if (offset < begin) offset = begin;
    at->offsets[half] = offset;
    for (int32_t value = 0; value < 12; value++) {
      const struct ckernels_between *own = place + value / 3;
      const int32_t channel = value % 3, group = 8 * (value / 4) + 4 * half + value % 4;
      uint8_t *sample = at->places + 4 * group;
      int16_t *weight = at->weights + 2 * group;
      sample[0] = (uint8_t)(3 * own->first + channel - offset);
      sample[2] = (uint8_t)(3 * own->second + channel - offset);
      sample[1] = sample[3] = 0x80;
      weight[0] = (int16_t)(8192 - own->fraction);
      weight[1] = (int16_t)own->fraction;
    }
  }
}

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#endif

#include "frame_blocks.h"

#if defined(__x86_64__)
#include "patch_x86.h"
#elif defined(__aarch64__)
#include "patch_arm.h"
#endif

#include "patch_places.h"

void ckernels_patch_along(const uint8_t *line, const struct ckernels_patch_columns *columns,
                          int32_t count, int16_t *high, int16_t *low) {
#if defined(__x86_64__)
  if (count % 16 == 0 && ckernels_frame_is_wide()) {
    ckernels_patch_along_wide(line, columns, count, high, low);
    return;
  }
#endif
  for (int32_t x = 0; x < count; x += CKERNELS_PATCH_COLUMNS) {
    along_8(line, columns, high, low);
    columns++;
    high += 3 * CKERNELS_PATCH_COLUMNS;
    low += 3 * CKERNELS_PATCH_COLUMNS;
  }
}

void ckernels_patch_down(struct ckernels_patch_line upper, struct ckernels_patch_line lower,
                         int32_t fraction, int32_t count, uint8_t *bytes) {
#if defined(__x86_64__)
  if (ckernels_frame_is_wide()) {
    ckernels_patch_down_wide(upper, lower, fraction, count, bytes);
    return;
  }
#endif
  // Eight pixels are 24 values.
  for (int32_t i = 0; i < 3 * count; i += 8)
    down_8(upper.high + i, upper.low + i, lower.high + i, lower.low + i, 8192 - fraction, fraction,
           bytes + i);
}

// Six bytes as 16-bit numbers, and two that are nothing.
#define PICK(v, a, b, c, d, e, f)                                                                 \
  ((u16x8)__builtin_shufflevector(v, (u8x16){0}, a, 16, b, 16, c, 16, 16, 16, d, 16, e, 16, f, 16, \
                                  16, 16))

void ckernels_patch_halve(const uint8_t *patch, int32_t side, int8_t *output) {
  const size_t line = 3 * (size_t)side;
  for (int32_t y = 0; y < side / 2; y++) {
    const uint8_t *upper = patch + 2 * (size_t)y * line, *lower = upper + line;
    // Two pixels of twelve bytes at a time, of sixteen loaded; the last two from four bytes before.
    for (size_t x = 0; x < line; x += 12) {
      const bool is_last = x + 12 == line;
      const u8x16 a = load_16(upper + x - (is_last ? 4 : 0));
      const u8x16 b = load_16(lower + x - (is_last ? 4 : 0));
      u16x8 sum;
      if (is_last)
        sum = PICK(a, 4, 5, 6, 10, 11, 12) + PICK(a, 7, 8, 9, 13, 14, 15) +
              PICK(b, 4, 5, 6, 10, 11, 12) + PICK(b, 7, 8, 9, 13, 14, 15);
      else
        sum = PICK(a, 0, 1, 2, 6, 7, 8) + PICK(a, 3, 4, 5, 9, 10, 11) +
              PICK(b, 0, 1, 2, 6, 7, 8) + PICK(b, 3, 4, 5, 9, 10, 11);
      const u8x8 mean = __builtin_convertvector((sum + 2) >> 2, u8x8) ^ 0x80;
      const u8x8 packed = __builtin_shufflevector(mean, mean, 0, 1, 2, 4, 5, 6, 7, 7);
      memcpy(output, &packed, 6);
      output += 6;
    }
  }
}

void ckernels_patch_unwrap(const uint8_t *patch, int32_t side, float x, float y,
                           const float *x_steps, const float *y_steps, int32_t radii,
                           int32_t angles, int8_t *output) {
#if defined(__x86_64__)
  if (angles % 16 == 0 && ckernels_frame_is_wide()) {
    ckernels_patch_unwrap_wide(patch, side, x, y, x_steps, y_steps, radii, angles, output);
    return;
  }
#endif
  const size_t line = 3 * (size_t)side;
  // From corners up to this one eight bytes of the lower line can be read.
  const i32x8 most = (i32x8){0} + ((int32_t)line * (side - 1) - 8);
  for (int32_t radius = 0; radius < radii; radius++) {
    const float distance = (float)radius + 0.5f;
    for (int32_t angle = 0; angle < angles; angle += 8) {
      f32x8 x_step, y_step;
      memcpy(&x_step, x_steps + angle, sizeof x_step);
      memcpy(&y_step, y_steps + angle, sizeof y_step);
      const struct places across = places_of(x + distance * x_step, side);
      const struct places below = places_of(y + distance * y_step, side);
      const i32x8 corner = below.whole * (int32_t)line + 3 * across.whole;
      uint32_t corners[8];
      memcpy(corners, &corner, sizeof corners);
      const u16x8 along = __builtin_convertvector(across.rest, u16x8);
      const u16x8 down = __builtin_convertvector(below.rest, u16x8);
      if (__builtin_reduce_and(corner <= most))
        eight_places(patch, corners, line, false, along, down, output);
      else
        eight_places(patch, corners, line, true, along, down, output);
      output += 24;
    }
  }
}

#if defined(__x86_64__)
#pragma clang attribute pop
#endif
