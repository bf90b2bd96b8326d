// The only place that sees libc: variadic functions and macros Swift cannot import, wrapped.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The calling thread's `errno`.
static inline int csystem_errno(void) { return errno; }
/// `open(2)` without creation flags. Returns a descriptor, or -1 with `errno` set.
static inline int csystem_open(const char *path, int flags) { return open(path, flags); }
/// Sets the calling thread's `errno`, for a failure that is no system call's.
static inline void csystem_set_errno(int code) { errno = code; }
