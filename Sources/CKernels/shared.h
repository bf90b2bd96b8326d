// What every instruction set's file begins with.
#pragma once
#include "ckernels.h"

/// Inlined wherever it is called, so that its bounds are constants there.
#define ALWAYS static inline __attribute__((always_inline))
/// Unrolls a loop of constant bounds completely, so that the arrays in it become registers.
#define UNROLLED _Pragma("clang loop unroll(full)")
