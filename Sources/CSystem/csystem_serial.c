#include "csystem_serial.h"

#include "csystem_device.h"

// Not <termios.h>, whose structure has fixed rates only.
#include <asm/ioctls.h>
#include <asm/termbits.h>

const unsigned long csystem_serial_get_request = TCGETS2;
const unsigned long csystem_serial_set_request = TCSETS2;
const unsigned long csystem_serial_discard_request = TCFLSH;
const unsigned long csystem_serial_unsent_request = TIOCOUTQ;

int csystem_serial_configure(int descriptor, uint32_t baud, uint32_t *actual) {
  struct termios2 settings;
  if (csystem_device_ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
  // A broken line or a wrong rate gives breaks and bad bytes, which are no commands.
  settings.c_iflag = IGNBRK | IGNPAR;
  settings.c_oflag = 0;
  settings.c_lflag = 0;
  // The input's rate, whose bits are all zero, follows the output's.
  settings.c_cflag = CS8 | CREAD | CLOCAL | BOTHER;
  settings.c_ispeed = baud;
  settings.c_ospeed = baud;
  settings.c_cc[VMIN] = 1;
  settings.c_cc[VTIME] = 0;
  if (csystem_device_ioctl(descriptor, TCSETS2, &settings) != 0) return -1;
  if (csystem_device_ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
  *actual = settings.c_ospeed;
  return 0;
}

int csystem_serial_discard(int descriptor) {
  return csystem_device_ioctl(descriptor, TCFLSH, (void *)(uintptr_t)TCIOFLUSH);
}

int csystem_serial_unsent(int descriptor) {
  int count = 0;
  return csystem_device_ioctl(descriptor, TIOCOUTQ, &count) == 0 ? count : -1;
}
