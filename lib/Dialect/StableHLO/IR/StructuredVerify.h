// Checks that the verifiers of the structured ops share. Each emits an error at the op and fails,
// or succeeds; `name` is what the operand or attribute is called in the error.
#ifndef FORGE_LIB_DIALECT_STABLEHLO_IR_STRUCTUREDVERIFY_H
#define FORGE_LIB_DIALECT_STABLEHLO_IR_STRUCTUREDVERIFY_H

#include "VerifyUtils.h"

#include "forge/Dialect/StableHLO/IR/Window.h"

namespace forge::stablehlo {

/// No entry appears twice in the lists together.
llvm::LogicalResult verifyDistinct(mlir::Operation *op, llvm::StringRef name,
                                   llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> more = {});

/// Entries do not fall.
llvm::LogicalResult verifySorted(mlir::Operation *op, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> dims);

/// The list has `expected` entries.
llvm::LogicalResult verifyCount(mlir::Operation *op, llvm::StringRef name, int64_t count,
                                int64_t expected);

/// All entries are above zero.
llvm::LogicalResult verifyPositive(mlir::Operation *op, llvm::StringRef name,
                                   llvm::ArrayRef<int64_t> values);

/// An optional list, where present and not empty, has `count` entries, all above zero.
llvm::LogicalResult verifyPositiveList(mlir::Operation *op, llvm::StringRef name,
                                       std::optional<llvm::ArrayRef<int64_t>> values,
                                       int64_t count);

/// Two sizes may be equal at run time.
llvm::LogicalResult verifySameSize(mlir::Operation *op, llvm::StringRef first, int64_t firstSize,
                                   llvm::StringRef second, int64_t secondSize);

/// `type` may have the shape `expected` at run time.
llvm::LogicalResult verifyShape(mlir::Operation *op, llvm::StringRef name, mlir::Type type,
                                llvm::ArrayRef<int64_t> expected);

llvm::LogicalResult verifyElementType(mlir::Operation *op, llvm::StringRef name, mlir::Type type,
                                      mlir::Type expected);

/// Padding, where present, has the shape [count, 2].
llvm::LogicalResult verifyPaddingShape(mlir::Operation *op, mlir::DenseIntElementsAttr padding,
                                       int64_t count);

/// Whether values of `from` are accumulated in `to` without loss: equal, or the same kind of number
/// and no narrower.
bool isPromotable(mlir::Type from, mlir::Type to);

/// Element type of a tensor; the type itself otherwise.
mlir::Type elementTypeOf(mlir::Type type);

/// What a region has to look like: tensors of rank 0, element types by position.
struct BodyTypes {
  llvm::StringRef name;
  llvm::SmallVector<mlir::Type> arguments;
  llvm::SmallVector<mlir::Type> results;
};

/// The region's block takes and returns rank-0 tensors of the given element types.
llvm::LogicalResult verifyBody(mlir::Operation *op, mlir::Region &body, const BodyTypes &types);

/// The region accumulates: takes E0, ..., E0, ... and returns E0, ..., where each of `inputs` is
/// promotable to its E and the op's results have these as element types.
llvm::LogicalResult verifyAccumulator(mlir::Operation *op, mlir::Region &body, llvm::StringRef name,
                                      mlir::TypeRange inputs, mlir::TypeRange results);

} // namespace forge::stablehlo

#endif // FORGE_LIB_DIALECT_STABLEHLO_IR_STRUCTUREDVERIFY_H
