// A library to preload into `receh run`, which counts heap allocations by thread.
//
// The thread that writes the ready event to standard output is the loop's, and from then on until
// it writes the stopped event its allocations are counted apart from those of all other threads.
// The counts, and who called first, are written to the file RECEH_ALLOCATION_REPORT names. With
// RECEH_ALLOCATION_CONTROL set, the loop's thread is made to allocate once, through the C library,
// which a test must see counted.
#define _GNU_SOURCE
#include "allocation_counter.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);
extern ssize_t __write(int descriptor, const void *bytes, size_t count);

// In the static block of each thread, so that reaching it never allocates.
static _Thread_local bool is_loop __attribute__((tls_model("initial-exec")));

static atomic_bool is_ready;
static atomic_long loop_allocations;
static atomic_long loop_frees;
static atomic_long other_allocations;
static void *_Atomic first_caller;

static void count(void *caller) {
  if (!atomic_load(&is_ready)) return;
  if (!is_loop) {
    atomic_fetch_add(&other_allocations, 1);
    return;
  }
  if (atomic_fetch_add(&loop_allocations, 1) == 0) atomic_store(&first_caller, caller);
}

void *malloc(size_t size) {
  count(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(__builtin_return_address(0));
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t number, size_t size) {
  count(__builtin_return_address(0));
  size_t total;
  if (__builtin_mul_overflow(number, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_realloc(memory, total);
}

void *memalign(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
  if (memory && is_loop) atomic_fetch_add(&loop_frees, 1);
  __libc_free(memory);
}

static void report(void) {
  const char *path = getenv("RECEH_ALLOCATION_REPORT");
  if (!path) return;
  const char *caller = "none";
  Dl_info info;
  void *first = atomic_load(&first_caller);
  if (first && dladdr(first, &info) && info.dli_sname) caller = info.dli_sname;
  char text[512];
  int length = snprintf(text, sizeof text, "loop %ld\nfrees %ld\nothers %ld\nfirst %s\n",
                        atomic_load(&loop_allocations), atomic_load(&loop_frees),
                        atomic_load(&other_allocations), caller);
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (length > (int)sizeof text - 1) length = sizeof text - 1;
  if (__write(file, text, (size_t)length) != length) abort();
  close(file);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  static const char ready[] = "{\"event\":\"ready\"";
  static const char stopped[] = "{\"event\":\"stopped\"";
  if (descriptor == 1 && memmem(bytes, count, stopped, sizeof stopped - 1)) {
    is_loop = false;
    report();
  }
  ssize_t written = __write(descriptor, bytes, count);
  if (descriptor == 1 && memmem(bytes, count, ready, sizeof ready - 1)) {
    is_loop = true;
    atomic_store(&is_ready, true);
    if (getenv("RECEH_ALLOCATION_CONTROL")) {
      char *volatile copy = strdup("control");
      free(copy);
    }
  }
  return written;
}
