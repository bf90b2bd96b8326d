#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpng.h"

enum { BUFFER_CAPACITY = 65536 };

struct cpng_writer {
  png_structp png;
  png_infop info;
  int descriptor;
  uint32_t width;
  uint32_t height;
  int error_number;
  jmp_buf failure;
  size_t buffered;
  uint8_t buffer[BUFFER_CAPACITY];
};

static void fail(png_structp png, png_const_charp text) {
  struct cpng_writer *writer = png_get_error_ptr(png);
  (void)text;
  longjmp(writer->failure, 1);
}

static void ignore_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void flush_bytes(png_structp png) {
  struct cpng_writer *writer = png_get_io_ptr(png);
  size_t position = 0;
  while (position < writer->buffered) {
    ssize_t written =
        write(writer->descriptor, writer->buffer + position, writer->buffered - position);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      writer->error_number = written < 0 ? errno : EIO;
      png_error(png, "write failed");
    }
    position += (size_t)written;
  }
  writer->buffered = 0;
}

static void write_bytes(png_structp png, png_bytep source, size_t count) {
  struct cpng_writer *writer = png_get_io_ptr(png);
  while (count > 0) {
    if (writer->buffered == BUFFER_CAPACITY) flush_bytes(png);
    size_t room = BUFFER_CAPACITY - writer->buffered;
    size_t part = count < room ? count : room;
    memcpy(writer->buffer + writer->buffered, source, part);
    writer->buffered += part;
    source += part;
    count -= part;
  }
}

struct cpng_writer *cpng_writer_make(int descriptor, uint32_t width, uint32_t height) {
  struct cpng_writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  writer->descriptor = descriptor;
  writer->width = width;
  writer->height = height;
  if (setjmp(writer->failure) != 0) {
    cpng_writer_free(writer);
    return NULL;
  }
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, fail, ignore_warning);
  if (writer->png != NULL) writer->info = png_create_info_struct(writer->png);
  if (writer->info == NULL) {
    cpng_writer_free(writer);
    return NULL;
  }
  png_set_write_fn(writer->png, writer, write_bytes, flush_bytes);
  return writer;
}

void cpng_writer_free(struct cpng_writer *writer) {
  if (writer == NULL) return;
  if (writer->png != NULL) png_destroy_write_struct(&writer->png, &writer->info);
  free(writer);
}

bool cpng_writer_start(struct cpng_writer *writer) {
  if (setjmp(writer->failure) != 0) return false;
  png_set_IHDR(writer->png, writer->info, writer->width, writer->height, 8, PNG_COLOR_TYPE_RGB,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  // A photograph gains a few per cent from more effort and takes several times as long.
  png_set_compression_level(writer->png, 3);
  png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
  png_write_info(writer->png, writer->info);
  return true;
}

bool cpng_writer_write_row(struct cpng_writer *writer, const uint8_t *row) {
  if (setjmp(writer->failure) != 0) return false;
  png_write_row(writer->png, row);
  return true;
}

bool cpng_writer_finish(struct cpng_writer *writer) {
  if (setjmp(writer->failure) != 0) return false;
  png_write_end(writer->png, writer->info);
  flush_bytes(writer->png);
  return true;
}

int cpng_writer_errno(const struct cpng_writer *writer) { return writer->error_number; }
