// Tensors of complex numbers as they are in memory: the parts of a number next to each other, along
// a last dimension of 2.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_INTERLEAVED_H
#define FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_INTERLEAVED_H

#include "ComplexMath.h"

namespace forge::stablehlo {

/// Of a tensor of parts, or of complex numbers.
mlir::RankedTensorType interleavedType(mlir::Type type);

/// Takes such tensors apart and puts them together. What was taken apart is not put together again:
/// it is the tensor that it came from.
class Interleaver {
public:
  explicit Interleaver(mlir::OpBuilder &builder) : builder(builder) {}

  Complex unpack(mlir::Value interleaved);
  mlir::Value pack(mlir::Location loc, Complex z);

private:
  mlir::OpBuilder &builder;
  /// By real parts: the imaginary ones, and where both came from.
  llvm::DenseMap<mlir::Value, std::pair<mlir::Value, mlir::Value>> origins;
};

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_TRANSFORMS_INTERLEAVED_H
