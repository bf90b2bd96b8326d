// System calls on devices, through one point where a test can stand in for the kernel.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>

/// What a test answers in place of the kernel. Every function gets `context`, and answers as the
/// system call does: -1 (`MAP_FAILED` for `map`) with `errno` set by `csystem_set_errno`.
struct csystem_stand_in {
  void *context;
  int (*open)(void *context, const char *path, int flags);
  int (*close)(void *context, int descriptor);
  ssize_t (*read)(void *context, int descriptor, void *bytes, size_t count);
  ssize_t (*write)(void *context, int descriptor, const void *bytes, size_t count);
  int (*ioctl)(void *context, int descriptor, unsigned long request, void *argument);
  int (*poll)(void *context, struct pollfd *waiting, int milliseconds);
  void *(*map)(void *context, size_t count, int protection, int descriptor, int64_t offset);
  int (*unmap)(void *context, void *base, size_t count);
  int64_t (*milliseconds)(void *context);
};

/// Has the calling thread's device calls answered by `stand_in`, which must stay until it is taken
/// away with null. Only in builds for tests; release builds have no such point and ignore it.
void csystem_stand_in_for_kernel(const struct csystem_stand_in *stand_in);
/// Sets the calling thread's `errno`.
void csystem_set_errno(int error_number);

/// `open(2)` of a device, without creation flags; O_CLOEXEC and O_NOCTTY are added.
int csystem_device_open(const char *path, int flags);
/// `close(2)`.
int csystem_device_close(int descriptor);
/// `read(2)`, begun anew when a signal interrupts it.
ssize_t csystem_device_read(int descriptor, void *bytes, size_t count);
/// `write(2)`, begun anew when a signal interrupts it.
ssize_t csystem_device_write(int descriptor, const void *bytes, size_t count);
/// `ioctl(2)`, begun anew when a signal interrupts it.
int csystem_device_ioctl(int descriptor, unsigned long request, void *argument);
/// `poll(2)` of one descriptor: the events that came, 0 when the time is over, -1 with `errno` set.
int csystem_device_poll(int descriptor, short events, int milliseconds);
/// `mmap(2)`, shared, kept from child processes. `MAP_FAILED` with `errno` set on failure, as
/// `csystem_is_mapped` tells.
void *csystem_device_map(size_t count, int protection, int descriptor, int64_t offset);
/// Whether `csystem_device_map` succeeded.
static inline bool csystem_is_mapped(const void *base) { return base != MAP_FAILED; }
/// `munmap(2)`.
int csystem_device_unmap(void *base, size_t count);
/// Milliseconds of the monotonic clock.
int64_t csystem_device_milliseconds(void);
