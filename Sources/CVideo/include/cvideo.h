// V4L2's structures as Swift can use them: its unions laid open, request codes and four-character
// codes as constants, single- and multi-planar nodes alike.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <linux/videodev2.h>

static const unsigned long cvideo_querycap = VIDIOC_QUERYCAP;
static const unsigned long cvideo_enum_fmt = VIDIOC_ENUM_FMT;
static const unsigned long cvideo_enum_framesizes = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long cvideo_enum_frameintervals = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long cvideo_s_fmt = VIDIOC_S_FMT;
static const unsigned long cvideo_g_parm = VIDIOC_G_PARM;
static const unsigned long cvideo_s_parm = VIDIOC_S_PARM;
static const unsigned long cvideo_queryctrl = VIDIOC_QUERYCTRL;
static const unsigned long cvideo_s_ctrl = VIDIOC_S_CTRL;
static const unsigned long cvideo_reqbufs = VIDIOC_REQBUFS;
static const unsigned long cvideo_querybuf = VIDIOC_QUERYBUF;
static const unsigned long cvideo_qbuf = VIDIOC_QBUF;
static const unsigned long cvideo_dqbuf = VIDIOC_DQBUF;
static const unsigned long cvideo_streamon = VIDIOC_STREAMON;
static const unsigned long cvideo_streamoff = VIDIOC_STREAMOFF;
static const unsigned long cvideo_subscribe_event = VIDIOC_SUBSCRIBE_EVENT;
static const unsigned long cvideo_dqevent = VIDIOC_DQEVENT;

static const uint32_t cvideo_capture = V4L2_BUF_TYPE_VIDEO_CAPTURE;
static const uint32_t cvideo_capture_multi = V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;

static const uint32_t cvideo_can_capture = V4L2_CAP_VIDEO_CAPTURE;
static const uint32_t cvideo_can_capture_multi = V4L2_CAP_VIDEO_CAPTURE_MPLANE;
static const uint32_t cvideo_can_stream = V4L2_CAP_STREAMING;
static const uint32_t cvideo_has_node_capabilities = V4L2_CAP_DEVICE_CAPS;
static const uint32_t cvideo_can_set_interval = V4L2_CAP_TIMEPERFRAME;

static const uint32_t cvideo_code_yuyv = V4L2_PIX_FMT_YUYV;
static const uint32_t cvideo_code_uyvy = V4L2_PIX_FMT_UYVY;
static const uint32_t cvideo_code_nv12 = V4L2_PIX_FMT_NV12;
static const uint32_t cvideo_code_nv21 = V4L2_PIX_FMT_NV21;
static const uint32_t cvideo_code_yu12 = V4L2_PIX_FMT_YUV420;
static const uint32_t cvideo_code_422p = V4L2_PIX_FMT_YUV422P;
static const uint32_t cvideo_code_grey = V4L2_PIX_FMT_GREY;
static const uint32_t cvideo_code_rgb24 = V4L2_PIX_FMT_RGB24;
static const uint32_t cvideo_code_bgr24 = V4L2_PIX_FMT_BGR24;
static const uint32_t cvideo_code_mjpg = V4L2_PIX_FMT_MJPEG;
static const uint32_t cvideo_code_jpeg = V4L2_PIX_FMT_JPEG;
// The multi-planar formats whose planes lie apart.
static const uint32_t cvideo_code_nv12_apart = V4L2_PIX_FMT_NV12M;
static const uint32_t cvideo_code_nv21_apart = V4L2_PIX_FMT_NV21M;
static const uint32_t cvideo_code_yu12_apart = V4L2_PIX_FMT_YUV420M;
static const uint32_t cvideo_code_422p_apart = V4L2_PIX_FMT_YUV422M;
static const uint32_t cvideo_code_444p_apart = V4L2_PIX_FMT_YUV444M;

static const uint32_t cvideo_field_any = V4L2_FIELD_ANY;
static const uint32_t cvideo_field_none = V4L2_FIELD_NONE;
static const uint32_t cvideo_field_interlaced = V4L2_FIELD_INTERLACED;
static const uint32_t cvideo_field_interlaced_top = V4L2_FIELD_INTERLACED_TB;
static const uint32_t cvideo_field_interlaced_bottom = V4L2_FIELD_INTERLACED_BT;

