// The passes of a Fourier transform that a block computes in its memory.
#ifndef FORGE_DIALECT_FORGE_IR_FFTPASSES_H
#define FORGE_DIALECT_FORGE_IR_FFTPASSES_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace forge {

/// Numbers that a thread transforms in registers, at most.
inline constexpr int64_t kMostRadix = 16;

/// Factors of `length`, of at most kMostRadix each: as few as there can be, and of these the ones
/// whose largest is least. Largest first. Empty where a prime factor is larger, or length < 2.
llvm::SmallVector<int64_t> fftPasses(int64_t length);

/// After that many numbers of a line there is one that is not used: threads that are a radix apart
/// find theirs in different banks of the memory.
inline constexpr int64_t kFftPadding = 32;

/// Whether a line of real numbers, or one that gives real numbers, is done as one of half as many
/// complex ones: neighbours are a number's parts (Press et al., Numerical Recipes, 12.3, "FFT of
/// Single Real Function").
inline bool areFftPairs(int64_t length) { return length % 2 == 0 && length >= 8; }

/// Bytes of a block's memory for one line: what a pass reads and what it writes. `isReal`: of real
/// numbers, or to real numbers of the first half.
int64_t fftLineBytes(int64_t length, int64_t bytesOfPart, bool isReal);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_FFTPASSES_H
