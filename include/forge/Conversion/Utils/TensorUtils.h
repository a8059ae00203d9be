// What the lowering patterns share about tensors.
#ifndef FORGE_CONVERSION_UTILS_TENSORUTILS_H
#define FORGE_CONVERSION_UTILS_TENSORUTILS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace forge {

/// Refuses results inside of `root` whose size in bytes does not fit in 63 bits: a lowering may
/// make a tensor that is larger than all that the module speaks of.
llvm::LogicalResult checkResultSizes(mlir::Operation *root);

/// The element of a rank-0 tensor (or the only element of a tensor of any rank); looks through
/// from_elements and constants.
mlir::Value extractScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);
/// The rank-0 tensor that holds `scalar`.
mlir::Value wrapScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar);
/// The scalar that fills `tensor`, if it is a rank-0 tensor, a splat constant or a linalg.fill;
/// otherwise null.
mlir::Value getSplatScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);
/// Element `index` of the rank-1 tensor `vector`; looks through from_elements and constants.
mlir::Value extractElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector,
                           int64_t index);
/// Element [row, column] of the rank-2 tensor `matrix`; looks through the same.
mlir::Value extractElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value matrix,
                           int64_t row, int64_t column);
/// Whether `tensor` is a tensor.from_elements or a constant, which extractElement looks through (in
/// row-major order, for any rank).
bool isKnownByElement(mlir::Value tensor);
/// Element `index` of `vector` (signed integers, or unsigned) as an index value.
mlir::Value extractIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector,
                         int64_t index, bool isUnsigned = false);
/// An integer scalar as an index. An unsigned one beyond the signed range becomes the largest
/// index: it must not turn negative.
mlir::Value castToIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar,
                        bool isUnsigned = false);

/// `value` as an index.
inline mlir::Value indexConstant(mlir::OpBuilder &builder, mlir::Location loc, int64_t value) {
  return mlir::arith::ConstantIndexOp::create(builder, loc, value);
}

/// True if two sizes are known to be equal in every run: they come from the same value, or the same
/// dimension of the same tensor, when followed through casts between integer types and from
/// tensor.dim of a tensor made here to what gave it its size.
bool areSameSize(mlir::OpFoldResult a, mlir::OpFoldResult b);
/// The size of `tensor` along `dim`, as a value; where the tensor was made here, the value that it
/// was made with.
mlir::Value getDim(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor, int64_t dim);
/// tensor.empty of `type`; `sizes` holds one entry per dimension, of which the dynamic ones are
/// used.
mlir::Value createEmpty(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// tensor.empty of `type`, which has the shape of each of `likes` (tensors of the same rank). Ends
/// the run if dynamic sizes of `likes` differ.
mlir::Value createEmptyLike(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::RankedTensorType type, mlir::ValueRange likes);
/// A tensor of `type` filled with `scalar`; `sizes` as for createEmpty.
mlir::Value createFill(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                       mlir::Value scalar, llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// The sizes of `tensor`, static ones as attributes.
llvm::SmallVector<mlir::OpFoldResult> getSizes(mlir::OpBuilder &builder, mlir::Location loc,
                                               mlir::Value tensor);
/// `tensor` as `type`, by a tensor.cast where they differ (in static sizes only).
mlir::Value castTensor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor,
                       mlir::Type type);

/// `n` parallel iterators.
llvm::SmallVector<mlir::utils::IteratorType> parallelIterators(int64_t n);

/// linalg.generic over `init`'s index space, without inputs: every element is what `body` makes of
/// the indices. Numbers of `body`'s values: one per dimension of `init`.
mlir::Value createIndexed(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::Value init,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)> body);

/// min(max(start, 0), size - slice) for the start of a slice that must stay inside.
mlir::Value clampStart(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value start,
                       mlir::Value size, mlir::Value slice);

/// Ends the run with `message` unless `condition` (i1) holds; "{0}", "{1}" stand for `values`
/// (integers or indices).
void createRuntimeAssert(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value condition,
                         const llvm::Twine &message, mlir::ValueRange values);

/// A call of the runtime's C function `name`, which is declared in the module on first use.
/// Returns its result, or null if it has none (`resultTypes` is empty).
mlir::Value callRuntime(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                        mlir::TypeRange resultTypes, mlir::ValueRange args);

} // namespace forge

#endif // FORGE_CONVERSION_UTILS_TENSORUTILS_H
