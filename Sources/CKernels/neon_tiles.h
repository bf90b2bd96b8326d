// Sums of a tile for processors that issue in order (Cortex-A53): eight chains of multiply,
// multiply-add and add pairwise side by side, so that every result is there when its turn comes,
// loads placed between them, each beside the move of its pointer. Left to the compiler the chains
// are mixed, run out of registers, and spill. Processors that reorder gain from the same loops.
//
// Of each pixel two pairs of elements are loaded by one instruction, repeated in all lanes. What
// the next group needs is loaded ahead: after the last group of a row four bytes beyond it, which
// the ring has room for, and after the last row of weights one group of what follows them in the
// constant memory, their parameters.

// Products of a group's first pairs (v24, v25: weights of both vectors) in v16 to v23, two pixels.
#define FIRST_PAIRS_OF_TWO          \
  "smull v16.8h, v24.8b, v28.8b\n"  \
  "smull2 v17.8h, v24.16b, v28.16b\n" \
  "smull v18.8h, v25.8b, v28.8b\n"  \
  "smull2 v19.8h, v25.16b, v28.16b\n" \
  "smull v20.8h, v24.8b, v30.8b\n"  \
  "smull2 v21.8h, v24.16b, v30.16b\n" \
  "smull v22.8h, v25.8b, v30.8b\n"  \
  "smull2 v23.8h, v25.16b, v30.16b\n"
// The second pairs (v26, v27) added to them, pixel by pixel.
#define SECOND_PAIRS_OF_FIRST       \
  "smlal v16.8h, v26.8b, v29.8b\n"  \
  "smlal2 v17.8h, v26.16b, v29.16b\n" \
  "smlal v18.8h, v27.8b, v29.8b\n"  \
  "smlal2 v19.8h, v27.16b, v29.16b\n"
#define SECOND_PAIRS_OF_SECOND      \
  "smlal v20.8h, v26.8b, v31.8b\n"  \
  "smlal2 v21.8h, v26.16b, v31.16b\n" \
  "smlal v22.8h, v27.8b, v31.8b\n"  \
  "smlal2 v23.8h, v27.16b, v31.16b\n"
#define ADD_PAIRS(a, b, c, d, e, f, g, h) \
  "sadalp %[s" #a "].4s, v16.8h\n"        \
  "sadalp %[s" #b "].4s, v17.8h\n"        \
  "sadalp %[s" #c "].4s, v18.8h\n"        \
  "sadalp %[s" #d "].4s, v19.8h\n"        \
  "sadalp %[s" #e "].4s, v20.8h\n"        \
  "sadalp %[s" #f "].4s, v21.8h\n"        \
  "sadalp %[s" #g "].4s, v22.8h\n"        \
  "sadalp %[s" #h "].4s, v23.8h\n"

// Sums stay in the registers that the compiler has chosen for them.
#define SUM(n) [s##n] "+w"(sums[n / 2].val[n % 2])
#define EIGHT_SUMS SUM(0), SUM(1), SUM(2), SUM(3), SUM(4), SUM(5), SUM(6), SUM(7)
#define SIXTEEN_SUMS \
  EIGHT_SUMS, SUM(8), SUM(9), SUM(10), SUM(11), SUM(12), SUM(13), SUM(14), SUM(15)

#define UPPER_REGISTERS                                                                       \
  "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28",  \
      "v29", "v30", "v31"

