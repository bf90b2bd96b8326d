// What every instruction set's file begins with.
#pragma once
#include "ckernels.h"

/// Inlined wherever it is called, so that its bounds are constants there.
#define ALWAYS static inline __attribute__((always_inline))
/// Unrolls a loop of constant bounds completely, so that the arrays in it become registers.
#define UNROLLED _Pragma("clang loop unroll(full)")

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
/// The name of a set's function.
#define NAME(function) JOIN(ckernels_##function##_, SET)
