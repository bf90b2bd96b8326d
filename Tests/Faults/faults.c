// A library to preload into `receh run`, in which the libraries beneath it fail as told by
// variables.
//
//   RECEH_FAULT_SPOKEN=FILE   what is handed to espeak-ng is appended to FILE, a line each
//   RECEH_FAULT_HANG=FILE     speaking hangs once, if FILE is there, and takes it away
//   RECEH_FAULT_CRASH=FILE    speaking crashes once, if FILE is there, and takes it away
//   RECEH_FAULT_DATA=FILE     espeak-ng finds no data as long as FILE is there
//   RECEH_FAULT_VOICE=1       espeak-ng has no voice of any language, and crashes if made to speak
//   RECEH_FAULT_GONE=FILE     the sound device is gone once, if FILE is there, and takes it away
//   RECEH_FAULT_THREAD=1      no thread can be started
//   RECEH_FAULT_MEMORY=N      there is no memory for exactly N bytes
//   RECEH_FAULT_FORK=1        no process can be forked
#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);

typedef int synthesize(const void *text, size_t size, unsigned position, int position_type,
                       unsigned end, unsigned flags, unsigned *identifier, void *context);

// Whether a file named by a variable was there; it is taken away.
static int takes(const char *name) {
  const char *path = getenv(name);
  return path && unlink(path) == 0;
}

static void note(const char *text) {
  const char *path = getenv("RECEH_FAULT_SPOKEN");
  if (!path) return;
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  char line[512];
  size_t length = strnlen(text, sizeof line - 1);
  memcpy(line, text, length);
  line[length] = '\n';
  if (write(file, line, length + 1) < 0) abort();
  close(file);
}

int espeak_ng_Synthesize(const void *text, size_t size, unsigned position, int position_type,
                         unsigned end, unsigned flags, unsigned *identifier, void *context) {
  if (getenv("RECEH_FAULT_VOICE")) abort();
  note(text);
  if (takes("RECEH_FAULT_HANG")) {
    while (1) pause();
  }
  if (takes("RECEH_FAULT_CRASH")) abort();
  synthesize *next = (synthesize *)dlsym(RTLD_NEXT, "espeak_ng_Synthesize");
  return next(text, size, position, position_type, end, flags, identifier, context);
}

int espeak_ng_Initialize(void *context) {
  const char *path = getenv("RECEH_FAULT_DATA");
  if (path && access(path, F_OK) == 0) return 0x100002FF;
  int (*next)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "espeak_ng_Initialize");
  return next(context);
}

int espeak_ng_SetVoiceByName(const char *name) {
  if (getenv("RECEH_FAULT_VOICE")) return 0x10000DFF;
  int (*next)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "espeak_ng_SetVoiceByName");
  return next(name);
}

long snd_pcm_avail(void *device) {
  if (takes("RECEH_FAULT_GONE")) return -ENODEV;
  long (*next)(void *) = (long (*)(void *))dlsym(RTLD_NEXT, "snd_pcm_avail");
  return next(device);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *context) {
  if (getenv("RECEH_FAULT_THREAD")) return EAGAIN;
  int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
          RTLD_NEXT, "pthread_create");
  return next(thread, attributes, body, context);
}

pid_t fork(void) {
  if (getenv("RECEH_FAULT_FORK")) {
    errno = EAGAIN;
    return -1;
  }
  pid_t (*next)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
  return next();
}

void *malloc(size_t size) {
  const char *refused = getenv("RECEH_FAULT_MEMORY");
  if (refused && size == strtoul(refused, NULL, 10)) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_malloc(size);
}
