#include "cpeak.h"

#include <string.h>

#define UNROLLED _Pragma("clang loop unroll(full)")
// Opaque to the compiler, so that no round is the same as another.
#define TOUCH(value) __asm__ volatile("" : CONSTRAINT(value))

#if defined(__x86_64__)
#include <immintrin.h>
#define CONSTRAINT(value) "+v"(value)

__attribute__((target("avx2"))) static int64_t multiply_avx2(int64_t rounds) {
  // Two 16-bit products a lane, and the addition that the saturating byte instruction forces.
  __m256i sums[12], one = _mm256_set1_epi16(3), other = _mm256_set1_epi16(5);
  UNROLLED for (int i = 0; i < 12; i++) sums[i] = _mm256_setzero_si256();
  for (int64_t round = 0; round < rounds; round++) {
    TOUCH(one);
    UNROLLED for (int i = 0; i < 12; i++) {
      TOUCH(other);
      sums[i] = _mm256_add_epi32(sums[i], _mm256_madd_epi16(one, other));
    }
  }
  UNROLLED for (int i = 0; i < 12; i++) TOUCH(sums[i]);
  return rounds * 12 * 16;
}

__attribute__((target("avx2,avxvnni"))) static int64_t multiply_avxvnni(int64_t rounds) {
  __m256i sums[12], one = _mm256_set1_epi8(3), other = _mm256_set1_epi8(5);
  UNROLLED for (int i = 0; i < 12; i++) sums[i] = _mm256_setzero_si256();
  for (int64_t round = 0; round < rounds; round++) {
    TOUCH(one);
    UNROLLED for (int i = 0; i < 12; i++) sums[i] = _mm256_dpbusd_avx_epi32(sums[i], one, other);
  }
  UNROLLED for (int i = 0; i < 12; i++) TOUCH(sums[i]);
  return rounds * 12 * 32;
}

__attribute__((target("avx512f,avx512vnni"))) static int64_t multiply_avx512vnni(int64_t rounds) {
  __m512i sums[24], one = _mm512_set1_epi32(0x03030303), other = _mm512_set1_epi32(0x05050505);
  UNROLLED for (int i = 0; i < 24; i++) sums[i] = _mm512_setzero_si512();
  for (int64_t round = 0; round < rounds; round++) {
    TOUCH(one);
    UNROLLED for (int i = 0; i < 24; i++) sums[i] = _mm512_dpbusd_epi32(sums[i], one, other);
  }
  UNROLLED for (int i = 0; i < 24; i++) TOUCH(sums[i]);
  return rounds * 24 * 64;
}

int64_t cpeak_multiply(const char *set, int64_t rounds) {
  if (strcmp(set, "avx2") == 0) return multiply_avx2(rounds);
  if (strcmp(set, "avx-vnni") == 0) return multiply_avxvnni(rounds);
  if (strcmp(set, "avx512-vnni") == 0) return multiply_avx512vnni(rounds);
  return 0;
}
#elif defined(__aarch64__)
#include <arm_neon.h>
#define CONSTRAINT(value) "+w"(value)

static int64_t multiply_neon(int64_t rounds) {
  int32x4_t sums[8];
  int8x16_t one = vdupq_n_s8(3), other = vdupq_n_s8(5);
  UNROLLED for (int i = 0; i < 8; i++) sums[i] = vdupq_n_s32(0);
  for (int64_t round = 0; round < rounds; round++) {
    TOUCH(one);
    UNROLLED for (int i = 0; i < 8; i++) {
      TOUCH(other);
      int16x8_t product = vmull_s8(vget_low_s8(one), vget_low_s8(other));
      sums[i] = vpadalq_s16(sums[i], vmlal_high_s8(product, one, other));
    }
  }
  UNROLLED for (int i = 0; i < 8; i++) TOUCH(sums[i]);
  return rounds * 8 * 16;
}

__attribute__((target("dotprod"))) static int64_t multiply_dotprod(int64_t rounds) {
  int32x4_t sums[16];
  int8x16_t one = vdupq_n_s8(3), other = vdupq_n_s8(5);
  UNROLLED for (int i = 0; i < 16; i++) sums[i] = vdupq_n_s32(0);
  for (int64_t round = 0; round < rounds; round++) {
    TOUCH(one);
    UNROLLED for (int i = 0; i < 16; i++) sums[i] = vdotq_s32(sums[i], one, other);
  }
  UNROLLED for (int i = 0; i < 16; i++) TOUCH(sums[i]);
  return rounds * 16 * 16;
}

__attribute__((target("i8mm"))) static int64_t multiply_i8mm(int64_t rounds) {
  int32x4_t sums[16];
  int8x16_t one = vdupq_n_s8(3), other = vdupq_n_s8(5);
  UNROLLED for (int i = 0; i < 16; i++) sums[i] = vdupq_n_s32(0);
  for (int64_t round = 0; round < rounds; round++) {
    TOUCH(one);
    UNROLLED for (int i = 0; i < 16; i++) sums[i] = vmmlaq_s32(sums[i], one, other);
  }
  UNROLLED for (int i = 0; i < 16; i++) TOUCH(sums[i]);
  return rounds * 16 * 32;
}

int64_t cpeak_multiply(const char *set, int64_t rounds) {
  if (strcmp(set, "neon") == 0) return multiply_neon(rounds);
  if (strcmp(set, "neon-dotprod") == 0) return multiply_dotprod(rounds);
  if (strcmp(set, "neon-i8mm") == 0) return multiply_i8mm(rounds);
  return 0;
}
#else
int64_t cpeak_multiply(const char *set, int64_t rounds) {
  (void)set;
  (void)rounds;
  return 0;
}
#endif
