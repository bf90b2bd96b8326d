// What differs between the two major versions of libgpiod, whose interfaces have nothing in common.
// Their headers cannot be included together, so each version declares what it calls itself.
#pragma once
#include "cgpio.h"

#include <stddef.h>

struct gpiod_chip;

/// A major version of libgpiod.
struct cgpio_library {
  /// 1 or 2.
  int major;
  /// The shared library's name, which stays the same as long as its interface does.
  const char *name;
  /// Finds the library's functions; `false` when one is missing.
  bool (*load)(void *handle);
  /// Opens a chip; null with `errno` set.
  struct gpiod_chip *(*open)(const char *path);
  void (*close)(struct gpiod_chip *chip);
  /// `offset` if the chip has that label and that line; otherwise -1, and CGPIO_NO_OFFSET in
  /// `fault` when the label is right.
  int (*offset_by_label)(struct gpiod_chip *chip, const char *label, unsigned offset, int *fault);
  /// The number of the line of that name, or -1.
  int (*offset_by_name)(struct gpiod_chip *chip, const char *name);
  /// Requests a line, which takes the chip over if it succeeds; null with an `errno` in `fault`.
  cgpio_output *(*request)(struct gpiod_chip *chip, unsigned offset, bool is_active_low,
                           int *fault);
  /// Sets a line; 0 or an `errno`.
  int (*set)(cgpio_output *output, bool is_active);
  /// Gives a line back, and its chip.
  void (*release)(cgpio_output *output);
};

/// libgpiod 1.x, as in Debian 12.
extern const struct cgpio_library cgpio_version1;
/// libgpiod 2.x, as in Debian 13.
extern const struct cgpio_library cgpio_version2;
