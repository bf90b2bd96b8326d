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
    uint8_t *sample = at->places + 48 * half;
    int16_t *weight = at->weights + 24 * half;
    for (int32_t i = 0; i < 4; i++) {
      for (int32_t channel = 0; channel < 3; channel++) {
        *sample++ = (uint8_t)(3 * place[i].first + channel - offset);
        *sample++ = 0x80;
        *sample++ = (uint8_t)(3 * place[i].second + channel - offset);
        *sample++ = 0x80;
        *weight++ = (int16_t)(8192 - place[i].fraction);
        *weight++ = (int16_t)place[i].fraction;
      }
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

void ckernels_patch_along(const uint8_t *line, const struct ckernels_patch_columns *columns,
                          int32_t count, int16_t *high, int16_t *low) {
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

typedef float f32x8 __attribute__((ext_vector_type(8)));

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

/// Coordinates in a patch as whole pixels and 1/256, the last of them as 256 beyond the one before.
struct places {
  i32x8 whole, rest;
};

ALWAYS struct places places_of(f32x8 at, int32_t side) {
  const f32x8 last = (f32x8){0} + (float)(side - 1), first = {0};
  const f32x8 less = at - 0.5f;
  const f32x8 low = less < last ? less : last;
  const f32x8 bounded = low >= first ? low : first;
  const i32x8 fixed = __builtin_convertvector(bounded * 256 + 0.5f, i32x8);
  const i32x8 most = (i32x8){0} + (side - 2);
  const i32x8 whole = __builtin_elementwise_min(fixed >> 8, most);
  return (struct places){whole, fixed - (whole << 8)};
}

/// Two neighbouring pixels: six bytes, and where it is not the patch's end two that follow.
ALWAYS uint64_t two_pixels(const uint8_t *from, bool is_end) {
  uint64_t bytes = 0;
  memcpy(&bytes, from, is_end ? 6 : 8);
  return bytes;
}

// Each of four places' numbers for all its values.
#define SPREAD_FOUR(v, i)                                                                        \
  __builtin_shufflevector(v, v, i, i, i, i, i + 1, i + 1, i + 1, i + 1, i + 2, i + 2, i + 2,       \
                          i + 2, i + 3, i + 3, i + 3, i + 3)
// Of four groups of eight bytes three each, from the first on, as 16-bit numbers.
#define PICK_FOUR(v, a, b, c)                                                                     \
  ((u16x16)__builtin_shufflevector(v, (u8x32){0}, a, 32, b, 32, c, 32, 32, 32, a + 8, 32, b + 8,   \
                                   32, c + 8, 32, 32, 32, a + 16, 32, b + 16, 32, c + 16, 32, 32,  \
                                   32, a + 24, 32, b + 24, 32, c + 24, 32, 32, 32))

/// Four places, twelve bytes.
ALWAYS void four_places(const uint8_t *patch, const uint32_t *corners, size_t line, bool is_end,
                        u16x16 along, u16x16 down, int8_t *output) {
  typedef uint64_t u64x4 __attribute__((vector_size(32)));
  u64x4 upper, lower;
  UNROLLED for (int i = 0; i < 4; i++) {
    upper[i] = two_pixels(patch + corners[i], is_end);
    lower[i] = two_pixels(patch + corners[i] + line, is_end);
  }
  const u16x16 upper_left = PICK_FOUR((u8x32)upper, 0, 1, 2);
  const u16x16 upper_right = PICK_FOUR((u8x32)upper, 3, 4, 5);
  const u16x16 lower_left = PICK_FOUR((u8x32)lower, 0, 1, 2);
  const u16x16 lower_right = PICK_FOUR((u8x32)lower, 3, 4, 5);
  // Times 256 at most: what overflows 16 bits on the way comes back.
  const u16x16 top = (upper_left << 8) + (upper_right - upper_left) * along;
  const u16x16 bottom = (lower_left << 8) + (lower_right - lower_left) * along;
  const u8x16 values = between_lines(top, bottom, down) ^ 0x80;
  const u8x16 bytes = __builtin_shufflevector(values, values, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13,
                                              14, 14, 14, 14, 14);
  memcpy(output, &bytes, 12);
}

/// Eight places, 24 bytes.
ALWAYS void eight_places(const uint8_t *patch, const uint32_t *corners, size_t line, bool is_end,
                         u16x8 along, u16x8 down, int8_t *output) {
  four_places(patch, corners, line, is_end, SPREAD_FOUR(along, 0), SPREAD_FOUR(down, 0), output);
  four_places(patch, corners + 4, line, is_end, SPREAD_FOUR(along, 4), SPREAD_FOUR(down, 4),
              output + 12);
}

void ckernels_patch_unwrap(const uint8_t *patch, int32_t side, float x, float y,
                           const float *x_steps, const float *y_steps, int32_t radii,
                           int32_t angles, int8_t *output) {
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
