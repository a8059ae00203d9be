// Between the files that take complex numbers apart.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_SPLITCOMPLEX_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_SPLITCOMPLEX_H

#include "ComplexMath.h"

#include "forge/Dialect/StableHLO/Transforms/Passes.h"

namespace forge::stablehlo {

/// A Fourier transform as lines of blocks, or as products with constant matrices. `operand` are the
/// parts of the operation's; of floats the imaginary one is null, as it is of a result of floats.
mlir::FailureOr<Complex> expandFft(mlir::OpBuilder &builder, FftOp op, Complex operand,
                                   FftTarget target);

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_SPLITCOMPLEX_H
