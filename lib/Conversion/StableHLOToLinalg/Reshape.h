// Rearrangements that static and dynamic ops share; private to this library.
#ifndef FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_RESHAPE_H
#define FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_RESHAPE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace forge {

/// The static sizes of `type` as attributes; a null entry for a dynamic one.
llvm::SmallVector<mlir::OpFoldResult> getSizesOf(mlir::OpBuilder &builder,
                                                 mlir::RankedTensorType type);

/// `source`, a tensor or a rank-0 one, with the shape of `type`; `sizes` holds one entry per
/// dimension of `type`, of which the dynamic ones are used. The numbers of elements must agree.
mlir::Value createReshape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                          mlir::RankedTensorType type, llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// broadcast_in_dim of statically shaped tensors: dimension i of `source` becomes dimension dims[i]
/// of the result; dimensions of size 1 are stretched.
mlir::Value createStaticBroadcast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                                  mlir::RankedTensorType type, llvm::ArrayRef<int64_t> dims);

/// broadcast_in_dim to a shape known at run time; `sizes` holds one entry per dimension of `type`.
/// Ends the run if an operand dimension has neither size 1 nor that of its result dimension.
mlir::Value createDynamicBroadcast(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                                   mlir::RankedTensorType type,
                                   llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                   llvm::ArrayRef<int64_t> dims);

/// A tensor like `init` whose elements are their index along `dim`, converted to `elementType`
/// (which may be unsigned).
mlir::Value createIota(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value init, int64_t dim,
                       mlir::Type elementType);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_STABLEHLOTOLINALG_RESHAPE_H
