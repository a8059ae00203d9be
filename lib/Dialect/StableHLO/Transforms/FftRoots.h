// Roots of unity for Fourier transforms: as constants where they are few, computed at run time
// where they are many.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_FFTROOTS_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_FFTROOTS_H

#include "ComplexMath.h"

#include "forge/Support/RootOfUnity.h"

#include "llvm/ADT/ArrayRef.h"

#include <complex>

namespace forge::stablehlo {

/// Tensors of roots of unity. All are computed in double precision, their angles reduced as
/// integers, and rounded once to the element type.
class FftRoots {
public:
  /// More numbers than these are computed at run time: as constants they would be most of a module.
  static constexpr int64_t kMaxConstants = 1 << 18;

  FftRoots(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type element)
      : builder(builder), loc(loc), element(element) {}

  Complex constant(llvm::ArrayRef<std::complex<double>> numbers, llvm::ArrayRef<int64_t> shape);
  /// w^(j k) for j < rows and k < columns, w = e^(sign 2 pi i / (rows columns)).
  Complex factors(int64_t rows, int64_t columns, int sign);
  /// e^(sign pi i j² / n) for j < n.
  Complex chirp(int64_t n, int sign);

private:
  Complex factorsByTables(int64_t rows, int64_t columns, int64_t step, int sign);
  /// e^(sign 2 pi i numerators / denominator) of integers from 0 to below the denominator.
  Complex atRunTime(mlir::Value numerators, int64_t denominator, int sign);
  mlir::Value integers(mlir::Value like, int64_t value);
  Complex rounded(Complex doubles);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type element;
};

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_FFTROOTS_H
