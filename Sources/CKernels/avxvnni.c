// 256-bit byte dot products: elements offset by 128 to be unsigned, as the instruction wants one
// operand; the packed bias takes the offset back.
#include "shared.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,avxvnni"))), apply_to = function)
#include "x86_ymm.h"

#define SET avxvnni
#define GROUP 4
typedef uint8_t element;
static inline uint8_t encode(int8_t value) { return (uint8_t)value ^ 0x80; }

static inline __m256i load_weights(const int8_t *from) {
  return _mm256_loadu_si256((const __m256i *)from);
}

static inline __m256i dot(__m256i sum, __m256i group, __m256i weights) {
  return _mm256_dpbusd_avx_epi32(sum, group, weights);
}

#include "dot.h"

#include "bodies.h"
#pragma clang attribute pop
#endif
