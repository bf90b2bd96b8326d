// The process's command line and its options, errors and memory, as Swift can use them.
#pragma once
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>

/// Number of entries of `csystem_arguments()`, the command's own name included.
int csystem_argument_count(void);
/// The command line as the kernel gave it; option parsing moves its pointers.
char **csystem_arguments(void);

/// The index of the argument that option parsing will look at next.
static inline int csystem_option_index(void) { return optind; }
/// The value of the option just parsed, or null.
static inline const char *csystem_option_value(void) { return optarg; }
/// The short option, or a long option's `val`, that the last failure is about; 0 for an unknown
/// long option.
static inline int csystem_option_failed(void) { return optopt; }
/// Forgets earlier parsing, and leaves it to the caller to tell of failures.
static inline void csystem_option_restart(void) {
  optind = 0;
  opterr = 0;
}

/// Makes a write to a pipe without a reader fail with EPIPE instead of ending the process.
void csystem_ignore_broken_pipes(void);
/// What an `errno` means, in English.
const char *csystem_error_text(int error_number);
/// `open(2)` of a file to be written, made or emptied; never waits for a pipe's reader.
/// Returns a descriptor, or -1 with `errno` set.
int csystem_create(const char *path);
/// Opens /dev/null in the place of each standard descriptor that is closed, so that no file opened
/// later takes its place. What is written there still fails, with EBADF.
void csystem_fill_standard_descriptors(void);
/// Waits until `descriptor` can be written to.
void csystem_wait_writable(int descriptor);
/// Maps `count` bytes of a file into memory, to be read only. Null with `errno` set on failure.
const void *csystem_map(int descriptor, size_t count);
/// Gives a mapping back.
void csystem_unmap(const void *base, size_t count);
