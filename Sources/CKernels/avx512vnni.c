// 512-bit byte dot products: elements offset by 128 to be unsigned, as the instruction wants one
// operand; the packed bias takes the offset back.
#include "shared.h"

#if defined(__x86_64__)
#pragma clang attribute push(                                                      \
    __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), \
    apply_to = function)
#include <immintrin.h>

#define MAXIMUM_VECTORS 4
#define TILE_VECTORS 24
#define TILES_1 CASE(16) CASE(12) CASE(10) CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_2 CASE(10) CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_3 CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_4 CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)

#include "avx512.h"

// Sixteen pixels, of which the first is so many, 0 or 4, times four bytes after `input`.
static inline void spread_16(uint8_t *output, const int8_t *input, int32_t first) {
  // Twelve bytes to each quarter of the register, then every third made four.
  const __m512i quarters =
      _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12),
                       _mm512_set1_epi32(first));
  const __m512i places = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
  const __m512i bytes = _mm512_permutexvar_epi32(quarters, _mm512_loadu_si512(input));
  _mm512_storeu_si512(output, _mm512_xor_si512(_mm512_shuffle_epi8(bytes, places),
                                               _mm512_set1_epi8((char)0x80)));
}
#define SPREAD_16 spread_16

#define OWN_TILE
#include "avx512_tile.h"
#define OWN_NARROW
#include "avx512_narrow.h"
#define OWN_ADD

#include "bodies.h"
#include "avx512_add.h"
#pragma clang attribute pop
#endif
