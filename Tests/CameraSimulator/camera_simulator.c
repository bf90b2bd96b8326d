// Preloaded into the command, answers V4L2's calls on /dev/video0 with the frames of a file, so
// that the command can be tested from outside where there is no camera. Set by the environment:
//   RECEH_CAMERA_FRAMES     a file of frames, each after its length in four bytes, lowest first;
//   the
//                           last one is repeated
//   RECEH_CAMERA_FORMAT     YUYV (640 x 480, default) or MJPG
//   RECEH_CAMERA_APPEARS    milliseconds after which the camera is there
//   RECEH_CAMERA_UNPLUG     the frame before which the camera is pulled out; it comes back as
//                           /dev/video1 a little later
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <linux/videodev2.h>

enum { BUFFERS = 4, PLACE = 1 << 20, INTERVAL = 20, ABSENCE = 300 };

static int device = -1;
static uint8_t *memory;
static FILE *frames;
static uint8_t *frame;
static uint32_t frame_size;
static int queue[BUFFERS], queued;
static uint32_t sequence;
static int64_t begun, next_frame, back_at;
static bool was_unplugged;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int64_t setting(const char *name, int64_t otherwise) {
  const char *value = getenv(name);
  return value ? atoll(value) : otherwise;
}

static bool is_pressed(void) {
  const char *format = getenv("RECEH_CAMERA_FORMAT");
  return format && strcmp(format, "MJPG") == 0;
}

// Looked up once: the command's loop is watched for allocations.
static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static int (*real_poll)(struct pollfd *, nfds_t, int);
static int (*real_ioctl)(int, unsigned long, ...);

__attribute__((constructor)) static void begin(void) {
  begun = now();
  real_open = dlsym(RTLD_NEXT, "open");
  real_close = dlsym(RTLD_NEXT, "close");
  real_poll = dlsym(RTLD_NEXT, "poll");
  real_ioctl = dlsym(RTLD_NEXT, "ioctl");
}

static bool is_there(const char *path) {
  if (now() - begun < setting("RECEH_CAMERA_APPEARS", 0)) return false;
  if (was_unplugged && now() < back_at) return false;
  return strcmp(path, was_unplugged ? "/dev/video1" : "/dev/video0") == 0;
}

static void read_frame(void) {
  uint8_t length[4];
  if (fread(length, 1, 4, frames) != 4) return;
  frame_size = length[0] | length[1] << 8 | length[2] << 16 | (uint32_t)length[3] << 24;
  if (frame_size > PLACE || fread(frame, 1, frame_size, frames) != frame_size) abort();
}

