#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "cpng.h"

struct cpng_reader {
  png_structp png;
  png_infop info;
  png_infop end;
  const uint8_t *bytes;
  size_t count;
  size_t position;
  bool is_truncated;
  jmp_buf failure;
  char error[CPNG_TEXT_CAPACITY];
};

static void fail(png_structp png, png_const_charp text) {
  struct cpng_reader *reader = png_get_error_ptr(png);
  strncpy(reader->error, text, sizeof reader->error - 1);
  longjmp(reader->failure, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void read_bytes(png_structp png, png_bytep destination, size_t count) {
  struct cpng_reader *reader = png_get_io_ptr(png);
  if (count > reader->count - reader->position) {
    reader->is_truncated = true;
    png_error(png, "the file ends early");
  }
  memcpy(destination, reader->bytes + reader->position, count);
  reader->position += count;
}

struct cpng_reader *cpng_reader_make(const uint8_t *bytes, size_t count) {
  struct cpng_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  if (setjmp(reader->failure) != 0) {
    cpng_reader_free(reader);
    return NULL;
  }
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, fail, ignore_warning);
  if (reader->png != NULL) {
    reader->info = png_create_info_struct(reader->png);
    reader->end = png_create_info_struct(reader->png);
  }
  if (reader->info == NULL || reader->end == NULL) {
    cpng_reader_free(reader);
    return NULL;
  }
  png_set_read_fn(reader->png, reader, read_bytes);
  png_set_user_limits(reader->png, 1000000, 1000000);
  // A damaged chunk means a damaged file, also where libpng could go on without the chunk.
  png_set_crc_action(reader->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  return reader;
}

void cpng_reader_free(struct cpng_reader *reader) {
  if (reader == NULL) return;
  if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, &reader->end);
  free(reader);
}

bool cpng_reader_read_header(struct cpng_reader *reader, struct cpng_header *header) {
  if (setjmp(reader->failure) != 0) return false;
  png_read_info(reader->png, reader->info);
  header->width = png_get_image_width(reader->png, reader->info);
  header->height = png_get_image_height(reader->png, reader->info);
  header->is_interlaced =
      png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
  return true;
}

bool cpng_reader_start(struct cpng_reader *reader) {
  if (setjmp(reader->failure) != 0) return false;
  png_set_expand(reader->png);
  png_set_scale_16(reader->png);
  png_set_gray_to_rgb(reader->png);
  png_set_add_alpha(reader->png, 0xff, PNG_FILLER_AFTER);
  png_read_update_info(reader->png, reader->info);
  size_t width = png_get_image_width(reader->png, reader->info);
  if (png_get_rowbytes(reader->png, reader->info) != 4 * width) {
    png_error(reader->png, "rows of an unexpected size");
  }
  return true;
}

uint32_t cpng_reader_pass_columns(const struct cpng_reader *reader, int pass) {
  uint32_t width = png_get_image_width(reader->png, reader->info);
  return PNG_PASS_COLS(width, pass);
}

uint32_t cpng_reader_pass_rows(const struct cpng_reader *reader, int pass) {
  uint32_t height = png_get_image_height(reader->png, reader->info);
  return PNG_PASS_ROWS(height, pass);
}

bool cpng_reader_read_row(struct cpng_reader *reader, uint8_t *row) {
  if (setjmp(reader->failure) != 0) return false;
  png_read_row(reader->png, row, NULL);
  return true;
}

bool cpng_reader_finish(struct cpng_reader *reader, const uint8_t **exif, size_t *exif_count) {
  if (setjmp(reader->failure) != 0) return false;
  png_read_end(reader->png, reader->end);
  *exif = NULL;
  *exif_count = 0;
  png_infop holders[] = {reader->info, reader->end};
  for (size_t i = 0; i < 2 && *exif == NULL; i++) {
    png_uint_32 count = 0;
    png_bytep data = NULL;
    if (png_get_eXIf_1(reader->png, holders[i], &count, &data) != 0 && data != NULL) {
      *exif = data;
      *exif_count = count;
    }
  }
  return true;
}

bool cpng_reader_is_truncated(const struct cpng_reader *reader) { return reader->is_truncated; }

const char *cpng_reader_error(const struct cpng_reader *reader) { return reader->error; }
