// What devices say of themselves, as Swift can use it, asked through the point where tests stand
// in.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/// What a video node says of itself; texts end in a NUL.
struct csystem_video {
  char driver[17], card[33], bus[33];
  /// Whether it gives frames, in one plane or in several, and streams them.
  bool captures, is_multiplanar, streams;
};
/// A format a video node offers.
struct csystem_video_format {
  char description[33];
  /// Its four characters and a NUL.
  char code[5];
  uint32_t number;
};
/// A size a video node offers, and its highest rate in thousandths of a frame a second, 0 unknown.
struct csystem_video_size {
  uint32_t width, height, rate;
  /// Whether every size up to this one is offered.
  bool is_most;
};
/// What a GPIO chip says of itself.
struct csystem_gpio_chip {
  char name[33], label[33];
  uint32_t lines;
};

/// Asks a video node; false with `errno` set when it does not answer.
bool csystem_video_ask(int descriptor, struct csystem_video *video);
/// Asks for the format at `index`; false when there is none.
bool csystem_video_format_ask(int descriptor, bool is_multiplanar, uint32_t index,
                              struct csystem_video_format *format);
/// Asks for the size at `index` of a format; false when there is none.
bool csystem_video_size_ask(int descriptor, uint32_t format, uint32_t index,
                            struct csystem_video_size *size);
/// Asks a GPIO chip; false with `errno` set when it does not answer.
bool csystem_gpio_ask(int descriptor, struct csystem_gpio_chip *chip);
/// Whether this process may read and write a file; `errno` tells why not.
bool csystem_may_use(const char *path);
/// Puts the names of a file's owner and group, or their numbers, and its mode into place; false
/// with `errno` set when there is no such file.
bool csystem_owner(const char *path, char owner[33], char group[33], uint32_t *mode);
/// The name of this process's user, or its number.
void csystem_user(char name[33]);
/// The name of the group at `index` of those this process is in; false when there is none.
bool csystem_group(int index, char name[33]);
