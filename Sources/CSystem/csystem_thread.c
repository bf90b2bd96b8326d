#define _GNU_SOURCE
#include "csystem_thread.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

static struct timespec later(clockid_t clock, int64_t milliseconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += milliseconds / 1000;
  time.tv_nsec += milliseconds % 1000 * 1000000;
  if (time.tv_nsec >= 1000000000) {
    time.tv_nsec -= 1000000000;
    time.tv_sec += 1;
  }
  return time;
}

int64_t csystem_monotonic_milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int64_t csystem_monotonic_microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

void csystem_sleep(int64_t milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

bool csystem_semaphore_wait(sem_t *semaphore, int64_t milliseconds) {
  struct timespec end = later(CLOCK_MONOTONIC, milliseconds);
  int result;
  do {
    result = sem_clockwait(semaphore, CLOCK_MONOTONIC, &end);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

bool csystem_join(pthread_t thread, int64_t milliseconds) {
  struct timespec end = later(CLOCK_REALTIME, milliseconds);
  return pthread_timedjoin_np(thread, NULL, &end) == 0;
}

static sigset_t stop_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

void csystem_hold_stop_signals(void) {
  sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

// Whether one of `set` has been held.
static bool take(sigset_t set) {
  struct timespec now = {0, 0};
  return sigtimedwait(&set, NULL, &now) > 0;
}

bool csystem_take_stop_signal(void) { return take(stop_signals()); }

void csystem_hold_requests(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

bool csystem_take_signal(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return take(set);
}

bool csystem_is_stop_held(void) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

bool csystem_wait_writable_unless_stopped(int descriptor, int64_t milliseconds) {
  enum { SLICE = 50 };
  for (int64_t waited = 0; waited < milliseconds; waited += SLICE) {
    struct pollfd waiting = {.fd = descriptor, .events = POLLOUT};
    if (poll(&waiting, 1, SLICE) != 0) return true;
    if (csystem_is_stop_held()) return false;
  }
  return false;
}

bool csystem_is_terminal(int descriptor) { return isatty(descriptor) == 1; }
