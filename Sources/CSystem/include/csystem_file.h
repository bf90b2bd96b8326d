// Files that must survive a power cut, as Swift can use them. Failures are negative `errno`s.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Opens a file to be read and written, made if it is missing, never followed by a child process.
int csystem_file_open(const char *path);
/// Opens a file to be read.
int csystem_file_open_reading(const char *path);
/// Keeps other processes that ask for the same lock out; 0, or -EWOULDBLOCK where one has it.
int csystem_file_lock(int descriptor);
/// The file's size in bytes.
int64_t csystem_file_size(int descriptor);
/// How many names the file has; 0 once it has been deleted.
int csystem_file_names(int descriptor);
/// Reads at `offset`; how many bytes, 0 at the end.
int64_t csystem_file_read(int descriptor, void *bytes, size_t count, int64_t offset);
/// Writes at `offset`; how many bytes, perhaps fewer than asked for.
int64_t csystem_file_write(int descriptor, const void *bytes, size_t count, int64_t offset);
/// Cuts the file to `size` bytes.
int csystem_file_truncate(int descriptor, int64_t size);
/// Waits until the file's bytes and its size are on the disk.
int csystem_file_sync(int descriptor);
/// Waits until the names in the folder of `path` are on the disk.
int csystem_file_sync_folder(const char *path);
/// Gives a file the name `to`, in the place of what had it.
int csystem_file_rename(const char *from, const char *to);
/// Closes a descriptor.
void csystem_file_close(int descriptor);

/// Milliseconds since 1970 by the machine's clock, set or not.
int64_t csystem_clock_milliseconds(void);
/// Milliseconds since the machine was started.
int64_t csystem_boot_milliseconds(void);
/// Minutes by which local time is ahead of UTC at `seconds` since 1970.
int csystem_local_offset(int64_t seconds);
