// Places of a patch between its pixels, eight at a time.
#pragma once

typedef float f32x8 __attribute__((ext_vector_type(8)));

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
