#include "cmotionjpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// What libjpeg's vector code wants of rows and their beginnings.
enum { ALIGNMENT = 64 };
// Bytes some cameras leave between the picture's last bits and its end marker; more of them are
// pixels that damage has made unreadable.
enum { ORDINARY_PADDING = 16 };

struct cmotionjpeg_decoder {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr error;
  jmp_buf failure;
  int is_damaged;
  // What lasts for one picture grows from the bottom, what lasts for ever from the top.
  uint8_t *bottom, *top;
  uint8_t *first;
  size_t used;
  size_t total;
};

static struct cmotionjpeg_decoder *owner(j_common_ptr jpeg) { return jpeg->client_data; }

static void fail(j_common_ptr jpeg) { longjmp(owner(jpeg)->failure, 1); }

static void note(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  const struct jpeg_error_mgr *error = jpeg->err;
  bool is_ordinary = error->msg_code == JWRN_EXTRANEOUS_DATA &&
                     error->msg_parm.i[0] <= ORDINARY_PADDING && error->msg_parm.i[1] == 0xd9;
  if (!is_ordinary && error->msg_code != JWRN_ADOBE_XFORM && error->msg_code != JWRN_JFIF_MAJOR) {
    owner(jpeg)->is_damaged = 1;
  }
}

static void be_quiet(j_common_ptr jpeg) { (void)jpeg; }

static void *take(j_common_ptr jpeg, int pool, size_t size) {
  struct cmotionjpeg_decoder *decoder = owner(jpeg);
  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (size > (size_t)(decoder->top - decoder->bottom)) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 0);
  void *memory = decoder->bottom;
  if (pool == JPOOL_PERMANENT) {
    decoder->top -= size;
    memory = decoder->top;
  } else {
    decoder->bottom += size;
  }
  size_t used = decoder->total - (size_t)(decoder->top - decoder->bottom);
  if (used > decoder->used) decoder->used = used;
  return memory;
}

static JSAMPARRAY take_samples(j_common_ptr jpeg, int pool, JDIMENSION columns, JDIMENSION rows) {
  // The vector code writes up to two vectors at once.
  size_t width = ((size_t)columns + 2 * ALIGNMENT - 1) / (2 * ALIGNMENT) * (2 * ALIGNMENT);
  JSAMPARRAY list = take(jpeg, pool, rows * sizeof *list);
  JSAMPROW samples = take(jpeg, pool, rows * width * sizeof *samples);
  for (JDIMENSION row = 0; row < rows; row++) list[row] = samples + row * width;
  return list;
}

static JBLOCKARRAY take_blocks(j_common_ptr jpeg, int pool, JDIMENSION columns, JDIMENSION rows) {
  JBLOCKARRAY list = take(jpeg, pool, rows * sizeof *list);
  JBLOCKROW blocks = take(jpeg, pool, (size_t)rows * columns * sizeof *blocks);
  for (JDIMENSION row = 0; row < rows; row++) list[row] = blocks + row * (size_t)columns;
  return list;
}

// Only pictures in several scans ask for whole arrays; no camera sends them.
static jvirt_sarray_ptr refuse_samples(j_common_ptr jpeg, int pool, boolean is_zero,
                                       JDIMENSION columns, JDIMENSION rows, JDIMENSION most) {
  (void)pool, (void)is_zero, (void)columns, (void)rows, (void)most;
  ERREXIT(jpeg, JERR_NOT_COMPILED);
  return NULL;
}

static jvirt_barray_ptr refuse_blocks(j_common_ptr jpeg, int pool, boolean is_zero,
                                      JDIMENSION columns, JDIMENSION rows, JDIMENSION most) {
  (void)pool, (void)is_zero, (void)columns, (void)rows, (void)most;
  ERREXIT(jpeg, JERR_NOT_COMPILED);
  return NULL;
}

static void give_back(j_common_ptr jpeg, int pool) {
  if (pool == JPOOL_IMAGE) owner(jpeg)->bottom = owner(jpeg)->first;
}

struct cmotionjpeg_decoder *cmotionjpeg_make(void *memory) {
  struct cmotionjpeg_decoder *decoder = memory;
  memset(decoder, 0, sizeof *decoder);
  size_t taken = (sizeof *decoder + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  decoder->first = (uint8_t *)memory + taken;
  decoder->bottom = decoder->first;
  decoder->top = (uint8_t *)memory + CMOTIONJPEG_MEMORY;
  decoder->total = CMOTIONJPEG_MEMORY - taken;
  struct jpeg_decompress_struct *jpeg = &decoder->jpeg;
  jpeg->err = jpeg_std_error(&decoder->error);
  decoder->error.error_exit = fail;
  decoder->error.emit_message = note;
  decoder->error.output_message = be_quiet;
  // Creating the state clears all but these.
  jpeg->client_data = decoder;
  if (setjmp(decoder->failure) != 0) return NULL;
  jpeg_create_decompress(jpeg);
  struct jpeg_memory_mgr *manager = jpeg->mem;
  manager->alloc_small = take;
  manager->alloc_large = take;
  manager->alloc_sarray = take_samples;
  manager->alloc_barray = take_blocks;
  manager->request_virt_sarray = refuse_samples;
  manager->request_virt_barray = refuse_blocks;
  manager->free_pool = give_back;
  return decoder;
}

void cmotionjpeg_free(struct cmotionjpeg_decoder *decoder) {
  if (decoder == NULL) return;
  if (setjmp(decoder->failure) == 0) jpeg_destroy_decompress(&decoder->jpeg);
}

enum cmotionjpeg_result cmotionjpeg_decode(struct cmotionjpeg_decoder *decoder,
                                           const uint8_t *bytes, size_t count, uint32_t width,
                                           uint32_t height, uint8_t *pixels, size_t stride) {
  struct jpeg_decompress_struct *jpeg = &decoder->jpeg;
  decoder->is_damaged = 0;
  if (setjmp(decoder->failure) != 0) {
    jpeg_abort_decompress(jpeg);
    return CMOTIONJPEG_DAMAGED;
  }
  jpeg_mem_src(jpeg, bytes, count);
  jpeg_read_header(jpeg, TRUE);
  if (jpeg->image_width != width || jpeg->image_height != height) {
    jpeg_abort_decompress(jpeg);
    return CMOTIONJPEG_OTHER_SIZE;
  }
  jpeg->out_color_space = JCS_RGB;
  // The one transform that gives the same bits on every machine.
  jpeg->dct_method = JDCT_ISLOW;
  jpeg_start_decompress(jpeg);
  while (jpeg->output_scanline < height) {
    JSAMPROW row = pixels + jpeg->output_scanline * stride;
    jpeg_read_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_decompress(jpeg);
  return decoder->is_damaged ? CMOTIONJPEG_DAMAGED : CMOTIONJPEG_WHOLE;
}

size_t cmotionjpeg_memory_used(const struct cmotionjpeg_decoder *decoder) { return decoder->used; }
