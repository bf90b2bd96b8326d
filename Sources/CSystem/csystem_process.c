#define _DEFAULT_SOURCE

#include "csystem_process.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>

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

const char *csystem_error_text(int error_number) { return strerror(error_number); }

int csystem_create(const char *path) {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
}
