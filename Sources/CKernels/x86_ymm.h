// Primitives of 256-bit x86-64 sets.
#include <immintrin.h>

#define LANES 8
#define MAXIMUM_VECTORS 2
#define TILE_VECTORS 12
#define TILES_1 CASE(10) CASE(8) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#define TILES_2 CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)

typedef __m256i vector;
typedef __m256i operand;

static inline __m256i load_vector(const int32_t *from) {
  return _mm256_loadu_si256((const __m256i *)from);
}

static inline __m256i requantise(__m256i sum, __m256i multiplier, __m256i half, __m256i shift) {
  const __m256i rounding = _mm256_set1_epi64x(1 << 30);
  const __m256i even = _mm256_mul_epi32(sum, multiplier);
  const __m256i odd =
      _mm256_mul_epi32(_mm256_srli_epi64(sum, 32), _mm256_srli_epi64(multiplier, 32));
  const __m256i low = _mm256_srli_epi64(_mm256_add_epi64(even, rounding), 31);
  const __m256i high = _mm256_slli_epi64(_mm256_add_epi64(odd, rounding), 1);
  const __m256i product = _mm256_blend_epi32(low, high, 0xAA);
  return _mm256_srav_epi32(_mm256_add_epi32(product, half), shift);
}

static inline void store_lanes(__m256i value, int32_t zero_point, int32_t minimum, int32_t maximum,
                               int8_t *output, int32_t count) {
  value = _mm256_add_epi32(value, _mm256_set1_epi32(zero_point));
  value = _mm256_max_epi32(value, _mm256_set1_epi32(minimum));
  value = _mm256_min_epi32(value, _mm256_set1_epi32(maximum));
  const __m128i words =
      _mm_packs_epi32(_mm256_castsi256_si128(value), _mm256_extracti128_si256(value, 1));
  const __m128i bytes = _mm_packs_epi16(words, words);
  if (count == LANES) {
    _mm_storel_epi64((__m128i *)output, bytes);
  } else {
    int8_t all[16];
    _mm_storeu_si128((__m128i *)all, bytes);
    for (int32_t i = 0; i < count; i++) output[i] = all[i];
  }
}

ALWAYS void store_block(const __m256i *values, int32_t vectors, int32_t zero_point,
                        int32_t minimum, int32_t maximum, int8_t *output) {
  if (vectors == 1) {
    store_lanes(values[0], zero_point, minimum, maximum, output, LANES);
    return;
  }
  const __m256i zero = _mm256_set1_epi32(zero_point);
  // The pack puts the halves of both in turn; the permutation puts them in order again.
  const __m256i mixed =
      _mm256_packs_epi32(_mm256_add_epi32(values[0], zero), _mm256_add_epi32(values[1], zero));
  const __m256i words = _mm256_permute4x64_epi64(mixed, 0xD8);
  __m128i bytes =
      _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  bytes = _mm_max_epi8(bytes, _mm_set1_epi8((char)minimum));
  bytes = _mm_min_epi8(bytes, _mm_set1_epi8((char)maximum));
  _mm_storeu_si128((__m128i *)output, bytes);
}

static inline __m256i widen(const int8_t *from) {
  return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)from));
}

static inline __m256i multiply_add(__m256i sum, __m256i left, __m256i right) {
  return _mm256_add_epi32(sum, _mm256_mullo_epi32(left, right));
}

static inline __m256i splat(int32_t value) { return _mm256_set1_epi32(value); }

static inline __m256i shift_right(__m256i value, int32_t shift) {
  return _mm256_sra_epi32(value, _mm_cvtsi32_si128(shift));
}

static inline __m256i repeat_group(const uint8_t *from) {
  int32_t group;
  __builtin_memcpy(&group, from, sizeof group);
  return _mm256_set1_epi32(group);
}
