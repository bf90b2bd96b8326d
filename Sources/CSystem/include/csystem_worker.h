// Processes of the program's own that share memory with it, as Swift can use them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/// Maps `count` bytes of zeros that stay shared with processes forked later. Null when there is no
/// memory. Given back by `csystem_unmap`.
void *csystem_map_shared(size_t count);
/// Makes a stream between two ends, neither of which ever waits. Returns one end and puts the other
/// into `other`; -1 with `errno` set on failure.
int csystem_pair(int *other);
/// Forks a process that is out of the way of this one: its standard streams lead nowhere, every
/// other descriptor but `first` and `second` (-1 for none) is closed, and it ignores the signals
/// meant for the whole group, so that it ends when told to or when its end of a stream is closed.
/// SIGALRM ends it. Returns as fork(2) does.
pid_t csystem_fork_apart(int first, int second);
/// How a child that has ended did so: its exit status from 0 to 255, or -1 - S after signal S.
int csystem_wait_child(pid_t child);
/// Ends a process at once and without clearing up.
void csystem_end_process(pid_t process);
/// Waits at most `milliseconds`, for ever if negative, until bytes can be read from an end of a
/// stream or no process holds the other any more.
void csystem_wait_readable(int end, int milliseconds);
/// Waits at most `milliseconds` until no process holds the other end of a stream any more, or
/// SIGINT or SIGTERM is held, which stays so. Returns whether the other end is closed.
bool csystem_wait_closed_unless_stopped(int end, int milliseconds);
/// Passes one byte to the other end, or drops it when the stream is full or closed.
void csystem_send_byte(int end, unsigned char byte);
/// Takes one byte: its value, -1 when there is none now, -2 when the other end is closed.
int csystem_take_byte(int end);
/// Tells the other end that nothing more will come, and keeps this one open for what comes back.
void csystem_close_writing(int end);