static const uint32_t cvideo_colorspace_jpeg = V4L2_COLORSPACE_JPEG;
static const uint32_t cvideo_colorspace_709 = V4L2_COLORSPACE_REC709;
static const uint32_t cvideo_colorspace_dci = V4L2_COLORSPACE_DCI_P3;
static const uint32_t cvideo_encoding_default = V4L2_YCBCR_ENC_DEFAULT;
static const uint32_t cvideo_encoding_709 = V4L2_YCBCR_ENC_709;
static const uint32_t cvideo_encoding_xv709 = V4L2_YCBCR_ENC_XV709;
static const uint32_t cvideo_quantization_default = V4L2_QUANTIZATION_DEFAULT;
static const uint32_t cvideo_quantization_full = V4L2_QUANTIZATION_FULL_RANGE;

static const uint32_t cvideo_buffer_error = V4L2_BUF_FLAG_ERROR;
static const uint32_t cvideo_buffer_clock = V4L2_BUF_FLAG_TIMESTAMP_MASK;
static const uint32_t cvideo_buffer_monotonic = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;

static const uint32_t cvideo_control_off = V4L2_CTRL_FLAG_DISABLED;
static const uint32_t cvideo_control_power_line = V4L2_CID_POWER_LINE_FREQUENCY;
static const uint32_t cvideo_control_exposure_mode = V4L2_CID_EXPOSURE_AUTO;
static const uint32_t cvideo_control_exposure_priority = V4L2_CID_EXPOSURE_AUTO_PRIORITY;
static const uint32_t cvideo_control_exposure = V4L2_CID_EXPOSURE_ABSOLUTE;
static const uint32_t cvideo_control_white_balance_auto = V4L2_CID_AUTO_WHITE_BALANCE;
static const uint32_t cvideo_control_white_balance = V4L2_CID_WHITE_BALANCE_TEMPERATURE;
static const uint32_t cvideo_control_focus_auto = V4L2_CID_FOCUS_AUTO;
static const uint32_t cvideo_control_focus = V4L2_CID_FOCUS_ABSOLUTE;

static const uint32_t cvideo_event_source_change = V4L2_EVENT_SOURCE_CHANGE;
static const uint32_t cvideo_memory_map = V4L2_MEMORY_MMAP;

/// Most planes of a frame that are looked at; no format that is read has more.
enum { CVIDEO_PLANES = 3 };

/// A format as a driver has set it, of either kind of node.
struct cvideo_format {
  uint32_t code, width, height, field, colorspace, encoding, quantization, plane_count;
  uint32_t bytes_per_line[CVIDEO_PLANES], size[CVIDEO_PLANES];
};

/// A buffer as a driver has filled it in, of either kind of node.
struct cvideo_buffer {
  uint32_t index, flags, sequence, plane_count;
  /// Bytes before the samples, bytes of samples, bytes mapped and where, of each plane.
  uint32_t start[CVIDEO_PLANES], used[CVIDEO_PLANES], length[CVIDEO_PLANES],
      offset[CVIDEO_PLANES];
  /// When it was filled, by the clock its flags name.
  int64_t milliseconds;
};

/// Frames a second as a fraction; 0 over 0 where unknown.
struct cvideo_rate {
  uint32_t numerator, denominator;
};

/// A format to ask for, progressive.
struct v4l2_format cvideo_make_format(uint32_t type, uint32_t code, uint32_t width,
                                      uint32_t height);
/// A format as answered.
struct cvideo_format cvideo_read_format(const struct v4l2_format *format);
/// Makes ready to ask for a buffer; `planes` has CVIDEO_PLANES entries and must stay until the
/// answer is read.
void cvideo_prepare_buffer(struct v4l2_buffer *buffer, struct v4l2_plane *planes, uint32_t type,
                           uint32_t index);
/// A buffer as answered.
struct cvideo_buffer cvideo_read_buffer(const struct v4l2_buffer *buffer);
/// The highest rate of an answer.
struct cvideo_rate cvideo_read_interval(const struct v4l2_frmivalenum *interval);
