// What the core could do at most: loops that multiply registers alone, and loops that read memory
// alone. Benchmarks hold kernels against them; the product has none of it.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Multiplies and adds int8 in registers by an instruction set's widest instruction, in as many
/// independent sums as fill its pipelines.
///
/// - set: the name of an instruction set, as `InstructionSet.name` has it.
/// - rounds: how often the sums are added to.
/// - Returns: how many multiply-accumulates that was; 0 for a set this build has no loop for.
int64_t cpeak_multiply(const char *set, int64_t rounds);

/// Reads `count` bytes, a multiple of 512, `rounds` times by the widest loads the compiler knows
/// the processor to have, and returns something that depends on all of them.
int64_t cpeak_read(const uint8_t *bytes, size_t count, int64_t rounds);

/// Processor time of this process in nanoseconds: what others on the machine take is not in it.
int64_t cpeak_nanoseconds(void);
