// The sum of two tensors, 64 elements at a time: the two numbers of a pair are multiplied and added
// by one instruction on 16-bit pairs, and packing puts back the order that pairing had changed.

ALWAYS __m512i add_words(__m256i first, __m256i second, __m512i multipliers, __m512i constant,
                         __m128i shift, __m512i zero) {
  const __m512i left = _mm512_cvtepi8_epi16(first), right = _mm512_cvtepi8_epi16(second);
  __m512i low = _mm512_madd_epi16(_mm512_unpacklo_epi16(left, right), multipliers);
  __m512i high = _mm512_madd_epi16(_mm512_unpackhi_epi16(left, right), multipliers);
  low = _mm512_sra_epi32(_mm512_add_epi32(low, constant), shift);
  high = _mm512_sra_epi32(_mm512_add_epi32(high, constant), shift);
  return _mm512_adds_epi16(_mm512_packs_epi32(low, high), zero);
}

ALWAYS __m256i load_32(const int8_t *from) {
  return _mm256_loadu_si256((const __m256i *)from);
}

ALWAYS __m512i add_64(const struct ckernels_add *sum, const int8_t *first, const int8_t *second,
                      __m512i multipliers, __m512i constant) {
  const __m128i shift = _mm_cvtsi32_si128(sum->shift);
  const __m512i zero = _mm512_set1_epi16((int16_t)sum->zero_point);
  const __m512i low =
      add_words(load_32(first), load_32(second), multipliers, constant, shift, zero);
  const __m512i high =
      add_words(load_32(first + 32), load_32(second + 32), multipliers, constant, shift, zero);
  const __m512i order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
  __m512i bytes = _mm512_permutexvar_epi64(order, _mm512_packs_epi16(low, high));
  if (sum->minimum > INT8_MIN || sum->maximum < INT8_MAX) {
    bytes = _mm512_max_epi8(bytes, _mm512_set1_epi8((char)sum->minimum));
    bytes = _mm512_min_epi8(bytes, _mm512_set1_epi8((char)sum->maximum));
  }
  return _mm512_xor_si512(bytes, _mm512_set1_epi8((char)sum->sign));
}

void NAME(add)(const struct ckernels_add *given) {
  const struct ckernels_add own = *given, *sum = &own;
  const __m512i constant = _mm512_set1_epi32((1 << (sum->shift - 1)) -
                                             sum->first_zero_point * sum->first_multiplier -
                                             sum->second_zero_point * sum->second_multiplier);
  const __m512i multipliers =
      _mm512_set1_epi32(sum->second_multiplier << 16 | sum->first_multiplier);
  size_t i = 0;
  for (; i + 64 <= sum->count; i += 64)
    _mm512_storeu_si512(sum->output + i,
                        add_64(sum, sum->first + i, sum->second + i, multipliers, constant));
  const size_t remaining = sum->count - i;
  if (remaining == 0) return;
  int8_t first[64] = {0}, second[64] = {0};
  memcpy(first, sum->first + i, remaining);
  memcpy(second, sum->second + i, remaining);
  _mm512_mask_storeu_epi8(sum->output + i, (1ull << remaining) - 1,
                          add_64(sum, first, second, multipliers, constant));
}
