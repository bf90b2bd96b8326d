// Written with vectors of a fixed number of lanes, which the compiler puts into the registers there
// are: NEON on every aarch64 processor, 256-bit ones on x86-64 processors that have AVX2.
#include "ckernels_frame.h"

#include "shared.h"

#include <string.h>

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#endif

typedef uint8_t u8x8 __attribute__((vector_size(8)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef uint8_t u8x32 __attribute__((vector_size(32)));
typedef int16_t i16x8 __attribute__((vector_size(16)));
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
#define EVEN_8(v) __builtin_shufflevector(v, v, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD_8(v) __builtin_shufflevector(v, v, 1, 3, 5, 7, 9, 11, 13, 15)
#define LOW_8(v) __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_8(v) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)
#define LOW_TWICE(v) __builtin_shufflevector(v, v, 0, 0, 1, 1, 2, 2, 3, 3)
#define HIGH_TWICE(v) __builtin_shufflevector(v, v, 4, 4, 5, 5, 6, 6, 7, 7)

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

/// Chroma that two pixels share: what it adds is found once for both.
ALWAYS struct colours shared_chroma(const struct ckernels_frame_row *row, u8x16 luma, u8x8 u,
                                    u8x8 v) {
  const struct chroma all = chroma_of(row, u, v);
  return coloured(row, luma,
                  (struct chroma){LOW_TWICE(all.red), LOW_TWICE(all.green), LOW_TWICE(all.blue)},
                  (struct chroma){HIGH_TWICE(all.red), HIGH_TWICE(all.green), HIGH_TWICE(all.blue)});
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
                                           15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
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

/// The colours of sixteen pixels from column `x`, even, on.
ALWAYS struct colours block(const struct ckernels_frame_row *row, enum ckernels_layout layout,
                            int32_t x) {
  switch (layout) {
    case CKERNELS_YUYV:
    case CKERNELS_UYVY: {
      const u8x32 all = load_32(row->samples + 2 * x);
      const u8x16 even = EVEN_16(all), odd = ODD_16(all);
      const bool is_luma_first = layout == CKERNELS_YUYV;
      const u8x16 chroma = is_luma_first ? odd : even;
      return shared_chroma(row, is_luma_first ? even : odd, EVEN_8(chroma), ODD_8(chroma));
    }
    case CKERNELS_PAIRS_UV:
    case CKERNELS_PAIRS_VU: {
      const u8x16 chroma = load_16(row->chroma + x);
      const u8x8 even = EVEN_8(chroma), odd = ODD_8(chroma);
      const bool is_u_first = layout == CKERNELS_PAIRS_UV;
      return shared_chroma(row, load_16(row->samples + x), is_u_first ? even : odd,
                           is_u_first ? odd : even);
    }
    case CKERNELS_HALVED:
      return shared_chroma(row, load_16(row->samples + x), load_8(row->chroma + x / 2),
                           load_8(row->other_chroma + x / 2));
    case CKERNELS_FULL:
      return whole_chroma(row, load_16(row->samples + x), load_16(row->chroma + x),
                          load_16(row->other_chroma + x));
    case CKERNELS_GREY: {
      const i32x8 half = (i32x8){0} + 128;
      const struct chroma none = {half, half, half};
      return coloured(row, load_16(row->samples + x), none, none);
    }
    case CKERNELS_RGB: return apart(row->samples + 3 * x, false);
    case CKERNELS_BGR: return apart(row->samples + 3 * x, true);
  }
  __builtin_unreachable();
}

/// Part of a row, from column `first`, even, on.
static struct ckernels_frame_row part_of(const struct ckernels_frame_row *row, int32_t first,
                                         int32_t count) {
  struct ckernels_frame_row part = *row;
  part.width = count;
  switch (row->layout) {
    case CKERNELS_YUYV:
    case CKERNELS_UYVY: part.samples += 2 * first; break;
    case CKERNELS_RGB:
    case CKERNELS_BGR: part.samples += 3 * first; break;
    case CKERNELS_HALVED:
      part.samples += first;
      part.chroma += first / 2;
      part.other_chroma += first / 2;
      break;
    default:
      part.samples += first;
      part.chroma += first;
      part.other_chroma += first;
      break;
  }
  return part;
}

/// The last pixels of a row, fewer than sixteen: their samples with zeros after them.
struct rest {
  uint8_t samples[3 * BLOCK], chroma[BLOCK], other_chroma[BLOCK];
  struct ckernels_frame_row row;
};

static void take_rest(const struct ckernels_frame_row *row, int32_t x, struct rest *rest) {
  memset(rest, 0, sizeof *rest);
  const size_t pixels = (size_t)(row->width - x), pairs = (pixels + 1) / 2;
  size_t samples = pixels, chroma = 0, other = 0, bytes = 1;
  switch (row->layout) {
    case CKERNELS_YUYV:
    case CKERNELS_UYVY: bytes = 2; samples = 4 * pairs; break;
    case CKERNELS_PAIRS_UV:
    case CKERNELS_PAIRS_VU: chroma = 2 * pairs; break;
    case CKERNELS_HALVED: chroma = other = pairs; break;
    case CKERNELS_FULL: chroma = other = pixels; break;
    case CKERNELS_GREY: break;
    case CKERNELS_RGB:
    case CKERNELS_BGR: bytes = 3; samples = 3 * pixels; break;
  }
  memcpy(rest->samples, row->samples + bytes * (size_t)x, samples);
  const size_t first = row->layout == CKERNELS_HALVED ? (size_t)x / 2 : (size_t)x;
  if (chroma > 0) memcpy(rest->chroma, row->chroma + first, chroma);
  if (other > 0) memcpy(rest->other_chroma, row->other_chroma + first, other);
  rest->row = *row;
  rest->row.samples = rest->samples;
  rest->row.chroma = rest->chroma;
  rest->row.other_chroma = rest->other_chroma;
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

ALWAYS void store_planes(uint8_t *planes, size_t pitch, struct colours colours) {
  memcpy(planes, &colours.red, BLOCK);
  memcpy(planes + pitch, &colours.green, BLOCK);
  memcpy(planes + 2 * pitch, &colours.blue, BLOCK);
}

ALWAYS void planes_of(const struct ckernels_frame_row *row, enum ckernels_layout layout,
                      uint8_t *planes, size_t pitch) {
  int32_t x = 0;
  for (; x + BLOCK <= row->width; x += BLOCK)
    store_planes(planes + x, pitch, block(row, layout, x));
  if (x == row->width) return;
  struct rest rest;
  take_rest(row, x, &rest);
  store_planes(planes + x, pitch, block(&rest.row, layout, 0));
}

// One loop for each layout, so that it is a constant within.
#define EACH_LAYOUT(call)                                        \
  switch (row->layout) {                                         \
    case CKERNELS_YUYV: call(CKERNELS_YUYV); break;              \
    case CKERNELS_UYVY: call(CKERNELS_UYVY); break;              \
    case CKERNELS_PAIRS_UV: call(CKERNELS_PAIRS_UV); break;      \
    case CKERNELS_PAIRS_VU: call(CKERNELS_PAIRS_VU); break;      \
    case CKERNELS_HALVED: call(CKERNELS_HALVED); break;          \
    case CKERNELS_FULL: call(CKERNELS_FULL); break;              \
    case CKERNELS_GREY: call(CKERNELS_GREY); break;              \
    case CKERNELS_RGB: call(CKERNELS_RGB); break;                \
    case CKERNELS_BGR: call(CKERNELS_BGR); break;                \
  }

void ckernels_frame_planes(const struct ckernels_frame_row *row, uint8_t *planes, size_t pitch) {
#define PLANES(layout) planes_of(row, layout, planes, pitch)
  EACH_LAYOUT(PLANES)
}

void ckernels_frame_pixels(const struct ckernels_frame_row *row, uint8_t *pixels) {
  // By planes, a part of the row at a time: one loop a layout is enough code.
  enum { PART = 256, PITCH = PART + CKERNELS_PLANE_SLACK };
  uint8_t planes[3 * PITCH];
  for (int32_t first = 0; first < row->width; first += PART) {
    const int32_t count = row->width - first < PART ? row->width - first : PART;
    const struct ckernels_frame_row part = part_of(row, first, count);
    ckernels_frame_planes(&part, planes, PITCH);
    uint8_t *target = pixels + 3 * first;
    for (int32_t x = 0; x < count; x += BLOCK) {
      const struct colours colours = {load_16(planes + x), load_16(planes + PITCH + x),
                                      load_16(planes + 2 * PITCH + x)};
      if (x + BLOCK <= count) {
        store_pixels(target + 3 * x, colours);
      } else {
        uint8_t last[3 * BLOCK];
        store_pixels(last, colours);
        memcpy(target + 3 * x, last, 3 * (size_t)(count - x));
      }
    }
  }
}

ALWAYS u8x16 halved(const uint8_t *upper, const uint8_t *lower) {
  const u8x32 above = load_32(upper), below = load_32(lower);
  const u16x16 sum = __builtin_convertvector(EVEN_16(above), u16x16) +
                     __builtin_convertvector(ODD_16(above), u16x16) +
                     __builtin_convertvector(EVEN_16(below), u16x16) +
                     __builtin_convertvector(ODD_16(below), u16x16);
  return __builtin_convertvector((sum + 2) >> 2, u8x16) ^ 0x80;
}

void ckernels_frame_halve(const uint8_t *upper, const uint8_t *lower, size_t pitch, int8_t *output,
                          int32_t count) {
  for (int32_t x = 0; x < count; x += BLOCK) {
    const uint8_t *above = upper + 2 * x, *below = lower + 2 * x;
    const struct colours colours = {halved(above, below), halved(above + pitch, below + pitch),
                                    halved(above + 2 * pitch, below + 2 * pitch)};
    uint8_t *target = (uint8_t *)output + 3 * x;
    if (x + BLOCK <= count) {
      store_pixels(target, colours);
    } else {
      uint8_t last[3 * BLOCK];
      store_pixels(last, colours);
      memcpy(target, last, 3 * (size_t)(count - x));
    }
  }
}

void ckernels_frame_accumulate(uint32_t *restrict sums, const uint8_t *restrict samples,
                               uint32_t weight, size_t count) {
  for (size_t i = 0; i < count; i++) sums[i] += weight * samples[i];
}

void ckernels_frame_blend(const uint32_t *restrict upper, const uint32_t *restrict lower,
                          uint32_t upper_weight, uint32_t lower_weight, int32_t shift,
                          uint8_t *restrict bytes, size_t count) {
  const uint64_t half = (uint64_t)1 << (shift - 1);
  for (size_t i = 0; i < count; i++)
    bytes[i] = (uint8_t)(((uint64_t)upper_weight * upper[i] + (uint64_t)lower_weight * lower[i] +
                          half) >>
                         shift);
}

#if defined(__x86_64__)
#pragma clang attribute pop
#endif

bool ckernels_frame_is_fast(void) {
#if defined(__x86_64__)
  // Asked once: on a virtual machine the question costs more than a row. 0 is "not yet asked".
  static _Atomic int known;
  if (known == 0) {
    const struct ckernels_processor processor = ckernels_ask_processor();
    known = ckernels_has_avx2(&processor) ? 1 : -1;
  }
  return known > 0;
#else
  return true;
#endif
}
