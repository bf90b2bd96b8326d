// Output lines of GPIO chips, through libgpiod of whichever major version the machine has.
#pragma once
#include <stdbool.h>

/// Why a line could not be had; any other number is an `errno`.
enum cgpio_fault : int {
  /// libgpiod is not installed.
  CGPIO_NO_LIBRARY = 10001,
  /// There is no GPIO chip at all.
  CGPIO_NO_CHIP,
  /// No chip has that label.
  CGPIO_NO_LABEL,
  /// No line has that name.
  CGPIO_NO_NAME,
  /// The chip has fewer lines.
  CGPIO_NO_OFFSET,
};

/// A requested line. Owned by whoever opened it.
typedef struct cgpio_output cgpio_output;

/// What a test answers in place of libgpiod.
struct cgpio_stand_in {
  void *context;
  cgpio_output *(*open)(void *context, const char *label, const char *name, unsigned offset,
                        bool is_active_low, int *fault);
  int (*set)(void *context, cgpio_output *output, bool is_active);
  void (*close)(void *context, cgpio_output *output);
};
/// Has the calling thread's lines answered by `stand_in`, which must stay until it is taken away
/// with null. Only in builds for tests; release builds have no such point and ignore it.
void cgpio_stand_in_for_library(const struct cgpio_stand_in *stand_in);

/// The major version of libgpiod found on this machine: 1 or 2, or 0 for none.
int cgpio_library_major(void);
/// Finds a line by the label of its chip and its number there or, where `label` is null, by its own
/// name on any chip, and requests it as an output that is not active.
///
/// Returns null with `fault` set when it cannot be had: a `cgpio_fault` or an `errno`, EBUSY when
/// another program has it.
cgpio_output *cgpio_output_open(const char *label, const char *name, unsigned offset,
                                bool is_active_low, int *fault);
/// Makes a line active or not. Returns 0, or an `errno`: ENODEV when its chip is gone. Allocates
/// nothing.
int cgpio_output_set(cgpio_output *output, bool is_active);
/// Gives a line back.
void cgpio_output_close(cgpio_output *output);
