// Exchanges between the threads of a row.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_SHUFFLE_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_SHUFFLE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// What the lane whose number differs by the bit `mask` holds of `value`, an integer, float or
/// index of any width up to 64 bits. All lanes of the warp must take part.
mlir::Value shuffleXor(mlir::ImplicitLocOpBuilder &b, mlir::Value value, int64_t mask,
                       int64_t warpSize);

/// What lane number `lane`, an i32, holds of `value`, as above.
mlir::Value shuffleIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Value lane,
                         int64_t warpSize);

/// Lanes whose number has the bit `mask` keep the second half of their sums, the others the first;
/// each adds what the other lane gives away of that half. Sums are a power of two in number.
void giveHalf(mlir::ImplicitLocOpBuilder &b, llvm::SmallVectorImpl<mlir::Value> &sums,
              mlir::Value lane, int64_t mask, int64_t warpSize);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_SHUFFLE_H
