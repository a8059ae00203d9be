// Checks of shapes, and dimensions of results, that the families share.
#ifndef FORGE_LIB_DIALECT_TRANSFORMER_IR_SHAPEUTILS_H
#define FORGE_LIB_DIALECT_TRANSFORMER_IR_SHAPEUTILS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace forge::transformer {

using Shapes = mlir::ReifiedRankedShapedTypeDims;

/// Fails with "expected WHAT 64, but got 32" unless the dimensions agree; a dynamic one goes with
/// any.
llvm::LogicalResult checkDim(mlir::Operation *op, const llvm::Twine &what, int64_t expected,
                             int64_t actual);

/// Fails unless `type` has the rank and, where both are static, the dimensions given.
llvm::LogicalResult checkShape(mlir::Operation *op, llvm::StringRef what,
                               mlir::RankedTensorType type, llvm::ArrayRef<int64_t> expected);

/// Fails unless every operand and result in `values` that exists has the element type of the first.
llvm::LogicalResult checkElementTypes(mlir::Operation *op, mlir::ValueRange values);

/// Fails unless an epsilon is finite and not below 0.
llvm::LogicalResult checkEpsilon(mlir::Operation *op, const llvm::APFloat &epsilon);

/// The size of one dimension of `value`, static where the type says it.
mlir::OpFoldResult sizeOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                          int64_t dim);

/// The reified shape of a result that has the shape of `value`.
llvm::LogicalResult reifyAs(mlir::OpBuilder &builder, mlir::Value value, Shapes &shapes);

/// The reified shape of a result that has the shape of `value` with dimension `dim` of `last` in
/// place of its last one.
llvm::LogicalResult reifyWithLast(mlir::OpBuilder &builder, mlir::Value value, mlir::Value last,
                                  int64_t dim, Shapes &shapes);

/// Fails unless `scale` covers a tensor of type `values`: rank 0; [size of `axis`]; or, with
/// `block`, ceil(size / block) in every dimension. At most one of `axis` and `block` may be given.
llvm::LogicalResult checkScale(mlir::Operation *op, mlir::RankedTensorType values,
                               mlir::RankedTensorType scale, std::optional<int64_t> axis,
                               std::optional<llvm::ArrayRef<int64_t>> block);

/// Fails unless a zero point is absent, or has the shape of `scale` and the integer type `narrow`.
llvm::LogicalResult checkZeroPoint(mlir::Operation *op, mlir::Value zeroPoint,
                                   mlir::RankedTensorType scale, mlir::Type narrow);

/// Fails unless a scale's element type is f32, or that of the numbers.
llvm::LogicalResult checkScaleType(mlir::Operation *op, mlir::Type scale, mlir::Type numbers);

} // namespace forge::transformer

#endif // FORGE_LIB_DIALECT_TRANSFORMER_IR_SHAPEUTILS_H
