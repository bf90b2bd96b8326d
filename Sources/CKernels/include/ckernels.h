// Vector forms of the engine's operators, one set of functions for each instruction set.
//
// Every function must give, bit for bit, what the reference in Sources/Engine gives. Arguments are
// checked when a graph is prepared, never here. A function may be called only on a processor that
// `ckernels_ask_processor` says has its instructions.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the processor and the operating system report, raw.
struct ckernels_processor {
  /// x86-64: ECX of CPUID leaf 1.
  uint32_t leaf1_ecx;
  /// x86-64: EBX of CPUID leaf 7, subleaf 0.
  uint32_t leaf7_ebx;
  /// x86-64: ECX of CPUID leaf 7, subleaf 0.
  uint32_t leaf7_ecx;
  /// x86-64: EAX of CPUID leaf 7, subleaf 1.
  uint32_t leaf7_1_eax;
  /// x86-64: the low half of XCR0, the register states the operating system saves; 0 without it.
  uint32_t xcr0;
  /// aarch64: AT_HWCAP of the auxiliary vector.
  uint64_t hwcap;
  /// aarch64: AT_HWCAP2 of the auxiliary vector.
  uint64_t hwcap2;
};

/// Asks the processor. Cannot fault on any x86-64 or aarch64 processor.
struct ckernels_processor ckernels_ask_processor(void);

/// Whether 256-bit integers may be used: the instructions are there and the operating system saves
/// the registers.
bool ckernels_has_avx2(const struct ckernels_processor *processor);

/// Whether 512-bit registers may be used, and instructions on their bytes, in the same way.
bool ckernels_has_avx512(const struct ckernels_processor *processor);

/// How sums are scaled to int8, and what the three arrays of parameters are.
enum ckernels_scaling : uint8_t {
  /// By the rule as it is written: multiplier, rounding term, shift. The zero point is added to the
  /// results, and for x86 with 512 bits is the second array instead of the rounding term.
  CKERNELS_BY_RULE,
  /// The rounding is in the bias: multiplier, what is added to the results, the zero point in it,
  /// and a shift one less, that of a product's upper half.
  CKERNELS_ROUNDING_FOLDED,
  /// By floats: multiplier, what is added to the results, the zero point in it, and what is added
  /// to the product.
  CKERNELS_BY_FLOATS,
};

/// One row of a dense convolution's output.
///
/// Weights come in blocks of channels, each of `vectors` vectors (the last maybe fewer), packed
/// [kernel row][group][vector][lane][element of the group], the groups of a kernel row together
/// covering kernel width * elements of a pixel, zeros after them. Parameters of a block are
/// three arrays of int32 or floats, one element a lane, as `scaling` says.
struct ckernels_convolution {
  /// The padded input rows the output row needs, as `transfer` and `fill` wrote them.
  const void *const *rows;
  const int8_t *weights;
  const int32_t *parameters;
  /// One a lane, of all blocks; what the rows left out would have added is in it.
  const int32_t *bias;
  int8_t *output;
  /// Kernel rows: all there are, those left out at the top, which are padding, and those that
  /// `rows` has, beginning after these.
  int32_t kernel_height;
  int32_t first_row;
  int32_t row_count;
  /// Groups of a kernel row.
  int32_t groups;
  /// Bytes from one output pixel's input to the next one's.
  int32_t pixel_bytes;
  /// Output pixels of the row.
  int32_t width;
  /// Output channels.
  int32_t channels;
  /// Vectors of a block; the last block has what remains.
  int32_t vectors;
  /// Output pixels computed together, by blocks of `vectors` and by the last block.
  int32_t pixels;
  int32_t last_pixels;
  int32_t zero_point;
  int32_t minimum;
  int32_t maximum;
  /// Input columns from one output pixel to the next where the kernel is three columns wide, the
  /// step is 1 or 2 and an input pixel is whole groups of four; else 0.
  int32_t columns_step;
  /// What each result is exclusively ored with: what makes of it an element of the next
  /// convolution's rows, of sets that take these so; else 0.
  uint8_t sign;
  enum ckernels_scaling scaling;
};

/// One row of a depthwise convolution's output.
struct ckernels_depthwise {
  /// The padded input rows, plain int8.
  const int8_t *const *rows;
  /// [kernel row][kernel column][channel].
  const int8_t *weights;
  /// Bias, multiplier, rounding term, shift: each `padded_channels` int32.
  const int32_t *parameters;
  int8_t *output;
  int32_t kernel_height;
  int32_t kernel_width;
  int32_t pixel_bytes;
  int32_t width;
  int32_t channels;
  int32_t padded_channels;
  int32_t zero_point;
  int32_t minimum;
  int32_t maximum;
};

/// A sum of two tensors, or of two rows; the output may be one of the inputs.
struct ckernels_add {
  const int8_t *first;
  const int8_t *second;
  int8_t *output;
  size_t count;
  int32_t first_zero_point;
  int32_t second_zero_point;
  int32_t first_multiplier;
  int32_t second_multiplier;
  int32_t shift;
  int32_t zero_point;
  int32_t minimum;
  int32_t maximum;
  /// As that of a convolution.
  uint8_t sign;
};

/// The average of all pixels, each channel's own.
struct ckernels_average {
  const int8_t *input;
  int8_t *output;
  /// Scratch: so many as channels, rounded up to 16.
  int32_t *totals;
  size_t places;
  size_t channels;
  /// What is taken off each total.
  int32_t origin;
  int32_t multiplier;
  int32_t shift;
  int32_t zero_point;
  int32_t minimum;
  int32_t maximum;
};

/// Declares one instruction set's functions.
///
/// - convolve: one row, as above.
/// - pixels: how many output pixels to compute together for blocks of `vectors` and rows of
///   `width`; at most `width`.
/// - transfer: writes `count` int8 of a tensor in the form `convolve` reads.
/// - spread: the same for `pixels` pixels of three elements, each becoming four; what the fourth is
///   does not matter.
/// - fill: writes `count` times `value` in that form.
/// - depthwise: one row, as above.
/// - add: the whole sum, as above.
/// - average: of all pixels, as above.
/// - upsample: writes each of `pixels` pixels twice, one after the other.
/// - largest: raises each of `count` elements of `output` to that of `input`.
#define CKERNELS_DECLARE(set)                                                                \
  void ckernels_convolve_##set(const struct ckernels_convolution *row);                      \
  int32_t ckernels_pixels_##set(int32_t vectors, int32_t width);                             \
  void ckernels_transfer_##set(void *output, const int8_t *input, size_t count);             \
  void ckernels_spread_##set(void *output, const int8_t *input, size_t pixels);              \
  void ckernels_fill_##set(void *output, int8_t value, size_t count);                        \
  void ckernels_depthwise_##set(const struct ckernels_depthwise *row);                       \
  void ckernels_add_##set(const struct ckernels_add *sum);                                   \
  void ckernels_average_##set(const struct ckernels_average *of);                            \
  void ckernels_upsample_##set(int8_t *output, const int8_t *input, size_t pixels,           \
                               size_t channels);                                             \
  void ckernels_largest_##set(int8_t *output, const int8_t *input, size_t count);

#if defined(__x86_64__)
CKERNELS_DECLARE(avx2)
CKERNELS_DECLARE(avxvnni)
CKERNELS_DECLARE(avx512vnni)
#elif defined(__aarch64__)
CKERNELS_DECLARE(neon)
CKERNELS_DECLARE(dotprod)
CKERNELS_DECLARE(i8mm)
#endif