// Two vectors of channels, four pixels: sixteen registers of sums.
ALWAYS void two_vectors_of_four(const struct ckernels_convolution *row, const int8_t *weights,
                                vector *sums, int32_t x) {
  const void *const *rows = row->rows;
  const ptrdiff_t pixel = row->pixel_bytes, first = x * pixel, groups = row->groups / 2;
  ptrdiff_t height = row->row_count, left;
  const uint8_t *a, *b, *c, *d;
  __asm__ volatile(
      "ldp q24, q25, [%[weights]]\n ldp q26, q27, [%[weights], #32]\n"
      "add %[weights], %[weights], #64\n"
      "1:\n"
      "ldr %[a], [%[rows]], #8\n"
      "mov %[left], %[groups]\n"
      "add %[a], %[a], %[first]\n"
      "add %[b], %[a], %[pixel]\n"
      "add %[c], %[b], %[pixel]\n"
      "add %[d], %[c], %[pixel]\n"
      "ld2r {v28.8h, v29.8h}, [%[a]], #4\n"
      "ld2r {v30.8h, v31.8h}, [%[b]], #4\n"
      "2:\n"
      FIRST_PAIRS_OF_TWO
      SECOND_PAIRS_OF_FIRST
      SECOND_PAIRS_OF_SECOND
      "ld2r {v28.8h, v29.8h}, [%[c]]\n"
      "add %[c], %[c], #4\n"
      "ld2r {v30.8h, v31.8h}, [%[d]]\n"
      "add %[d], %[d], #4\n"
      ADD_PAIRS(0, 1, 2, 3, 4, 5, 6, 7)
      FIRST_PAIRS_OF_TWO
      SECOND_PAIRS_OF_FIRST
      SECOND_PAIRS_OF_SECOND
      "ld2r {v28.8h, v29.8h}, [%[a]]\n"
      "add %[a], %[a], #4\n"
      "ld2r {v30.8h, v31.8h}, [%[b]]\n"
      "add %[b], %[b], #4\n"
      "ldp q24, q25, [%[weights]]\n"
      "subs %[left], %[left], #1\n"
      ADD_PAIRS(8, 9, 10, 11, 12, 13, 14, 15)
      "ldp q26, q27, [%[weights], #32]\n"
      "add %[weights], %[weights], #64\n"
      "b.ne 2b\n"
      "subs %[height], %[height], #1\n"
      "b.ne 1b\n"
      : SIXTEEN_SUMS,
        [rows] "+r"(rows), [weights] "+r"(weights), [height] "+r"(height), [left] "=&r"(left),
        [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c), [d] "=&r"(d)
      : [first] "r"(first), [pixel] "r"(pixel), [groups] "r"(groups)
      : "cc", "memory", UPPER_REGISTERS);
}

// Two vectors of channels, two pixels: eight registers of sums.
ALWAYS void two_vectors_of_two(const struct ckernels_convolution *row, const int8_t *weights,
                               vector *sums, int32_t x) {
  const void *const *rows = row->rows;
  const ptrdiff_t pixel = row->pixel_bytes, first = x * pixel, groups = row->groups / 2;
  ptrdiff_t height = row->row_count, left;
  const uint8_t *a, *b;
  __asm__ volatile(
      "ldp q24, q25, [%[weights]]\n ldp q26, q27, [%[weights], #32]\n"
      "add %[weights], %[weights], #64\n"
      "1:\n"
      "ldr %[a], [%[rows]], #8\n"
      "mov %[left], %[groups]\n"
      "add %[a], %[a], %[first]\n"
      "add %[b], %[a], %[pixel]\n"
      "ld2r {v28.8h, v29.8h}, [%[a]], #4\n"
      "ld2r {v30.8h, v31.8h}, [%[b]], #4\n"
      "2:\n"
      FIRST_PAIRS_OF_TWO
      "ldr q24, [%[weights]]\n"
      "ldr q25, [%[weights], #16]\n"
      SECOND_PAIRS_OF_FIRST
      "ld2r {v28.8h, v29.8h}, [%[a]]\n"
      SECOND_PAIRS_OF_SECOND
      "ld2r {v30.8h, v31.8h}, [%[b]]\n"
      "ldr q26, [%[weights], #32]\n"
      "ldr q27, [%[weights], #48]\n"
      ADD_PAIRS(0, 1, 2, 3, 4, 5, 6, 7)
      "add %[a], %[a], #4\n"
      "add %[b], %[b], #4\n"
      "add %[weights], %[weights], #64\n"
      "subs %[left], %[left], #1\n"
      "b.ne 2b\n"
      "subs %[height], %[height], #1\n"
      "b.ne 1b\n"
      : EIGHT_SUMS,
        [rows] "+r"(rows), [weights] "+r"(weights), [height] "+r"(height), [left] "=&r"(left),
        [a] "=&r"(a), [b] "=&r"(b)
      : [first] "r"(first), [pixel] "r"(pixel), [groups] "r"(groups)
      : "cc", "memory", UPPER_REGISTERS);
}

