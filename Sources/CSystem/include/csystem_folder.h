// Folders, as Swift can read them.
#pragma once
#include <dirent.h>
#include <strings.h>

/// The next name in an open folder, until the next call; null at the end.
static inline const char *csystem_next_name(DIR *folder) {
  struct dirent *entry = readdir(folder);
  return entry ? entry->d_name : 0;
}
