// Fourier transforms of lines that a GPU's blocks compute (forge.fft_lines), on tensors of parts.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_BLOCKFFT_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_BLOCKFFT_H

#include "ExpandFft.h"

namespace forge::stablehlo {

/// Shorter lines are products, which fuse with what surrounds them.
inline constexpr int64_t kLeastLine = 8;

/// Whether blocks of the target have memory for a line of `n` numbers of type `element`; `isReal`:
/// of real numbers, or of the first half of numbers whose transform is real.
bool isBlockLine(int64_t n, mlir::Type element, FftTarget target, bool isReal = false);

/// The smaller one of two factors of `n`, as close to each other as can be, that both are such
/// lines; 0 if there are none.
int64_t lineFactor(int64_t n, mlir::Type element, FftTarget target);

/// The first `kept` of `n` numbers of each line along `dim`, times `factor`; `sign` -1 is forward,
/// +1 backward. Without z.im the numbers are real.
Complex blockLines(mlir::OpBuilder &builder, mlir::Location loc, Complex z, int64_t dim, int64_t n,
                   int sign, int64_t kept, double factor);

/// The `n` real numbers, times `factor`, that the first n / 2 + 1 numbers of each line along `dim`
/// give backward.
mlir::Value realBlockLines(mlir::OpBuilder &builder, mlir::Location loc, Complex z, int64_t dim,
                           int64_t n, double factor);

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_BLOCKFFT_H
