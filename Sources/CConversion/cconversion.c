#include "cconversion.h"

#include <string.h>

#include <csystem_device.h>
#include <libv4l-plugin.h>
#include <libv4lconvert.h>

static int control(void *context, int descriptor, unsigned long request, void *argument) {
  (void)context;
  return csystem_device_ioctl(descriptor, request, argument);
}

static ssize_t read_bytes(void *context, int descriptor, void *bytes, size_t count) {
  (void)context;
  return csystem_device_read(descriptor, bytes, count);
}

static ssize_t write_bytes(void *context, int descriptor, const void *bytes, size_t count) {
  (void)context;
  return csystem_device_write(descriptor, bytes, count);
}

static const struct libv4l_dev_ops calls = {
    .ioctl = control, .read = read_bytes, .write = write_bytes};

static struct v4l2_format wanted(uint32_t width, uint32_t height) {
  struct v4l2_format format;
  memset(&format, 0, sizeof format);
  format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  format.fmt.pix.width = width;
  format.fmt.pix.height = height;
  format.fmt.pix.pixelformat = V4L2_PIX_FMT_RGB24;
  format.fmt.pix.field = V4L2_FIELD_NONE;
  format.fmt.pix.bytesperline = 3 * width;
  format.fmt.pix.sizeimage = 3 * width * height;
  return format;
}

struct v4lconvert_data *cconversion_make(int descriptor) {
  return v4lconvert_create_with_dev_ops(descriptor, NULL, &calls);
}

void cconversion_free(struct v4lconvert_data *converter) {
  if (converter != NULL) v4lconvert_destroy(converter);
}

bool cconversion_choose(struct v4lconvert_data *converter, uint32_t width, uint32_t height,
                        struct v4l2_format *source) {
  struct v4l2_format result = wanted(width, height);
  memset(source, 0, sizeof *source);
  source->type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
  return v4lconvert_try_format(converter, &result, source) == 0 &&
         result.fmt.pix.pixelformat == V4L2_PIX_FMT_RGB24;
}

bool cconversion_convert(struct v4lconvert_data *converter, const struct v4l2_format *source,
                         const uint8_t *bytes, int count, uint8_t *pixels, int size) {
  struct v4l2_format result = wanted(source->fmt.pix.width, source->fmt.pix.height);
  // The library takes bytes it may change, but only reads those of formats it converts.
  return v4lconvert_convert(converter, source, &result, (unsigned char *)bytes, count, pixels,
                            size) == size;
}
