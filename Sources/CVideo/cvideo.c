#include "cvideo.h"

#include <string.h>

static bool is_multi(uint32_t type) { return type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE; }

struct v4l2_format cvideo_make_format(uint32_t type, uint32_t code, uint32_t width,
                                      uint32_t height) {
  struct v4l2_format format;
  memset(&format, 0, sizeof format);
  format.type = type;
  if (is_multi(type)) {
    format.fmt.pix_mp.pixelformat = code;
    format.fmt.pix_mp.width = width;
    format.fmt.pix_mp.height = height;
    format.fmt.pix_mp.field = V4L2_FIELD_NONE;
  } else {
    format.fmt.pix.pixelformat = code;
    format.fmt.pix.width = width;
    format.fmt.pix.height = height;
    format.fmt.pix.field = V4L2_FIELD_NONE;
  }
  return format;
}

struct cvideo_format cvideo_read_format(const struct v4l2_format *format) {
  struct cvideo_format result;
  memset(&result, 0, sizeof result);
  if (is_multi(format->type)) {
    const struct v4l2_pix_format_mplane *from = &format->fmt.pix_mp;
    result.code = from->pixelformat;
    result.width = from->width;
    result.height = from->height;
    result.field = from->field;
    result.colorspace = from->colorspace;
    result.encoding = from->ycbcr_enc;
    result.quantization = from->quantization;
    result.plane_count = from->num_planes;
    for (uint32_t plane = 0; plane < from->num_planes && plane < CVIDEO_PLANES; plane++) {
      result.bytes_per_line[plane] = from->plane_fmt[plane].bytesperline;
      result.size[plane] = from->plane_fmt[plane].sizeimage;
    }
  } else {
    const struct v4l2_pix_format *from = &format->fmt.pix;
    result.code = from->pixelformat;
    result.width = from->width;
    result.height = from->height;
    result.field = from->field;
    result.colorspace = from->colorspace;
    // Where the driver does not say that it fills these in, they may be anything.
    if (from->priv == V4L2_PIX_FMT_PRIV_MAGIC) {
      result.encoding = from->ycbcr_enc;
      result.quantization = from->quantization;
    }
    result.plane_count = 1;
    result.bytes_per_line[0] = from->bytesperline;
    result.size[0] = from->sizeimage;
  }
  return result;
}

void cvideo_prepare_buffer(struct v4l2_buffer *buffer, struct v4l2_plane *planes, uint32_t type,
                           uint32_t index) {
  memset(buffer, 0, sizeof *buffer);
  buffer->index = index;
  buffer->type = type;
  buffer->memory = V4L2_MEMORY_MMAP;
  if (is_multi(type)) {
    memset(planes, 0, CVIDEO_PLANES * sizeof *planes);
    buffer->m.planes = planes;
    buffer->length = CVIDEO_PLANES;
  }
}

struct cvideo_buffer cvideo_read_buffer(const struct v4l2_buffer *buffer) {
  struct cvideo_buffer result;
  memset(&result, 0, sizeof result);
  result.index = buffer->index;
  result.flags = buffer->flags;
  result.sequence = buffer->sequence;
  result.milliseconds =
      (int64_t)buffer->timestamp.tv_sec * 1000 + buffer->timestamp.tv_usec / 1000;
  if (is_multi(buffer->type)) {
    result.plane_count = buffer->length < CVIDEO_PLANES ? buffer->length : CVIDEO_PLANES;
    for (uint32_t plane = 0; plane < result.plane_count; plane++) {
      const struct v4l2_plane *from = &buffer->m.planes[plane];
      // Bytes used count from the plane's beginning, so that data_offset is among them.
      result.start[plane] = from->data_offset;
      result.used[plane] =
          from->bytesused > from->data_offset ? from->bytesused - from->data_offset : 0;
      result.length[plane] = from->length;
      result.offset[plane] = from->m.mem_offset;
    }
  } else {
    result.plane_count = 1;
    result.used[0] = buffer->bytesused;
    result.length[0] = buffer->length;
    result.offset[0] = buffer->m.offset;
  }
  return result;
}

struct cvideo_rate cvideo_read_interval(const struct v4l2_frmivalenum *interval) {
  // The fastest of a range is its shortest interval.
  const struct v4l2_fract *from = interval->type == V4L2_FRMIVAL_TYPE_DISCRETE
                                      ? &interval->discrete
                                      : &interval->stepwise.min;
  return (struct cvideo_rate){from->denominator, from->numerator};
}
