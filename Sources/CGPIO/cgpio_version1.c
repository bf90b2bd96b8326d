#include "cgpio_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

struct gpiod_line;

struct gpiod_line_request_config {
  const char *consumer;
  int request_type;
  int flags;
};

enum { REQUEST_DIRECTION_OUTPUT = 3, REQUEST_FLAG_ACTIVE_LOW = 1 << 2 };

#define FUNCTIONS(X)                                                        \
  X(struct gpiod_chip *, chip_open, (const char *path))                     \
  X(void, chip_close, (struct gpiod_chip * chip))                           \
  X(const char *, chip_label, (struct gpiod_chip * chip))                   \
  X(unsigned, chip_num_lines, (struct gpiod_chip * chip))                   \
  X(struct gpiod_line *, chip_get_line, (struct gpiod_chip *, unsigned))    \
  X(struct gpiod_line *, chip_find_line, (struct gpiod_chip *, const char *)) \
  X(unsigned, line_offset, (struct gpiod_line * line))                      \
  X(int, line_request,                                                      \
    (struct gpiod_line * line, const struct gpiod_line_request_config *config, int value)) \
  X(int, line_set_value, (struct gpiod_line * line, int value))             \
  X(struct gpiod_chip *, line_get_chip, (struct gpiod_line * line))

#define DECLARE(result, name, parameters) result(*name) parameters;
static struct {
  FUNCTIONS(DECLARE)
} gpiod;

static bool load(void *handle) {
#define LOAD(result, name, parameters) \
  if (!(gpiod.name = dlsym(handle, "gpiod_" #name))) return false;
  FUNCTIONS(LOAD)
  return true;
}

static struct gpiod_chip *open_chip(const char *path) { return gpiod.chip_open(path); }

static void close_chip(struct gpiod_chip *chip) { gpiod.chip_close(chip); }

static int offset_by_label(struct gpiod_chip *chip, const char *label, unsigned offset,
                           int *fault) {
  if (strcmp(gpiod.chip_label(chip), label) != 0) return -1;
  if (offset < gpiod.chip_num_lines(chip)) return (int)offset;
  *fault = CGPIO_NO_OFFSET;
  return -1;
}

static int offset_by_name(struct gpiod_chip *chip, const char *name) {
  struct gpiod_line *line = gpiod.chip_find_line(chip, name);
  return line ? (int)gpiod.line_offset(line) : -1;
}

static cgpio_output *request(struct gpiod_chip *chip, unsigned offset, bool is_active_low,
                             int *fault) {
  struct gpiod_line *line = gpiod.chip_get_line(chip, offset);
  struct gpiod_line_request_config config = {
      .consumer = "receh",
      .request_type = REQUEST_DIRECTION_OUTPUT,
      .flags = is_active_low ? REQUEST_FLAG_ACTIVE_LOW : 0,
  };
  if (line && gpiod.line_request(line, &config, 0) == 0) return (cgpio_output *)line;
  *fault = errno;
  return NULL;
}

static int set(cgpio_output *output, bool is_active) {
  return gpiod.line_set_value((struct gpiod_line *)output, is_active) == 0 ? 0 : errno;
}

// A line is a part of its chip, whose closing releases it.
static void release(cgpio_output *output) {
  gpiod.chip_close(gpiod.line_get_chip((struct gpiod_line *)output));
}

const struct cgpio_library cgpio_version1 = {
    .major = 1,
    .name = "libgpiod.so.2",
    .load = load,
    .open = open_chip,
    .close = close_chip,
    .offset_by_label = offset_by_label,
    .offset_by_name = offset_by_name,
    .request = request,
    .set = set,
    .release = release,
};
