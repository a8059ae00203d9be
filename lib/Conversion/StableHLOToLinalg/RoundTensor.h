// Rounding of a wider accumulation to the type StableHLO asks for.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_ROUNDTENSOR_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_ROUNDTENSOR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace forge {

/// `tensor`, of floats, rounded to `type` element by element; `sizes` are its dimensions (needed if dynamic). A scalar
/// stays scalar code.
mlir::Value roundTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                        mlir::RankedTensorType type, llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_ROUNDTENSOR_H