// One vector of channels, four pixels: eight registers of sums, the pixels' pairs in v8 to v15.
ALWAYS void one_vector_of_four(const struct ckernels_convolution *row, const int8_t *weights,
                               vector *sums, int32_t x) {
  const void *const *rows = row->rows;
  const ptrdiff_t pixel = row->pixel_bytes, first = x * pixel, groups = row->groups / 2;
  ptrdiff_t height = row->row_count, left;
  const uint8_t *a, *b, *c, *d;
  __asm__ volatile(
      "ldp q24, q26, [%[weights]]\n"
      "add %[weights], %[weights], #32\n"
      "1:\n"
      "ldr %[a], [%[rows]], #8\n"
      "mov %[left], %[groups]\n"
      "add %[a], %[a], %[first]\n"
      "add %[b], %[a], %[pixel]\n"
      "add %[c], %[b], %[pixel]\n"
      "add %[d], %[c], %[pixel]\n"
      "ld2r {v8.8h, v9.8h}, [%[a]], #4\n"
      "ld2r {v10.8h, v11.8h}, [%[b]], #4\n"
      "ld2r {v12.8h, v13.8h}, [%[c]], #4\n"
      "ld2r {v14.8h, v15.8h}, [%[d]], #4\n"
      "2:\n"
      "smull v16.8h, v24.8b, v8.8b\n"
      "smull2 v17.8h, v24.16b, v8.16b\n"
      "smull v18.8h, v24.8b, v10.8b\n"
      "smull2 v19.8h, v24.16b, v10.16b\n"
      "smull v20.8h, v24.8b, v12.8b\n"
      "smull2 v21.8h, v24.16b, v12.16b\n"
      "smull v22.8h, v24.8b, v14.8b\n"
      "smull2 v23.8h, v24.16b, v14.16b\n"
      "ldr q24, [%[weights]]\n"
      "smlal v16.8h, v26.8b, v9.8b\n"
      "smlal2 v17.8h, v26.16b, v9.16b\n"
      "ld2r {v8.8h, v9.8h}, [%[a]]\n"
      "smlal v18.8h, v26.8b, v11.8b\n"
      "smlal2 v19.8h, v26.16b, v11.16b\n"
      "ld2r {v10.8h, v11.8h}, [%[b]]\n"
      "smlal v20.8h, v26.8b, v13.8b\n"
      "smlal2 v21.8h, v26.16b, v13.16b\n"
      "ld2r {v12.8h, v13.8h}, [%[c]]\n"
      "smlal v22.8h, v26.8b, v15.8b\n"
      "smlal2 v23.8h, v26.16b, v15.16b\n"
      "ld2r {v14.8h, v15.8h}, [%[d]]\n"
      "ldr q26, [%[weights], #16]\n"
      ADD_PAIRS(0, 1, 2, 3, 4, 5, 6, 7)
      "add %[a], %[a], #4\n"
      "add %[b], %[b], #4\n"
      "add %[c], %[c], #4\n"
      "add %[d], %[d], #4\n"
      "add %[weights], %[weights], #32\n"
      "subs %[left], %[left], #1\n"
      "b.ne 2b\n"
      "subs %[height], %[height], #1\n"
      "b.ne 1b\n"
      : EIGHT_SUMS,
        [rows] "+r"(rows), [weights] "+r"(weights), [height] "+r"(height), [left] "=&r"(left),
        [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c), [d] "=&r"(d)
      : [first] "r"(first), [pixel] "r"(pixel), [groups] "r"(groups)
      : "cc", "memory", "v8", "v9", "v10", "v11", "v12", "v13",
        "v14", "v15", UPPER_REGISTERS);
}

// Any other tile: rows narrower than the loops above.
ALWAYS void any_tile(const struct ckernels_convolution *row, const int8_t *weights, vector *sums,
                     int32_t x, int32_t vectors, int32_t pixels) {
  for (int32_t ky = 0; ky < row->row_count; ky++) {
    const uint8_t *input = (const uint8_t *)row->rows[ky] + (ptrdiff_t)x * row->pixel_bytes;
    for (int32_t group = 0; group < row->groups; group += 2) {
      UNROLLED for (int m = 0; m < pixels; m++) {
        const uint8_t *at = input + (ptrdiff_t)m * row->pixel_bytes;
        const int8x16_t left = repeat_pair(at), right = repeat_pair(at + GROUP);
        UNROLLED for (int v = 0; v < vectors; v++) {
          const int8x16_t first = vld1q_s8(weights + v * 16);
          const int8x16_t second = vld1q_s8(weights + (vectors + v) * 16);
          vector *sum = sums + m * vectors + v;
          int16x8_t low = vmull_s8(vget_low_s8(first), vget_low_s8(left));
          int16x8_t high = vmull_high_s8(first, left);
          low = vmlal_s8(low, vget_low_s8(second), vget_low_s8(right));
          high = vmlal_high_s8(high, second, right);
          sum->val[0] = vpadalq_s16(sum->val[0], low);
          sum->val[1] = vpadalq_s16(sum->val[1], high);
        }
      }
      input += 2 * GROUP;
      weights += 2 * vectors * 16;
    }
  }
}
