#define _GNU_SOURCE
#include "csystem_worker.h"

#include "csystem_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

void *csystem_map_shared(size_t count) {
  void *base = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return base == MAP_FAILED ? NULL : base;
}

int csystem_pair(int *other) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) return -1;
  *other = ends[1];
  return ends[0];
}

static void close_from(unsigned first, unsigned last) {
  if (first > last || close_range(first, last, 0) == 0) return;
  // Kernels before 5.9: as many as a process may have by default.
  for (unsigned descriptor = first; descriptor <= last && descriptor < 1024; descriptor++) {
    close((int)descriptor);
  }
}

static void close_others(int first, int second) {
  unsigned low = (unsigned)(first < second ? first : second);
  unsigned high = (unsigned)(first < second ? second : first);
  if (first < 0 || second < 0) low = high = (unsigned)(first < 0 ? second : first);
  close_from(3, low - 1);
  if (low < high) close_from(low + 1, high - 1);
  close_from(high + 1, ~0U);
}

pid_t csystem_fork_apart(int first, int second) {
  pid_t child = fork();
  if (child != 0) return child;
  static const int ignored[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGABRT, SIGUSR1, SIGPIPE};
  for (size_t index = 0; index < sizeof ignored / sizeof ignored[0]; index++) {
    signal(ignored[index], SIG_IGN);
  }
  signal(SIGALRM, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int stream = 0; nowhere >= 0 && stream < 3; stream++) dup2(nowhere, stream);
  close_others(first, second);
  return 0;
}

int csystem_wait_child(pid_t child) {
  int status;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 0;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1 - WTERMSIG(status);
}

void csystem_end_process(pid_t process) {
  if (process > 0) kill(process, SIGKILL);
}

void csystem_wait_readable(int end, int milliseconds) {
  struct pollfd waiting = {.fd = end, .events = POLLIN};
  poll(&waiting, 1, milliseconds);
}

bool csystem_wait_closed_unless_stopped(int end, int milliseconds) {
  enum { SLICE = 20 };
  for (int waited = 0;; waited += SLICE) {
    struct pollfd waiting = {.fd = end, .events = 0};
    if (poll(&waiting, 1, SLICE) > 0) return true;
    if (waited >= milliseconds || csystem_is_stop_held()) return false;
  }
}

void csystem_send_byte(int end, unsigned char byte) {
  while (send(end, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR) {
  }
}

int csystem_take_byte(int end) {
  unsigned char byte;
  ssize_t count;
  do {
    count = recv(end, &byte, 1, MSG_DONTWAIT);
  } while (count < 0 && errno == EINTR);
  if (count == 1) return byte;
  return count < 0 && errno == EAGAIN ? -1 : -2;
}

void csystem_close_writing(int end) { shutdown(end, SHUT_WR); }
