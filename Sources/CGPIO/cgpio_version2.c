#include "cgpio_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

struct gpiod_chip_info;
struct gpiod_line_settings;
struct gpiod_line_config;
struct gpiod_request_config;
struct gpiod_line_request;

enum gpiod_line_direction { LINE_DIRECTION_OUTPUT = 3 };
enum gpiod_line_value { LINE_VALUE_ERROR = -1, LINE_VALUE_INACTIVE = 0, LINE_VALUE_ACTIVE = 1 };

#define FUNCTIONS(X)                                                                    \
  X(struct gpiod_chip *, chip_open, (const char *path))                                 \
  X(void, chip_close, (struct gpiod_chip * chip))                                       \
  X(struct gpiod_chip_info *, chip_get_info, (struct gpiod_chip * chip))                \
  X(void, chip_info_free, (struct gpiod_chip_info * info))                              \
  X(const char *, chip_info_get_label, (struct gpiod_chip_info * info))                 \
  X(size_t, chip_info_get_num_lines, (struct gpiod_chip_info * info))                   \
  X(int, chip_get_line_offset_from_name, (struct gpiod_chip * chip, const char *name))  \
  X(struct gpiod_line_request *, chip_request_lines,                                    \
    (struct gpiod_chip * chip, struct gpiod_request_config * config,                    \
     struct gpiod_line_config * lines))                                                 \
  X(struct gpiod_line_settings *, line_settings_new, (void))                            \
  X(void, line_settings_free, (struct gpiod_line_settings * settings))                  \
  X(int, line_settings_set_direction,                                                   \
    (struct gpiod_line_settings * settings, enum gpiod_line_direction direction))       \
  X(void, line_settings_set_active_low, (struct gpiod_line_settings * settings, bool))  \
  X(int, line_settings_set_output_value,                                                \
    (struct gpiod_line_settings * settings, enum gpiod_line_value value))               \
  X(struct gpiod_line_config *, line_config_new, (void))                                \
  X(void, line_config_free, (struct gpiod_line_config * lines))                         \
  X(int, line_config_add_line_settings,                                                 \
    (struct gpiod_line_config * lines, const unsigned *offsets, size_t count,           \
     struct gpiod_line_settings *settings))                                             \
  X(struct gpiod_request_config *, request_config_new, (void))                          \
  X(void, request_config_free, (struct gpiod_request_config * config))                  \
  X(void, request_config_set_consumer,                                                  \
    (struct gpiod_request_config * config, const char *consumer))                       \
  X(void, line_request_release, (struct gpiod_line_request * request))                  \
  X(size_t, line_request_get_requested_offsets,                                         \
    (struct gpiod_line_request * request, unsigned *offsets, size_t count))             \
  X(int, line_request_set_value,                                                        \
    (struct gpiod_line_request * request, unsigned offset, enum gpiod_line_value value))

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
  struct gpiod_chip_info *info = gpiod.chip_get_info(chip);
  if (!info) {
    *fault = errno;
    return -1;
  }
  int place = -1;
  if (strcmp(gpiod.chip_info_get_label(info), label) == 0) {
    if (offset < gpiod.chip_info_get_num_lines(info)) {
      place = (int)offset;
    } else {
      *fault = CGPIO_NO_OFFSET;
    }
  }
  gpiod.chip_info_free(info);
  return place;
}

static int offset_by_name(struct gpiod_chip *chip, const char *name) {
  return gpiod.chip_get_line_offset_from_name(chip, name);
}

static cgpio_output *request(struct gpiod_chip *chip, unsigned offset, bool is_active_low,
                             int *fault) {
  struct gpiod_line_settings *settings = gpiod.line_settings_new();
  struct gpiod_line_config *lines = gpiod.line_config_new();
  struct gpiod_request_config *config = gpiod.request_config_new();
  struct gpiod_line_request *request = NULL;
  *fault = ENOMEM;
  if (settings && lines && config) {
    gpiod.request_config_set_consumer(config, "receh");
    gpiod.line_settings_set_active_low(settings, is_active_low);
    if (gpiod.line_settings_set_direction(settings, LINE_DIRECTION_OUTPUT) == 0 &&
        gpiod.line_settings_set_output_value(settings, LINE_VALUE_INACTIVE) == 0 &&
        gpiod.line_config_add_line_settings(lines, &offset, 1, settings) == 0)
      request = gpiod.chip_request_lines(chip, config, lines);
    if (!request) *fault = errno;
  }
  // These take null for nothing to free.
  gpiod.request_config_free(config);
  gpiod.line_config_free(lines);
  gpiod.line_settings_free(settings);
  // A request keeps no chip open.
  if (request) gpiod.chip_close(chip);
  return (cgpio_output *)request;
}

static int set(cgpio_output *output, bool is_active) {
  struct gpiod_line_request *request = (struct gpiod_line_request *)output;
  unsigned offset;
  if (gpiod.line_request_get_requested_offsets(request, &offset, 1) != 1) return EINVAL;
  int result = gpiod.line_request_set_value(request, offset,
                                            is_active ? LINE_VALUE_ACTIVE : LINE_VALUE_INACTIVE);
  return result == 0 ? 0 : errno;
}

static void release(cgpio_output *output) {
  gpiod.line_request_release((struct gpiod_line_request *)output);
}

const struct cgpio_library cgpio_version2 = {
    .major = 2,
    .name = "libgpiod.so.3",
    .load = load,
    .open = open_chip,
    .close = close_chip,
    .offset_by_label = offset_by_label,
    .offset_by_name = offset_by_name,
    .request = request,
    .set = set,
    .release = release,
};
