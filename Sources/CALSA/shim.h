#pragma once
#include <alsa/asoundlib.h>

static inline void calsa_ignore(const char *file, int line, const char *function, int error,
                                const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}
/// Keeps the library from writing its own lines to stderr; a handler is variadic, so it is in C.
static inline void calsa_be_quiet(void) { snd_lib_error_set_handler(calsa_ignore); }
