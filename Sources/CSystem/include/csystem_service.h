// What a service manager such as systemd and a started program tell each other.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// A datagram socket connected to the service manager that `$NOTIFY_SOCKET` names, a path or, after
/// an `@`, an abstract name; -1 when there is none or it cannot be reached. Sending never waits.
int csystem_service_socket(void);
/// Sends one datagram; one that cannot be sent at once is dropped.
void csystem_service_send(int socket, const void *bytes, size_t count);
/// Microseconds within which the service manager wants to hear of this process, from
/// `$WATCHDOG_USEC`; 0 when it does not.
long long csystem_service_watchdog(void);
/// Whether `descriptor` is the stream to the journal that `$JOURNAL_STREAM` names.
bool csystem_is_journal(int descriptor);
