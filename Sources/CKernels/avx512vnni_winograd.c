// Winograd's convolutions by 512-bit products of pairs of words.
#include "shared.h"

#if defined(__x86_64__)
// Tuned apart from the direct convolutions: in the order a compiler chooses for a Zen 4 or 5 the
// transforms take a tenth less, but direct convolutions of few channels a tenth more.
#pragma clang attribute push(                                                                  \
    __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,tune=znver4"))), \
    apply_to = function)
#include <immintrin.h>

#define MAXIMUM_VECTORS 4
#define TILE_VECTORS 0

#include "avx512.h"
#include "avx512_tile.h"
#include "avx512_winograd.h"
#pragma clang attribute pop
#endif
