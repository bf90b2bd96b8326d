// libv4l's conversion of formats that only few cameras have: Bayer patterns and the makers' own.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <linux/videodev2.h>

/// A converter for an open camera, made and freed by the caller.
struct v4lconvert_data;

/// Makes a converter for the camera at `descriptor`, which stays the caller's and must outlive it.
/// Its system calls are CSystem's. Null when memory is short.
struct v4lconvert_data *cconversion_make(int descriptor);
/// Frees a converter; null is allowed.
void cconversion_free(struct v4lconvert_data *converter);
/// Chooses the camera's best format that can be converted to red, green, blue at about this size.
/// Returns whether there is one.
bool cconversion_choose(struct v4lconvert_data *converter, uint32_t width, uint32_t height,
                        struct v4l2_format *source);
/// Converts `count` bytes of a frame to red, green, blue of the same size, without gaps between
/// rows. Returns whether the picture is whole.
bool cconversion_convert(struct v4lconvert_data *converter, const struct v4l2_format *source,
                         const uint8_t *bytes, int count, uint8_t *pixels, int size);
