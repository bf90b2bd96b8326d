/* show-frames CAMERA OUTPUT FILE: makes a camera of the kernel's vivid driver show pictures.
 *
 * Connects OUTPUT, a vivid HDMI output, to CAMERA, a vivid HDMI input, sets both to 640x480, and
 * then gives the YUYV picture that is in FILE now to the output, again and again. Whoever replaces
 * FILE by renaming another onto it changes what the camera sees. */
#include <fcntl.h>
#include <linux/v4l2-dv-timings.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { width = 640, height = 480, size = width * height * 2, most = 8 };

static int fail(const char *what) {
  perror(what);
  return 1;
}

/* Sets the control whose name holds this to the menu's item that holds that; -1 without one. */
static int choose(int camera, const char *name, const char *item) {
  struct v4l2_queryctrl control = {.id = V4L2_CTRL_FLAG_NEXT_CTRL};
  while (ioctl(camera, VIDIOC_QUERYCTRL, &control) == 0) {
    if (control.type == V4L2_CTRL_TYPE_MENU && strstr((char *)control.name, name)) {
      for (int index = control.minimum; index <= control.maximum; index++) {
        struct v4l2_querymenu menu = {.id = control.id, .index = (unsigned)index};
        if (ioctl(camera, VIDIOC_QUERYMENU, &menu) || !strstr((char *)menu.name, item)) continue;
        struct v4l2_control value = {.id = control.id, .value = index};
        return ioctl(camera, VIDIOC_S_CTRL, &value);
      }
    }
    control.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
  }
  return -1;
}

/* Hands a buffer with the picture that is in the file now to the output; a missing file leaves the
 * picture that is in the buffer. */
static int show(int output, unsigned index, void *picture, const char *path) {
  int file = open(path, O_RDONLY);
  if (file >= 0) {
    if (read(file, picture, size) != size) return fail(path);
    close(file);
  }
  struct v4l2_buffer buffer = {
      .index = index, .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP,
      .field = V4L2_FIELD_NONE, .bytesused = size};
  return ioctl(output, VIDIOC_QBUF, &buffer) ? fail("giving a buffer to the output") : 0;
}

int main(int count, char **words) {
  if (count != 4) {
    fprintf(stderr, "usage: show-frames CAMERA OUTPUT FILE\n");
    return 2;
  }
  int camera = open(words[1], O_RDWR), output = open(words[2], O_RDWR);
  if (camera < 0) return fail(words[1]);
  if (output < 0) return fail(words[2]);

  struct v4l2_dv_timings timings = V4L2_DV_BT_CEA_640X480P59_94;
  if (ioctl(output, VIDIOC_S_DV_TIMINGS, &timings)) return fail("timings of the output");
  /* The driver writes the time into every picture otherwise, which is motion. */
  if (choose(camera, "OSD Text Mode", "None")) return fail("switching the camera's text off");
  if (choose(camera, "Is Connected To", "HDMI")) return fail("connecting the camera to the output");
  if (ioctl(camera, VIDIOC_S_DV_TIMINGS, &timings)) return fail("timings of the camera");

  struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
  format.fmt.pix.width = width;
  format.fmt.pix.height = height;
  format.fmt.pix.pixelformat = V4L2_PIX_FMT_YUYV;
  format.fmt.pix.field = V4L2_FIELD_NONE;
  format.fmt.pix.colorspace = V4L2_COLORSPACE_SMPTE170M;
  if (ioctl(output, VIDIOC_S_FMT, &format)) return fail("format of the output");
  if (format.fmt.pix.sizeimage != size || format.fmt.pix.pixelformat != V4L2_PIX_FMT_YUYV) {
    fprintf(stderr, "the output takes %u bytes of another format\n", format.fmt.pix.sizeimage);
    return 1;
  }
  close(camera);

  /* Streamed rather than written: the driver takes the field and the length of each picture. */
  struct v4l2_requestbuffers request = {
      .count = 3, .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP};
  if (ioctl(output, VIDIOC_REQBUFS, &request)) return fail("buffers of the output");
  if (request.count > most) request.count = most;
  void *pictures[most];
  int type = V4L2_BUF_TYPE_VIDEO_OUTPUT, shown = 0;
  for (unsigned index = 0; index < request.count; index++) {
    struct v4l2_buffer buffer = {.index = index, .type = request.type, .memory = request.memory};
    if (ioctl(output, VIDIOC_QUERYBUF, &buffer)) return fail("a buffer of the output");
    pictures[index] =
        mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, output, buffer.m.offset);
    if (pictures[index] == MAP_FAILED) return fail("memory of the output");
    if (show(output, index, pictures[index], words[3])) return 1;
  }
  if (ioctl(output, VIDIOC_STREAMON, &type)) return fail("starting the output");
  for (;;) {
    struct v4l2_buffer buffer = {.type = request.type, .memory = request.memory};
    if (ioctl(output, VIDIOC_DQBUF, &buffer)) return fail("taking a buffer back");
    if (show(output, buffer.index, pictures[buffer.index], words[3])) return 1;
    if (!shown++) {
      puts("showing");
      fflush(stdout);
    }
  }
}
