// Checks at run time of what verifiers cannot know: that dynamic sizes go together. Loops rely on
// them to stay inside of every tensor.
#ifndef FORGE_CONVERSION_UTILS_RUNTIMESHAPE_H
#define FORGE_CONVERSION_UTILS_RUNTIMESHAPE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace forge {

/// Ends the run unless dimension `dim` of `tensor` has the size of dimension `otherDim` of `other`.
/// Emits nothing where both are known or come from one source. `what` names the place in the
/// message: "scatter: indices".
void assertSameSize(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef what,
                    mlir::Value tensor, int64_t dim, mlir::Value other, int64_t otherDim);

/// Ends the run unless all tensors have the shape of the first.
void assertSameShape(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef what,
                     mlir::ValueRange tensors);

/// The elements of a shape operand, of which those that `type` knows are taken from there. Ends the
/// run if one is negative, or differs from what `type` says. `opName` begins the message.
llvm::SmallVector<mlir::OpFoldResult> getShapeOperand(mlir::OpBuilder &builder, mlir::Location loc,
                                                      mlir::Value shape,
                                                      mlir::RankedTensorType type,
                                                      llvm::StringRef opName);

/// The product of sizes that are not negative; 2^63 - 1 where it does not fit in 63 bits, which is
/// the count of no tensor there is.
mlir::Value createElementCount(mlir::OpBuilder &builder, mlir::Location loc,
                               llvm::ArrayRef<mlir::OpFoldResult> sizes);

/// Ends the run unless `size` is what `type` says of `dim`; nothing if that is dynamic. `what`
/// begins the message: "convolution".
void assertDeclaredSize(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef what,
                        mlir::Value size, mlir::RankedTensorType type, int64_t dim);

} // namespace forge

#endif // FORGE_CONVERSION_UTILS_RUNTIMESHAPE_H
