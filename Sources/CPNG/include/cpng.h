// libpng reports errors by longjmp, which Swift code must not be jumped over: every call that may
// fail is made here and answers with a plain value.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Most bytes of an error text, its final NUL included.
enum { CPNG_TEXT_CAPACITY = 160 };

/// What a PNG file says of itself before its pixels.
struct cpng_header {
  /// Columns, 1 to 1,000,000.
  uint32_t width;
  /// Rows, 1 to 1,000,000.
  uint32_t height;
  /// Whether the pixels come in the seven passes of Adam7, each a small picture of its own.
  bool is_interlaced;
};

/// A PNG file being decoded from memory, made and freed by the caller.
struct cpng_reader;

/// Starts decoding `count` bytes, which must outlive the reader. Null when memory is short.
struct cpng_reader *cpng_reader_make(const uint8_t *bytes, size_t count);
/// Frees a reader; null is allowed.
void cpng_reader_free(struct cpng_reader *reader);
/// Reads everything before the pixels.
bool cpng_reader_read_header(struct cpng_reader *reader, struct cpng_header *header);
/// Prepares for rows of 8-bit red, green, blue, opacity; called once, after the header.
bool cpng_reader_start(struct cpng_reader *reader);
/// Columns of an Adam7 pass, 0 to 6; 0 for an empty pass.
uint32_t cpng_reader_pass_columns(const struct cpng_reader *reader, int pass);
/// Rows of an Adam7 pass, 0 to 6; 0 for an empty pass.
uint32_t cpng_reader_pass_rows(const struct cpng_reader *reader, int pass);
/// Reads the next row into `4 * width` bytes. Rows of an interlaced file are those of its passes,
/// first to seventh, empty passes left out; their pixels stand at the row's beginning.
bool cpng_reader_read_row(struct cpng_reader *reader, uint8_t *row);
/// Reads what follows the pixels; `exif` is set to the file's Exif data or to null.
bool cpng_reader_finish(struct cpng_reader *reader, const uint8_t **exif, size_t *exif_count);
/// Whether a failure was the file's end coming too early.
bool cpng_reader_is_truncated(const struct cpng_reader *reader);
/// libpng's words for the last failure, at most `CPNG_TEXT_CAPACITY` bytes with the final NUL.
const char *cpng_reader_error(const struct cpng_reader *reader);

/// An 8-bit red, green, blue PNG file being written to a descriptor, made and freed by the caller.
struct cpng_writer;

/// Starts a picture of `width` by `height` pixels. Null when memory is short.
struct cpng_writer *cpng_writer_make(int descriptor, uint32_t width, uint32_t height);
/// Frees a writer, leaving the descriptor open; null is allowed.
void cpng_writer_free(struct cpng_writer *writer);
/// Writes the file's head; called once, before the rows.
bool cpng_writer_start(struct cpng_writer *writer);
/// Writes the next row of `3 * width` bytes.
bool cpng_writer_write_row(struct cpng_writer *writer, const uint8_t *row);
/// Writes the end of the file after the last row.
bool cpng_writer_finish(struct cpng_writer *writer);
/// The `errno` of the write(2) that failed, or 0 where the failure was another.
int cpng_writer_errno(const struct cpng_writer *writer);