static int open_camera(const char *path) {
  if (!is_there(path)) {
    errno = ENOENT;
    return -1;
  }
  if (frames == NULL) {
    frames = fopen(getenv("RECEH_CAMERA_FRAMES"), "rb");
    frame = malloc(PLACE);
    if (frames == NULL || frame == NULL) abort();
  }
  device = memfd_create("camera", MFD_CLOEXEC);
  if (device < 0 || ftruncate(device, BUFFERS * PLACE) != 0) abort();
  memory = mmap(NULL, BUFFERS * PLACE, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
  queued = 0;
  return device;
}

#define OPEN(name)                                                   \
  int name(const char *path, int flags, ...) {                       \
    va_list list;                                                    \
    va_start(list, flags);                                           \
    int mode = va_arg(list, int);                                    \
    va_end(list);                                                    \
    if (strncmp(path, "/dev/video", 10) == 0) return open_camera(path); \
    return real_open(path, flags, mode);                             \
  }
OPEN(open)
OPEN(open64)

int close(int descriptor) {
  if (descriptor == device && device >= 0) {
    munmap(memory, BUFFERS * PLACE);
    device = -1;
  }
  return real_close(descriptor);
}

static bool is_gone(void) {
  int64_t at = setting("RECEH_CAMERA_UNPLUG", -1);
  if (!was_unplugged && at >= 0 && sequence >= at) {
    was_unplugged = true;
    back_at = now() + ABSENCE;
    // Stays gone for whoever has it open.
    sequence += 1000;
  }
  return was_unplugged && now() < back_at;
}

int poll(struct pollfd *waiting, nfds_t count, int milliseconds) {
  if (count != 1 || waiting->fd != device || device < 0)
    return real_poll(waiting, count, milliseconds);
  int64_t end = now() + milliseconds;
  while (true) {
    const bool is_due = queued > 0 && now() >= next_frame;
    waiting->revents = is_gone() ? POLLERR | POLLHUP : is_due ? POLLIN : 0;
    if (waiting->revents != 0) return 1;
    if (now() >= end) return 0;
    usleep(1000);
  }
}

static void set_format(struct v4l2_pix_format *format) {
  memset(format, 0, sizeof *format);
  format->width = 640;
  format->height = 480;
  format->pixelformat = is_pressed() ? V4L2_PIX_FMT_MJPEG : V4L2_PIX_FMT_YUYV;
  format->field = V4L2_FIELD_NONE;
  format->bytesperline = is_pressed() ? 0 : 1280;
  format->sizeimage = is_pressed() ? PLACE : 1280 * 480;
  format->colorspace = V4L2_COLORSPACE_SRGB;
  format->priv = V4L2_PIX_FMT_PRIV_MAGIC;
}

static int take_frame(struct v4l2_buffer *buffer) {
  if (queued == 0 || now() < next_frame) return EAGAIN;
  int index = queue[0];
  memmove(queue, queue + 1, (size_t)--queued * sizeof *queue);
  read_frame();
  memcpy(memory + (size_t)index * PLACE, frame, frame_size);
  buffer->index = (uint32_t)index;
  buffer->bytesused = frame_size;
  buffer->length = PLACE;
  buffer->sequence = sequence++;
  buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  buffer->timestamp.tv_sec = now() / 1000;
  buffer->timestamp.tv_usec = now() % 1000 * 1000;
  next_frame = now() + INTERVAL;
  return 0;
}

static int control(unsigned long request, void *argument) {
  if (is_gone()) return ENODEV;
  switch (request) {
    case VIDIOC_QUERYCAP: {
      struct v4l2_capability *capability = argument;
      memset(capability, 0, sizeof *capability);
      strcpy((char *)capability->driver, "simulator");
      strcpy((char *)capability->card, "Tray Camera");
      strcpy((char *)capability->bus_info, "usb-simulated-1");
      capability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
      capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
      return 0;
    }
    case VIDIOC_ENUM_FMT: {
      struct v4l2_fmtdesc *description = argument;
      if (description->index > 0) return EINVAL;
      description->pixelformat = is_pressed() ? V4L2_PIX_FMT_MJPEG : V4L2_PIX_FMT_YUYV;
      return 0;
    }
    case VIDIOC_S_FMT: set_format(&((struct v4l2_format *)argument)->fmt.pix); return 0;
    case VIDIOC_REQBUFS: {
      struct v4l2_requestbuffers *buffers = argument;
      if (buffers->count > 0) buffers->count = BUFFERS;
      queued = 0;
      return 0;
    }
    case VIDIOC_QUERYBUF: {
      struct v4l2_buffer *buffer = argument;
      buffer->length = PLACE;
      buffer->m.offset = buffer->index * PLACE;
      return 0;
    }
    case VIDIOC_QBUF:
      queue[queued++ % BUFFERS] = (int)((struct v4l2_buffer *)argument)->index;
      return 0;
    case VIDIOC_DQBUF: return take_frame(argument);
    case VIDIOC_STREAMON: next_frame = now() + INTERVAL; return 0;
    case VIDIOC_STREAMOFF: queued = 0; return 0;
    default: return ENOTTY;
  }
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  if (descriptor != device || device < 0) return real_ioctl(descriptor, request, argument);
  int error = control(request, argument);
  errno = error;
  return error == 0 ? 0 : -1;
}
