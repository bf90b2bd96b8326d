#define _DEFAULT_SOURCE

#include "csystem_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

static int argument_count;
static char **arguments;

// glibc gives every constructor the command line; Embedded Swift has no CommandLine.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int csystem_argument_count(void) { return argument_count; }

char **csystem_arguments(void) { return arguments; }

void csystem_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

void csystem_fill_standard_descriptors(void) {
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    // The lowest free number is the one given.
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0) return;
  }
}

const char *csystem_error_text(int error_number) { return strerror(error_number); }

int csystem_create(const char *path) {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
}

void csystem_wait_writable(int descriptor) {
  struct pollfd waiting = {.fd = descriptor, .events = POLLOUT};
  poll(&waiting, 1, -1);
}

const void *csystem_map(int descriptor, size_t count) {
  void *base = mmap(NULL, count, PROT_READ, MAP_PRIVATE, descriptor, 0);
  return base == MAP_FAILED ? NULL : base;
}

void csystem_unmap(const void *base, size_t count) { munmap((void *)base, count); }
