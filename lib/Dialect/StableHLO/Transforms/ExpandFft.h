// Fourier transforms as operations on real numbers.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_EXPANDFFT_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_EXPANDFFT_H

#include "ComplexMath.h"

namespace forge::stablehlo {

/// The type of a tensor.
inline mlir::RankedTensorType tensorType(mlir::Value tensor) {
  return llvm::cast<mlir::RankedTensorType>(tensor.getType());
}

/// A Fourier transform of tensors of parts.
struct FftProblem {
  mlir::Location loc;
  FftType kind;
  /// Of the last dimensions; of a transform from or to floats, those of the floats.
  llvm::SmallVector<int64_t> lengths;
  /// Of one part of the result.
  mlir::RankedTensorType result;
};

/// What a Fourier transform is written for.
struct FftTarget {
  /// Products are cheap, and steps few.
  bool forGPU = false;
  /// Of the memory of a block, which transforms lines that fit there (forge.fft_lines); 0: none.
  int64_t blockBytes = 0;
};

/// Whether any dimension is transformed by lines in blocks; all sizes are static then.
bool hasFftLines(const FftProblem &problem, FftTarget target);

/// A Fourier transform as lines of blocks and products with constant matrices. Of an operand of
/// floats the imaginary part is null, as it is of a result of floats. What cannot be computed has a
/// diagnostic.
mlir::FailureOr<Complex> expandFft(mlir::OpBuilder &builder, const FftProblem &problem,
                                   Complex operand, FftTarget target);

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_EXPANDFFT_H
