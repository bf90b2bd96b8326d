// Input lines of GPIO chips by the kernel's second interface, as Swift can use them.
#pragma once
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

/// Tells of a chip.
static const unsigned long csystem_gpio_chip_info = GPIO_GET_CHIPINFO_IOCTL;
/// Tells of a line.
static const unsigned long csystem_gpio_line_info = GPIO_V2_GET_LINEINFO_IOCTL;
/// Requests lines.
static const unsigned long csystem_gpio_request = GPIO_V2_GET_LINE_IOCTL;

/// Whether a chip has that label.
static inline bool csystem_gpio_has_label(const struct gpiochip_info *chip, const char *label) {
  return strncmp(chip->label, label, sizeof chip->label) == 0;
}

/// A question about the line of that number.
static inline struct gpio_v2_line_info csystem_gpio_line(uint32_t offset) {
  return (struct gpio_v2_line_info){.offset = offset};
}

/// Whether a line has that name.
static inline bool csystem_gpio_has_name(const struct gpio_v2_line_info *line, const char *name) {
  return strncmp(line->name, name, sizeof line->name) == 0;
}

/// A request for one line as an input that reports its edges.
static inline struct gpio_v2_line_request csystem_gpio_input(
    uint32_t offset, bool is_active_low, bool has_debounce, uint32_t debounce_microseconds) {
  struct gpio_v2_line_request request = {.offsets = {offset}, .num_lines = 1, .consumer = "receh"};
  request.config.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING |
                         GPIO_V2_LINE_FLAG_EDGE_FALLING;
  // A button to ground needs the pin pulled up, one to 3.3 V needs it pulled down.
  request.config.flags |= is_active_low
                              ? GPIO_V2_LINE_FLAG_ACTIVE_LOW | GPIO_V2_LINE_FLAG_BIAS_PULL_UP
                              : GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN;
  if (has_debounce) {
    request.config.num_attrs = 1;
    request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
    request.config.attrs[0].attr.debounce_period_us = debounce_microseconds;
    request.config.attrs[0].mask = 1;
  }
  return request;
}

/// Makes reads return at once.
static inline void csystem_gpio_do_not_wait(int descriptor) {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}
