// Serial lines at any rate, which the C library's own functions do not offer.
#pragma once
#include <stdint.h>

/// Makes a tty raw, 8 data bits, no parity, 1 stop bit, no flow control and no modem lines, at
/// `baud` bits a second in both directions, and puts the rate the driver really has into `actual`.
/// Returns 0, or -1 with `errno` set: ENOTTY when it is no tty.
int csystem_serial_configure(int descriptor, uint32_t baud, uint32_t *actual);
/// Throws away what has been written and not sent yet, so that closing the tty does not wait for a
/// reader that is gone.
int csystem_serial_discard(int descriptor);
/// How many bytes have been written and not sent yet, or -1.
int csystem_serial_unsent(int descriptor);

/// The control calls made, for tests that look at them: gets and sets the settings, throws away,
/// and asks what is unsent.
extern const unsigned long csystem_serial_get_request;
extern const unsigned long csystem_serial_set_request;
extern const unsigned long csystem_serial_discard_request;
extern const unsigned long csystem_serial_unsent_request;
