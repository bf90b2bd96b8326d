#define _GNU_SOURCE
#include "csystem_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int64_t outcome(int64_t result) { return result < 0 ? -errno : result; }

int csystem_file_open(const char *path) {
  // O_NONBLOCK: a pipe in the file's place must not hold the caller up.
  return (int)outcome(
      open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644));
}

int csystem_file_open_reading(const char *path) {
  return (int)outcome(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
}

int csystem_file_lock(int descriptor) {
  return (int)outcome(flock(descriptor, LOCK_EX | LOCK_NB));
}

int64_t csystem_file_size(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -errno;
  return S_ISREG(status.st_mode) ? status.st_size : -EINVAL;
}

int csystem_file_names(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) != 0 ? -errno : (int)status.st_nlink;
}

int64_t csystem_file_read(int descriptor, void *bytes, size_t count, int64_t offset) {
  return outcome(pread(descriptor, bytes, count, offset));
}

int64_t csystem_file_write(int descriptor, const void *bytes, size_t count, int64_t offset) {
  return outcome(pwrite(descriptor, bytes, count, offset));
}

int csystem_file_truncate(int descriptor, int64_t size) {
  return (int)outcome(ftruncate(descriptor, size));
}

int csystem_file_sync(int descriptor) { return (int)outcome(fsync(descriptor)); }

int csystem_file_sync_folder(const char *path) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 1;
  if (length >= sizeof folder) return -ENAMETOOLONG;
  memcpy(folder, slash ? path : ".", length);
  folder[length] = 0;
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  int result = (int)outcome(fsync(descriptor));
  close(descriptor);
  return result;
}

int csystem_file_rename(const char *from, const char *to) { return (int)outcome(rename(from, to)); }

void csystem_file_close(int descriptor) { close(descriptor); }

static int64_t milliseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int64_t csystem_clock_milliseconds(void) { return milliseconds(CLOCK_REALTIME); }

int64_t csystem_boot_milliseconds(void) { return milliseconds(CLOCK_BOOTTIME); }

int csystem_local_offset(int64_t seconds) {
  time_t time = seconds;
  struct tm local;
  return localtime_r(&time, &local) ? (int)(local.tm_gmtoff / 60) : 0;
}
