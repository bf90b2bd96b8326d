// Decodes the JPEG pictures of a camera, one after the other, in memory given once: libjpeg's own
// memory manager would allocate for each. libjpeg reports errors by longjmp, too, which Swift code
// must not be jumped over.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Bytes of memory a decoder works in, aligned to 64: enough for any baseline picture up to 4096
/// pixels wide (a row of 16 × 16 blocks and its neighbours in three components, and tables).
enum { CMOTIONJPEG_MEMORY = 1 << 20 };

/// How decoding a picture went.
enum cmotionjpeg_result {
  /// The picture is whole.
  CMOTIONJPEG_WHOLE = 0,
  /// The picture is damaged, or ends early, or is of a kind no camera sends; pixels are undefined.
  CMOTIONJPEG_DAMAGED = 1,
  /// The picture has another size than was asked for; no pixel was written.
  CMOTIONJPEG_OTHER_SIZE = 2,
};

/// A decoder, made and freed by the caller.
struct cmotionjpeg_decoder;

/// Makes a decoder in `CMOTIONJPEG_MEMORY` bytes aligned to 64, which must outlive it; null when
/// libjpeg finds no memory for its own state.
struct cmotionjpeg_decoder *cmotionjpeg_make(void *memory);
/// Frees what the decoder took besides its memory; null is allowed.
void cmotionjpeg_free(struct cmotionjpeg_decoder *decoder);
/// Decodes one picture to red, green, blue. Allocates nothing.
///
/// A few extraneous bytes before the end marker are ordinary and anything after it is passed over;
/// missing Huffman tables are the usual ones of motion JPEG.
enum cmotionjpeg_result cmotionjpeg_decode(struct cmotionjpeg_decoder *decoder,
                                           const uint8_t *bytes, size_t count, uint32_t width,
                                           uint32_t height, uint8_t *pixels, size_t stride);
/// Most bytes of its memory the decoder has used so far.
size_t cmotionjpeg_memory_used(const struct cmotionjpeg_decoder *decoder);
