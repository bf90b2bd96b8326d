#include "cgpio.h"

#include "cgpio_library.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

// SwiftPM defines DEBUG in debug builds, which are the ones that tests use. The table belongs to a
// thread, so that tests that run at the same time do not meet.
#ifdef DEBUG
static _Thread_local const struct cgpio_stand_in *stand_in;
void cgpio_stand_in_for_library(const struct cgpio_stand_in *table) { stand_in = table; }
#define STAND_IN(call, ...) \
  if (stand_in) return stand_in->call(stand_in->context, __VA_ARGS__)
#else
void cgpio_stand_in_for_library(const struct cgpio_stand_in *table) { (void)table; }
#define STAND_IN(call, ...) (void)0
#endif

static const struct cgpio_library *library;

// The library is looked for when it is first needed, so that one program runs beside either version
// and, without GPIO, beside none.
static bool find_library(void) {
  const struct cgpio_library *const versions[] = {&cgpio_version2, &cgpio_version1};
  for (int index = 0; !library && index < 2; index++) {
    void *handle = dlopen(versions[index]->name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) continue;
    if (versions[index]->load(handle)) {
      library = versions[index];
    } else {
      dlclose(handle);
    }
  }
  return library != NULL;
}

int cgpio_library_major(void) { return find_library() ? library->major : 0; }

// Whether a chip simply does not have the line.
static bool is_elsewhere(int fault) { return fault == CGPIO_NO_LABEL || fault == CGPIO_NO_NAME; }

// Looks on one chip.
static cgpio_output *look_on(const char *path, const char *label, const char *name, unsigned offset,
                             bool is_active_low, int *fault) {
  struct gpiod_chip *chip = library->open(path);
  if (!chip) {
    *fault = errno;
    return NULL;
  }
  *fault = label ? CGPIO_NO_LABEL : CGPIO_NO_NAME;
  cgpio_output *output = NULL;
  int place = label ? library->offset_by_label(chip, label, offset, fault)
                    : library->offset_by_name(chip, name);
  if (place >= 0) output = library->request(chip, (unsigned)place, is_active_low, fault);
  if (!output) library->close(chip);
  return output;
}

cgpio_output *cgpio_output_open(const char *label, const char *name, unsigned offset,
                                bool is_active_low, int *fault) {
  STAND_IN(open, label, name, offset, is_active_low, fault);
  *fault = CGPIO_NO_LIBRARY;
  if (!find_library()) return NULL;
  *fault = CGPIO_NO_CHIP;
  DIR *devices = opendir("/dev");
  if (!devices) return NULL;
  cgpio_output *output = NULL;
  struct dirent *entry;
  while (!output && (entry = readdir(devices))) {
    char path[32];
    if (strncmp(entry->d_name, "gpiochip", 8) != 0) continue;
    if (snprintf(path, sizeof path, "/dev/%s", entry->d_name) >= (int)sizeof path) continue;
    int here;
    output = look_on(path, label, name, offset, is_active_low, &here);
    // A line found and refused, or a chip that may not be looked at, says more than the chips that
    // the line is not on.
    if (!output && (*fault == CGPIO_NO_CHIP || is_elsewhere(*fault))) *fault = here;
  }
  closedir(devices);
  return output;
}

int cgpio_output_set(cgpio_output *output, bool is_active) {
  STAND_IN(set, output, is_active);
  return library->set(output, is_active);
}

void cgpio_output_close(cgpio_output *output) {
  STAND_IN(close, output);
  library->release(output);
}
