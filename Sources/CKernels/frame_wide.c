#include "frame_wide.h"

#include "shared.h"

#include <string.h>

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl"))), \
                             apply_to = function)
#define WIDE
#include "frame_blocks.h"
#include "frame_pairs_x86.h"
#include "frame_rows.h"

int32_t ckernels_frame_planes_wide(const struct ckernels_frame_row *row, uint8_t *planes,
                                   size_t pitch) {
  return whole_planes(row, planes, pitch);
}

int32_t ckernels_frame_halve_wide(const struct ckernels_frame_row *upper,
                                  const struct ckernels_frame_row *lower,
                                  struct ckernels_pixel_form form, int8_t *output) {
  return halve_whole(upper, lower, form, output);
}
#pragma clang attribute pop
#endif
