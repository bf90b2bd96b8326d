#define _GNU_SOURCE
#include "csystem_probe.h"

#include <errno.h>
#include <grp.h>
#include <linux/gpio.h>
#include <linux/videodev2.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csystem_device.h"

static void copy(char *to, const void *from, size_t size) {
  memcpy(to, from, size);
  to[size] = 0;
}

bool csystem_video_ask(int descriptor, struct csystem_video *video) {
  struct v4l2_capability answer = {0};
  if (csystem_device_ioctl(descriptor, VIDIOC_QUERYCAP, &answer) != 0) return false;
  copy(video->driver, answer.driver, sizeof answer.driver);
  copy(video->card, answer.card, sizeof answer.card);
  copy(video->bus, answer.bus_info, sizeof answer.bus_info);
  uint32_t abilities = answer.capabilities & V4L2_CAP_DEVICE_CAPS ? answer.device_caps
                                                                  : answer.capabilities;
  video->is_multiplanar = abilities & V4L2_CAP_VIDEO_CAPTURE_MPLANE;
  video->captures = video->is_multiplanar || abilities & V4L2_CAP_VIDEO_CAPTURE;
  video->streams = abilities & V4L2_CAP_STREAMING;
  return true;
}

bool csystem_video_format_ask(int descriptor, bool is_multiplanar, uint32_t index,
                              struct csystem_video_format *format) {
  struct v4l2_fmtdesc answer = {
      .index = index,
      .type = is_multiplanar ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE};
  if (csystem_device_ioctl(descriptor, VIDIOC_ENUM_FMT, &answer) != 0) return false;
  copy(format->description, answer.description, sizeof answer.description);
  for (int place = 0; place < 4; place++) {
    format->code[place] = (char)(answer.pixelformat >> 8 * place & 0x7f);
  }
  format->code[4] = 0;
  format->number = answer.pixelformat;
  return true;
}

// The highest rate of a size, in thousandths of a frame a second; 0 when unknown.
static uint32_t highest_rate(int descriptor, uint32_t format, uint32_t width, uint32_t height) {
  uint64_t highest = 0;
  // No camera has so many; a driver that never ends its list ends here.
  for (uint32_t index = 0; index < 64; index++) {
    struct v4l2_frmivalenum answer = {
        .index = index, .pixel_format = format, .width = width, .height = height};
    if (csystem_device_ioctl(descriptor, VIDIOC_ENUM_FRAMEINTERVALS, &answer) != 0) break;
    bool is_discrete = answer.type == V4L2_FRMIVAL_TYPE_DISCRETE;
    struct v4l2_fract interval = is_discrete ? answer.discrete : answer.stepwise.min;
    if (interval.numerator > 0) {
      uint64_t rate = 1000ULL * interval.denominator / interval.numerator;
      if (rate > highest) highest = rate;
    }
    if (!is_discrete) break;
  }
  return highest > UINT32_MAX ? UINT32_MAX : (uint32_t)highest;
}

bool csystem_video_size_ask(int descriptor, uint32_t format, uint32_t index,
                            struct csystem_video_size *size) {
  struct v4l2_frmsizeenum answer = {.index = index, .pixel_format = format};
  if (csystem_device_ioctl(descriptor, VIDIOC_ENUM_FRAMESIZES, &answer) != 0) return false;
  size->is_most = answer.type != V4L2_FRMSIZE_TYPE_DISCRETE;
  // A range of sizes is one answer.
  if (size->is_most && index > 0) return false;
  size->width = size->is_most ? answer.stepwise.max_width : answer.discrete.width;
  size->height = size->is_most ? answer.stepwise.max_height : answer.discrete.height;
  size->rate = highest_rate(descriptor, format, size->width, size->height);
  return true;
}

bool csystem_gpio_ask(int descriptor, struct csystem_gpio_chip *chip) {
  struct gpiochip_info answer = {0};
  if (csystem_device_ioctl(descriptor, GPIO_GET_CHIPINFO_IOCTL, &answer) != 0) return false;
  copy(chip->name, answer.name, sizeof answer.name);
  copy(chip->label, answer.label, sizeof answer.label);
  chip->lines = answer.lines;
  return true;
}

bool csystem_may_use(const char *path) { return access(path, R_OK | W_OK) == 0; }

static void name_user(uid_t user, char name[33]) {
  struct passwd *entry = getpwuid(user);
  if (entry) {
    snprintf(name, 33, "%s", entry->pw_name);
  } else {
    snprintf(name, 33, "%u", user);
  }
}

static void name_group(gid_t group, char name[33]) {
  struct group *entry = getgrgid(group);
  if (entry) {
    snprintf(name, 33, "%s", entry->gr_name);
  } else {
    snprintf(name, 33, "%u", group);
  }
}

bool csystem_owner(const char *path, char owner[33], char group[33], uint32_t *mode) {
  struct stat status;
  if (stat(path, &status) != 0) return false;
  name_user(status.st_uid, owner);
  name_group(status.st_gid, group);
  *mode = status.st_mode & 07777;
  return true;
}

void csystem_user(char name[33]) { name_user(geteuid(), name); }

bool csystem_group(int index, char name[33]) {
  enum { MOST = 256 };
  gid_t groups[MOST];
  int count = getgroups(MOST, groups);
  if (index >= count) return false;
  name_group(groups[index], name);
  return true;
}
