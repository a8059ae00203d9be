// What verifiers cannot know of dynamic sizes is checked at run time, before any loop relies on it.
// Each function emits nothing for sizes that are static.
#ifndef FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_SIZECHECKS_H
#define FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_SIZECHECKS_H

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Ends the run unless dimension `dim` of `value` has the size of dimension `otherDim` of `other`:
/// "matmul: rhs: expected size 8 along dimension 0, but got 5".
void checkSize(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op, llvm::StringRef name,
               mlir::Value value, int64_t dim, mlir::Value other, int64_t otherDim);

/// Ends the run unless `value`, which may be null, has the shape of `other`.
void checkShapes(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op, llvm::StringRef name,
                 mlir::Value value, mlir::Value other);

/// Ends the run unless a vector, which may be null, has the size of dimension `dim` of `other`.
void checkVector(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op, llvm::StringRef name,
                 mlir::Value vector, mlir::Value other, int64_t dim);

/// Ends the run unless `scale` covers `values`: one element for each of dimension `axis` where it
/// has rank 1, or one for each block; and `zeroPoint`, which may be null, has its shape.
void checkScale(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op, mlir::Value values,
                mlir::Value scale, mlir::Value zeroPoint, int64_t axis,
                std::optional<llvm::ArrayRef<int64_t>> block);

/// What the products have in common.
void checkSizes(mlir::ImplicitLocOpBuilder &b, transformer::MatmulOp op);
void checkSizes(mlir::ImplicitLocOpBuilder &b, transformer::GroupedMatmulOp op);
void checkSizes(mlir::ImplicitLocOpBuilder &b, transformer::LinearOp op);

/// Ends the run unless a table has a row to read.
void checkSizes(mlir::ImplicitLocOpBuilder &b, transformer::EmbeddingOp op);

/// Inserts such checks before every gradient operation under `root`, and before arithmetic,
/// broadcasts, transpositions and expansions of tensors, of which backward functions are made as well.
void insertGradientSizeChecks(mlir::Operation *root);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_TRANSFORMERTOLINALG_SIZECHECKS_H
