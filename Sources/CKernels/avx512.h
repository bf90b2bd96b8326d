// What the files of the 512-bit sets share: the primitives that bodies.h wants.
#define SET avx512vnni
#define LANES 16
#define GROUP 4

typedef __m512i vector;
typedef __m512i operand;
typedef uint8_t element;
static inline uint8_t encode(int8_t value) { return (uint8_t)value ^ 0x80; }

static inline __m512i load_vector(const int32_t *from) { return _mm512_loadu_si512(from); }

static inline __m512i requantise(__m512i sum, __m512i multiplier, __m512i half, __m512i shift) {
  const __m512i rounding = _mm512_set1_epi64(1 << 30);
  const __m512i even = _mm512_mul_epi32(sum, multiplier);
  const __m512i odd =
      _mm512_mul_epi32(_mm512_srli_epi64(sum, 32), _mm512_srli_epi64(multiplier, 32));
  const __m512i low = _mm512_srli_epi64(_mm512_add_epi64(even, rounding), 31);
  const __m512i high = _mm512_slli_epi64(_mm512_add_epi64(odd, rounding), 1);
  const __m512i product = _mm512_mask_blend_epi32(0xAAAA, low, high);
  return _mm512_srav_epi32(_mm512_add_epi32(product, half), shift);
}

static inline void store_lanes(__m512i value, int32_t zero_point, int32_t minimum, int32_t maximum,
                               int8_t *output, int32_t count) {
  __m128i bytes =
      _mm512_cvtsepi32_epi8(_mm512_add_epi32(value, _mm512_set1_epi32(zero_point)));
  bytes = _mm_max_epi8(bytes, _mm_set1_epi8((char)minimum));
  bytes = _mm_min_epi8(bytes, _mm_set1_epi8((char)maximum));
  if (count == LANES)
    _mm_storeu_si128((__m128i *)output, bytes);
  else
    _mm_mask_storeu_epi8(output, (__mmask16)((1u << count) - 1), bytes);
}

static inline __m512i widen(const int8_t *from) {
  return _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)from));
}

static inline __m512i multiply_add(__m512i sum, __m512i left, __m512i right) {
  return _mm512_add_epi32(sum, _mm512_mullo_epi32(left, right));
}

static inline __m512i splat(int32_t value) { return _mm512_set1_epi32(value); }

static inline __m512i load_weights(const int8_t *from) { return _mm512_loadu_si512(from); }

static inline __m512i repeat_group(const uint8_t *from) {
  int32_t group;
  __builtin_memcpy(&group, from, sizeof group);
  return _mm512_set1_epi32(group);
}

static inline __m512i dot(__m512i sum, __m512i group, __m512i weights) {
  return _mm512_dpbusd_epi32(sum, group, weights);
}
