// Threads, semaphores, signals and clocks, as Swift can use them.
#pragma once
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// Milliseconds of the monotonic clock.
int64_t csystem_monotonic_milliseconds(void);
/// Microseconds of the monotonic clock.
int64_t csystem_monotonic_microseconds(void);
/// Sleeps for `milliseconds`, or less when a signal comes.
void csystem_sleep(int64_t milliseconds);
/// Waits at most `milliseconds` for the semaphore; returns whether it was taken. Signals do not
/// end the wait.
bool csystem_semaphore_wait(sem_t *semaphore, int64_t milliseconds);
/// Waits at most `milliseconds` for `thread` to end; returns whether it has.
bool csystem_join(pthread_t thread, int64_t milliseconds);
/// Keeps SIGHUP and SIGUSR1 pending instead of ending the process, in this thread and in those it
/// starts.
void csystem_hold_requests(void);
/// Whether `signal` has been held since the last call; it is one of those that are.
bool csystem_take_signal(int signal);
/// Keeps SIGINT and SIGTERM pending instead of ending the process, in this thread and in those
/// it starts.
void csystem_hold_stop_signals(void);
/// Whether SIGINT or SIGTERM has been held since the last call.
bool csystem_take_stop_signal(void);
/// Whether SIGINT or SIGTERM is held; it stays so.
bool csystem_is_stop_held(void);
/// Waits at most `milliseconds` until `descriptor` can be written to or a write fails; returns
/// `false` when the time is over or SIGINT or SIGTERM is held, which stays so.
bool csystem_wait_writable_unless_stopped(int descriptor, int64_t milliseconds);
/// Whether `descriptor` is a terminal.
bool csystem_is_terminal(int descriptor);
