// 256-bit integers: elements and weights widened to 16 bits, multiplied and added in pairs, since
// the byte instruction of this set saturates.
#include "shared.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "x86_ymm.h"

#define SET avx2
#define GROUP 2
typedef int16_t element;
static inline int16_t encode(int8_t value) { return value; }

static inline __m256i load_weights(const int8_t *from) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)from));
}

static inline __m256i dot(__m256i sum, __m256i group, __m256i weights) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(group, weights));
}

#include "dot.h"

#include "bodies.h"
#pragma clang attribute pop
#endif
