// Rows of frames, whole blocks of them, by the widest registers that the including file may use.
/// Whether pixels share chroma two by two.
ALWAYS bool has_pairs(enum ckernels_layout layout) { return layout <= CKERNELS_HALVED; }

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

/// All whole blocks of two rows; the column they end at.
ALWAYS int32_t halve_pairs(const struct ckernels_frame_row *row,
                           const struct ckernels_frame_row *lower, enum ckernels_layout layout,
                           struct ckernels_pixel_form form, int8_t *output) {
  const struct pair_factors by = pair_factors_of(row, layout);
  // Copied, so that the compiler knows that no store of output changes them.
  const struct ckernels_frame_row upper_row = *row, lower_row = *lower;
  const ptrdiff_t step = (ptrdiff_t)form.bytes * PAIR_BLOCK / 2;
  int32_t x = 0;
  for (; x + PAIR_BLOCK <= upper_row.width; x += PAIR_BLOCK) {
    store_halved_pairs(output, form, pair_block(&upper_row, layout, by, x),
                       pair_block(&lower_row, layout, by, x));
    output += step;
  }
  return x;
}

static int32_t halve_whole(const struct ckernels_frame_row *row,
                           const struct ckernels_frame_row *lower,
                           struct ckernels_pixel_form form, int8_t *output) {
#define HALVE(layout) return halve_pairs(row, lower, layout, form, output)
  switch (row->layout) {
    case CKERNELS_YUYV: HALVE(CKERNELS_YUYV);
    case CKERNELS_UYVY: HALVE(CKERNELS_UYVY);
    case CKERNELS_PAIRS_UV: HALVE(CKERNELS_PAIRS_UV);
    case CKERNELS_PAIRS_VU: HALVE(CKERNELS_PAIRS_VU);
    default: HALVE(CKERNELS_HALVED);
  }
}
