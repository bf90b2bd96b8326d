#define _GNU_SOURCE
#include "csystem_device.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

void csystem_set_errno(int error_number) { errno = error_number; }

// SwiftPM defines DEBUG in debug builds, which are the ones that tests use. The table belongs to a
// thread, so that tests that run at the same time do not meet.
#ifdef DEBUG
static _Thread_local const struct csystem_stand_in *stand_in;
void csystem_stand_in_for_kernel(const struct csystem_stand_in *table) { stand_in = table; }
#define STAND_IN(call, ...) \
  if (stand_in) return stand_in->call(stand_in->context, ##__VA_ARGS__)
#else
void csystem_stand_in_for_kernel(const struct csystem_stand_in *table) { (void)table; }
#define STAND_IN(call, ...) (void)0
#endif

int csystem_device_open(const char *path, int flags) {
  STAND_IN(open, path, flags | O_CLOEXEC | O_NOCTTY);
  int descriptor;
  do {
    descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

int csystem_device_close(int descriptor) {
  STAND_IN(close, descriptor);
  // Never begun anew: the descriptor is free afterwards whatever close says.
  return close(descriptor);
}

ssize_t csystem_device_read(int descriptor, void *bytes, size_t count) {
  STAND_IN(read, descriptor, bytes, count);
  ssize_t result;
  do {
    result = read(descriptor, bytes, count);
  } while (result < 0 && errno == EINTR);
  return result;
}

ssize_t csystem_device_write(int descriptor, const void *bytes, size_t count) {
  STAND_IN(write, descriptor, bytes, count);
  ssize_t result;
  do {
    result = write(descriptor, bytes, count);
  } while (result < 0 && errno == EINTR);
  return result;
}

int csystem_device_ioctl(int descriptor, unsigned long request, void *argument) {
  STAND_IN(ioctl, descriptor, request, argument);
  int result;
  do {
    result = ioctl(descriptor, request, argument);
  } while (result < 0 && errno == EINTR);
  return result;
}

int csystem_device_poll(int descriptor, short events, int milliseconds) {
  struct pollfd waiting = {.fd = descriptor, .events = events};
  int result;
#ifdef DEBUG
  if (stand_in) {
    result = stand_in->poll(stand_in->context, &waiting, milliseconds);
    return result > 0 ? waiting.revents : result;
  }
#endif
  result = poll(&waiting, 1, milliseconds);
  // A signal ends the wait as the end of its time would, so that whoever waits can look at it.
  if (result < 0 && errno == EINTR) return 0;
  return result > 0 ? waiting.revents : result;
}

void *csystem_device_map(size_t count, int protection, int descriptor, int64_t offset) {
  STAND_IN(map, count, protection, descriptor, offset);
  void *base = mmap(NULL, count, protection, MAP_SHARED, descriptor, offset);
  // A child that kept it would keep the device from being opened anew.
  if (base != MAP_FAILED) madvise(base, count, MADV_DONTFORK);
  return base;
}

int csystem_device_unmap(void *base, size_t count) {
  STAND_IN(unmap, base, count);
  return munmap(base, count);
}

int64_t csystem_device_milliseconds(void) {
  STAND_IN(milliseconds);
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}
