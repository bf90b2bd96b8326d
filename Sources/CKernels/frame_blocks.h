// Pixels in vectors of a fixed number of lanes, sixteen at a time, which the compiler puts into the
// registers there are; and the colours of those that have chroma of their own, or none.
#pragma once
#include "ckernels_frame.h"
#include "shared.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef uint8_t u8x8 __attribute__((vector_size(8)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint8_t u8x32 __attribute__((vector_size(32)));
typedef int16_t i16x8 __attribute__((vector_size(16)));
typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));

/// Pixels worked on at a time.
#define BLOCK 16

struct colours {
  u8x16 red, green, blue;
};

ALWAYS u8x16 load_16(const uint8_t *from) {
  u8x16 value;
  memcpy(&value, from, sizeof value);
  return value;
}

ALWAYS u8x8 load_8(const uint8_t *from) {
  u8x8 value;
  memcpy(&value, from, sizeof value);
  return value;
}

ALWAYS u8x32 load_32(const uint8_t *from) {
  u8x32 value;
  memcpy(&value, from, sizeof value);
  return value;
}

#define EVEN_16(v)                                                                             \
  __builtin_shufflevector(v, v, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD_16(v)                                                                              \
  __builtin_shufflevector(v, v, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define LOW_8(v) __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_8(v) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)

/// Eight samples less what stands for none.
ALWAYS i16x8 centred(u8x8 value, int32_t none) {
  return __builtin_convertvector(value, i16x8) - (int16_t)none;
}

/// Sixteen-bit numbers times a factor, in 32 bits: one widening multiplication.
ALWAYS i32x8 weighed(i16x8 value, int32_t factor) {
  const i16x8 factors = (i16x8){0} + (int16_t)factor;
  return __builtin_convertvector(value, i32x8) * __builtin_convertvector(factors, i32x8);
}

ALWAYS u8x8 clamped(i32x8 value) {
  const i32x8 none = {0}, most = none + 255;
  const i32x8 level =
      __builtin_elementwise_min(__builtin_elementwise_max(value >> 8, none), most);
  return __builtin_convertvector(level, u8x8);
}

/// What chroma adds to eight pixels' colours, with the term that rounds.
struct chroma {
  i32x8 red, green, blue;
};

ALWAYS struct chroma chroma_of(const struct ckernels_frame_row *row, u8x8 u, u8x8 v) {
  const i16x8 blueness = centred(u, 128), redness = centred(v, 128);
  return (struct chroma){
      weighed(redness, row->red_from_v) + 128,
      weighed(blueness, row->green_from_u) + weighed(redness, row->green_from_v) + 128,
      weighed(blueness, row->blue_from_u) + 128,
  };
}

ALWAYS u8x16 joined(u8x8 low, u8x8 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

ALWAYS struct colours coloured(const struct ckernels_frame_row *row, u8x16 luma, struct chroma low,
                               struct chroma high) {
  const i32x8 first = weighed(centred(LOW_8(luma), row->luma_offset), row->luma);
  const i32x8 second = weighed(centred(HIGH_8(luma), row->luma_offset), row->luma);
  return (struct colours){
      joined(clamped(first + low.red), clamped(second + high.red)),
      joined(clamped(first + low.green), clamped(second + high.green)),
      joined(clamped(first + low.blue), clamped(second + high.blue)),
  };
}

ALWAYS struct colours whole_chroma(const struct ckernels_frame_row *row, u8x16 luma, u8x16 u,
                                   u8x16 v) {
  return coloured(row, luma, chroma_of(row, LOW_8(u), LOW_8(v)),
                  chroma_of(row, HIGH_8(u), HIGH_8(v)));
}

/// Sixteen interleaved pixels taken apart.
ALWAYS struct colours apart(const uint8_t *pixels, bool is_swapped) {
  struct colours found;
#if defined(__aarch64__)
  const uint8x16x3_t all = vld3q_u8(pixels);
  memcpy(&found, &all, sizeof found);
#else
  const u8x16 a = load_16(pixels), b = load_16(pixels + 16), c = load_16(pixels + 32);
  const u8x32 ab = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                           15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                                           29, 30, 31);
  const u8x32 cc = __builtin_shufflevector(c, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                           15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                           15);
  found.red = __builtin_shufflevector(ab, cc, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39,
                                      42, 45);
  found.green = __builtin_shufflevector(ab, cc, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37,
                                        40, 43, 46);
  found.blue = __builtin_shufflevector(ab, cc, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38, 41,
                                       44, 47);
#endif
  if (is_swapped) {
    const u8x16 red = found.red;
    found.red = found.blue;
    found.blue = red;
  }
  return found;
}

/// The colours of sixteen pixels from column `x` on that have chroma of their own, or none.
ALWAYS struct colours block(const struct ckernels_frame_row *row, enum ckernels_layout layout,
                            int32_t x) {
  switch (layout) {
    case CKERNELS_FULL:
      return whole_chroma(row, load_16(row->samples + x), load_16(row->chroma + x),
                          load_16(row->other_chroma + x));
    case CKERNELS_RGB: return apart(row->samples + 3 * x, false);
    case CKERNELS_BGR: return apart(row->samples + 3 * x, true);
    default: {
      const i32x8 half = (i32x8){0} + 128;
      const struct chroma none = {half, half, half};
      return coloured(row, load_16(row->samples + x), none, none);
    }
  }
}

ALWAYS void store_pixels(uint8_t *pixels, struct colours colours) {
#if defined(__aarch64__)
  uint8x16x3_t all;
  memcpy(&all, &colours, sizeof all);
  vst3q_u8(pixels, all);
#else
  // Red and green side by side; blue is the second operand's from 32 on.
  const u8x32 rg = __builtin_shufflevector(colours.red, colours.green, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                           10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                           24, 25, 26, 27, 28, 29, 30, 31);
  const u8x32 bb = __builtin_shufflevector(colours.blue, colours.blue, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                           10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                           11, 12, 13, 14, 15);
  const u8x16 first = __builtin_shufflevector(rg, bb, 0, 16, 32, 1, 17, 33, 2, 18, 34, 3, 19, 35, 4,
                                              20, 36, 5);
  const u8x16 second = __builtin_shufflevector(rg, bb, 21, 37, 6, 22, 38, 7, 23, 39, 8, 24, 40, 9,
                                               25, 41, 10, 26);
  const u8x16 third = __builtin_shufflevector(rg, bb, 42, 11, 27, 43, 12, 28, 44, 13, 29, 45, 14,
                                              30, 46, 15, 31, 47);
  memcpy(pixels, &first, BLOCK);
  memcpy(pixels + BLOCK, &second, BLOCK);
  memcpy(pixels + 2 * BLOCK, &third, BLOCK);
#endif
}

/// Stores sixteen pixels of three or four bytes.
ALWAYS void store_colours(uint8_t *pixels, struct colours colours, int32_t bytes) {
  if (bytes == 3) {
    store_pixels(pixels, colours);
    return;
  }
#if defined(__aarch64__)
  uint8x16x4_t all = {0};
  memcpy(&all, &colours, sizeof colours);
  vst4q_u8(pixels, all);
#else
  for (int i = 0; i < BLOCK; i++) {
    pixels[4 * i] = colours.red[i];
    pixels[4 * i + 1] = colours.green[i];
    pixels[4 * i + 2] = colours.blue[i];
    pixels[4 * i + 3] = 0;
  }
#endif
}

ALWAYS void store_planes(uint8_t *planes, size_t pitch, struct colours colours) {
  memcpy(planes, &colours.red, BLOCK);
  memcpy(planes + pitch, &colours.green, BLOCK);
  memcpy(planes + 2 * pitch, &colours.blue, BLOCK);
}
