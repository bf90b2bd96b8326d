#define _GNU_SOURCE
#include "csystem_service.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int csystem_service_socket(void) {
  const char *name = getenv("NOTIFY_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!name || (name[0] != '/' && name[0] != '@')) return -1;
  size_t length = strlen(name);
  if (length >= sizeof address.sun_path) return -1;
  memcpy(address.sun_path, name, length);
  // An abstract name begins with a NUL.
  if (name[0] == '@') address.sun_path[0] = 0;
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  if (connect(descriptor, (struct sockaddr *)&address, size) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

void csystem_service_send(int socket, const void *bytes, size_t count) {
  while (send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
  }
}

// The whole number that is all of a variable, or -1.
static long long number(const char *name) {
  const char *text = getenv(name);
  if (!text || text[0] < '0' || text[0] > '9') return -1;
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  return errno == 0 && *end == 0 ? value : -1;
}

long long csystem_service_watchdog(void) {
  long long interval = number("WATCHDOG_USEC");
  // Meant for another process when it names one.
  if (getenv("WATCHDOG_PID") && number("WATCHDOG_PID") != getpid()) return 0;
  return interval > 0 ? interval : 0;
}

bool csystem_is_journal(int descriptor) {
  const char *text = getenv("JOURNAL_STREAM");
  unsigned long long device, inode;
  struct stat status;
  return text && sscanf(text, "%llu:%llu", &device, &inode) == 2 &&
         fstat(descriptor, &status) == 0 && status.st_dev == device && status.st_ino == inode;
}
