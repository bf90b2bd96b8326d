// Written with vectors of a fixed number of lanes: NEON on every aarch64 processor, 256-bit ones on
// x86-64 processors that have AVX2.
#include "ckernels_frame.h"
#include "shared.h"

#include <string.h>

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#endif

#include "frame_blocks.h"

#if defined(__x86_64__)
#include "frame_pairs_x86.h"
#elif defined(__aarch64__)
#include "frame_pairs_arm.h"
#endif

/// Whether pixels share chroma two by two.
ALWAYS bool has_pairs(enum ckernels_layout layout) { return layout <= CKERNELS_HALVED; }

/// Part of a row, from column `first`, even, on.
ALWAYS struct ckernels_frame_row part_of(const struct ckernels_frame_row *row, int32_t first,
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

/// The last pixels of a row, fewer than `PAIR_BLOCK`: their samples with zeros after them.
struct rest {
  uint8_t samples[3 * PAIR_BLOCK], chroma[PAIR_BLOCK], other_chroma[PAIR_BLOCK];
  struct ckernels_frame_row row;
};

static void take_rest(const struct ckernels_frame_row *row, int32_t x, struct rest *rest) {
  memset(rest, 0, sizeof *rest);
  const size_t pixels = (size_t)(row->width - x), pairs = (pixels + 1) / 2;
  size_t samples = pixels, chroma = 0, other = 0;
  switch (row->layout) {
    case CKERNELS_YUYV:
    case CKERNELS_UYVY: samples = 4 * pairs; break;
    case CKERNELS_PAIRS_UV:
    case CKERNELS_PAIRS_VU: chroma = 2 * pairs; break;
    case CKERNELS_HALVED: chroma = other = pairs; break;
    case CKERNELS_FULL: chroma = other = pixels; break;
    case CKERNELS_GREY: break;
    case CKERNELS_RGB:
    case CKERNELS_BGR: samples = 3 * pixels; break;
  }
  const struct ckernels_frame_row part = part_of(row, x, (int32_t)pixels);
  memcpy(rest->samples, part.samples, samples);
  if (chroma > 0) memcpy(rest->chroma, part.chroma, chroma);
  if (other > 0) memcpy(rest->other_chroma, part.other_chroma, other);
  rest->row = part;
  rest->row.samples = rest->samples;
  rest->row.chroma = rest->chroma;
  rest->row.other_chroma = rest->other_chroma;
}

// Calls for the layout, so that it is a constant within.
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

/// All whole blocks of a row as planes; the column they end at.
ALWAYS int32_t planes_of(const struct ckernels_frame_row *row, enum ckernels_layout layout,
                         uint8_t *planes, size_t pitch) {
  int32_t x = 0;
  if (has_pairs(layout)) {
    const struct pair_factors by = pair_factors_of(row, layout);
    for (; x + PAIR_BLOCK <= row->width; x += PAIR_BLOCK) {
      const struct pair_colours colours = pair_block(row, layout, by, x);
      store_pair_bytes(planes + x, colours.red);
      store_pair_bytes(planes + pitch + x, colours.green);
      store_pair_bytes(planes + 2 * pitch + x, colours.blue);
    }
    return x;
  }
  for (; x + BLOCK <= row->width; x += BLOCK)
    store_planes(planes + x, pitch, block(row, layout, x));
  return x;
}

static int32_t whole_planes(const struct ckernels_frame_row *row, uint8_t *planes, size_t pitch) {
#define PLANES(layout) return planes_of(row, layout, planes, pitch)
  EACH_LAYOUT(PLANES)
  return 0;
}

void ckernels_frame_planes(const struct ckernels_frame_row *row, uint8_t *planes, size_t pitch) {
  const int32_t x = whole_planes(row, planes, pitch);
  if (x == row->width) return;
  struct rest rest;
  take_rest(row, x, &rest);
  rest.row.width = has_pairs(row->layout) ? PAIR_BLOCK : BLOCK;
  whole_planes(&rest.row, planes + x, pitch);
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

/// By planes, a part of the rows at a time, `count` pixels of output.
static void halve_planes(const struct ckernels_frame_row *upper,
                         const struct ckernels_frame_row *lower, int8_t *output, int32_t count) {
  enum { PART = 256, PITCH = PART + CKERNELS_PLANE_SLACK };
  uint8_t above[3 * PITCH], below[3 * PITCH];
  for (int32_t first = 0; first < count; first += PART / 2) {
    const int32_t pixels = count - first < PART / 2 ? count - first : PART / 2;
    const struct ckernels_frame_row upper_part = part_of(upper, 2 * first, 2 * pixels);
    const struct ckernels_frame_row lower_part = part_of(lower, 2 * first, 2 * pixels);
    ckernels_frame_planes(&upper_part, above, PITCH);
    ckernels_frame_planes(&lower_part, below, PITCH);
    for (int32_t x = 0; x < pixels; x += BLOCK) {
      const uint8_t *a = above + 2 * x, *b = below + 2 * x;
      uint8_t all[3 * BLOCK];
      store_pixels(all, (struct colours){halved(a, b), halved(a + PITCH, b + PITCH),
                                         halved(a + 2 * PITCH, b + 2 * PITCH)});
      memcpy(output + 3 * (first + x), all, 3 * (size_t)(pixels - x < BLOCK ? pixels - x : BLOCK));
    }
  }
}

/// All whole blocks of two rows; the column they end at.
ALWAYS int32_t halve_pairs(const struct ckernels_frame_row *row,
                           const struct ckernels_frame_row *lower, enum ckernels_layout layout,
                           int8_t *output) {
  const struct pair_factors by = pair_factors_of(row, layout);
  int32_t x = 0;
  for (; x + PAIR_BLOCK <= row->width; x += PAIR_BLOCK)
    store_halved_pairs(output + 3 * (x / 2), pair_block(row, layout, by, x),
                       pair_block(lower, layout, by, x));
  return x;
}

static int32_t halve_whole(const struct ckernels_frame_row *row,
                           const struct ckernels_frame_row *lower, int8_t *output) {
#define HALVE(layout) return halve_pairs(row, lower, layout, output)
  switch (row->layout) {
    case CKERNELS_YUYV: HALVE(CKERNELS_YUYV);
    case CKERNELS_UYVY: HALVE(CKERNELS_UYVY);
    case CKERNELS_PAIRS_UV: HALVE(CKERNELS_PAIRS_UV);
    case CKERNELS_PAIRS_VU: HALVE(CKERNELS_PAIRS_VU);
    default: HALVE(CKERNELS_HALVED);
  }
}

void ckernels_frame_halve(const struct ckernels_frame_row *upper,
                          const struct ckernels_frame_row *lower, int8_t *output) {
  const int32_t count = upper->width / 2;
  if (!has_pairs(upper->layout)) {
    halve_planes(upper, lower, output, count);
    return;
  }
  const int32_t x = halve_whole(upper, lower, output);
  if (x == upper->width) return;
  struct rest above, below;
  take_rest(upper, x, &above);
  take_rest(lower, x, &below);
  above.row.width = below.row.width = PAIR_BLOCK;
  int8_t last[3 * PAIR_BLOCK / 2];
  halve_whole(&above.row, &below.row, last);
  memcpy(output + 3 * (x / 2), last, 3 * (size_t)(count - x / 2));
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
