// The trained model, linked into the binary.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// First byte of the built-in model file, aligned to 64 bytes.
extern const uint8_t cmodel_bytes[];
/// Size of the built-in model file in bytes.
extern const size_t cmodel_size;
/// `cmodel_bytes`, for Swift, which does not import arrays of unknown size.
static inline const uint8_t *cmodel_start(void) { return cmodel_bytes; }
