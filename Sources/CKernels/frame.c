// Written with vectors of a fixed number of lanes: NEON on every aarch64 processor, 256-bit ones on
// x86-64 processors that have AVX2.
#include "frame_shared.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#endif

#include "frame_blocks.h"

#if defined(__x86_64__)
#include "frame_pairs_x86.h"
#elif defined(__aarch64__)
#include "frame_pairs_arm.h"
#endif

#include "frame_rows.h"

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

void ckernels_frame_planes(const struct ckernels_frame_row *row, uint8_t *planes, size_t pitch) {
  int32_t x = 0;
#if defined(__x86_64__)
  if (has_pairs(row->layout) && ckernels_frame_is_wide())
    x = ckernels_frame_planes_wide(row, planes, pitch);
#endif
  const struct ckernels_frame_row part = part_of(row, x, row->width - x);
  x += whole_planes(&part, planes + x, pitch);
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

ALWAYS u8x16 halved(const uint8_t *upper, const uint8_t *lower, uint8_t flip) {
  const u8x32 above = load_32(upper), below = load_32(lower);
  const u16x16 sum = __builtin_convertvector(EVEN_16(above), u16x16) +
                     __builtin_convertvector(ODD_16(above), u16x16) +
                     __builtin_convertvector(EVEN_16(below), u16x16) +
                     __builtin_convertvector(ODD_16(below), u16x16);
  return __builtin_convertvector((sum + 2) >> 2, u8x16) ^ flip;
}

/// By planes, a part of the rows at a time, `count` pixels of output.
static void halve_planes(const struct ckernels_frame_row *upper,
                         const struct ckernels_frame_row *lower, struct ckernels_pixel_form form,
                         int8_t *output, int32_t count) {
  enum { PART = 256, PITCH = PART + CKERNELS_PLANE_SLACK };
  uint8_t above[3 * PITCH], below[3 * PITCH];
  const uint8_t flip = 0x80 ^ form.sign;
  for (int32_t first = 0; first < count; first += PART / 2) {
    const int32_t pixels = count - first < PART / 2 ? count - first : PART / 2;
    const struct ckernels_frame_row upper_part = part_of(upper, 2 * first, 2 * pixels);
    const struct ckernels_frame_row lower_part = part_of(lower, 2 * first, 2 * pixels);
    ckernels_frame_planes(&upper_part, above, PITCH);
    ckernels_frame_planes(&lower_part, below, PITCH);
    for (int32_t x = 0; x < pixels; x += BLOCK) {
      const uint8_t *a = above + 2 * x, *b = below + 2 * x;
      const struct colours means = {halved(a, b, flip), halved(a + PITCH, b + PITCH, flip),
                                    halved(a + 2 * PITCH, b + 2 * PITCH, flip)};
      uint8_t all[4 * BLOCK];
      store_colours(all, means, form.bytes);
      const int32_t there = pixels - x < BLOCK ? pixels - x : BLOCK;
      memcpy(output + form.bytes * (first + x), all, (size_t)(form.bytes * there));
    }
  }
}

/// All whole blocks of rows of interleaved colours; the column they end at.
static int32_t halve_colours(const struct ckernels_frame_row *upper,
                             const struct ckernels_frame_row *lower,
                             struct ckernels_pixel_form form, int8_t *output) {
  const uint8_t *above = upper->samples, *below = lower->samples;
  int32_t x = 0;
  const bool is_swapped = upper->layout == CKERNELS_BGR;
  const int32_t bytes = 3 * upper->width - INTERLEAVED_BYTES;
  for (; 3 * x <= bytes; x += INTERLEAVED_BLOCK) {
    if (is_swapped)
      halve_interleaved(above + 3 * x, below + 3 * x, true, form, output + form.bytes * (x / 2));
    else
      halve_interleaved(above + 3 * x, below + 3 * x, false, form, output + form.bytes * (x / 2));
  }
  return x;
}

void ckernels_frame_halve(const struct ckernels_frame_row *upper,
                          const struct ckernels_frame_row *lower,
                          struct ckernels_pixel_form form, int8_t *output) {
  const int32_t count = upper->width / 2;
  int32_t x = 0;
  if (!has_pairs(upper->layout)) {
    if (upper->layout == CKERNELS_RGB || upper->layout == CKERNELS_BGR)
      x = halve_colours(upper, lower, form, output);
    const struct ckernels_frame_row above = part_of(upper, x, upper->width - x);
    const struct ckernels_frame_row below = part_of(lower, x, lower->width - x);
    halve_planes(&above, &below, form, output + form.bytes * (x / 2), count - x / 2);
    return;
  }
#if defined(__x86_64__)
  if (ckernels_frame_is_wide()) x = ckernels_frame_halve_wide(upper, lower, form, output);
#endif
  const struct ckernels_frame_row upper_part = part_of(upper, x, upper->width - x);
  const struct ckernels_frame_row lower_part = part_of(lower, x, lower->width - x);
  x += halve_whole(&upper_part, &lower_part, form, output + form.bytes * (x / 2));
  if (x == upper->width) return;
  struct rest above, below;
  take_rest(upper, x, &above);
  take_rest(lower, x, &below);
  above.row.width = below.row.width = PAIR_BLOCK;
  int8_t last[4 * PAIR_BLOCK / 2];
  halve_whole(&above.row, &below.row, form, last);
  memcpy(output + form.bytes * (x / 2), last, (size_t)(form.bytes * (count - x / 2)));
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

#if defined(__x86_64__)
/// Bits of the registers that are used, 128 where there is no AVX2. Asked once: on a virtual
/// machine the question costs more than a row. 0 is "not yet asked".
static _Atomic int32_t register_bits;

static int32_t available_bits(void) {
  const struct ckernels_processor processor = ckernels_ask_processor();
  return ckernels_has_avx512(&processor) ? 512 : ckernels_has_avx2(&processor) ? 256 : 128;
}

static int32_t used_bits(void) {
  if (register_bits == 0) register_bits = available_bits();
  return register_bits;
}

void ckernels_frame_limit(int32_t bits) {
  const int32_t available = available_bits();
  register_bits = bits < available ? bits : available;
}

bool ckernels_frame_is_fast(void) { return used_bits() >= 256; }

bool ckernels_frame_is_wide(void) { return used_bits() >= 512; }
#else
void ckernels_frame_limit(int32_t bits) { (void)bits; }

bool ckernels_frame_is_fast(void) { return true; }

bool ckernels_frame_is_wide(void) { return false; }
#endif
