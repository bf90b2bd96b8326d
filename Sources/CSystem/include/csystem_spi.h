// The control calls of spidev, whose macros Swift cannot import.
#pragma once
#include <linux/spi/spidev.h>
#include <sys/ioctl.h>

/// Takes an 8-bit mode.
static const unsigned long csystem_spi_set_mode = SPI_IOC_WR_MODE;
/// Takes the 8-bit number of bits in a word.
static const unsigned long csystem_spi_set_bits = SPI_IOC_WR_BITS_PER_WORD;
/// Takes the 32-bit clock in hertz.
static const unsigned long csystem_spi_set_speed = SPI_IOC_WR_MAX_SPEED_HZ;
