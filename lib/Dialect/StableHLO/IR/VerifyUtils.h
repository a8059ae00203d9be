// Checks that verifiers of several ops share. Each emits an op error that says what was expected
// and what was found, and returns failure; `name` is the attribute's name.
#pragma once

#include "forge/Diagnostics/ErrorKind.h"
#include "forge/Dialect/StableHLO/IR/TypeUtils.h"
#include "mlir/IR/Operation.h"

namespace forge::stablehlo {

/// The list has one entry for each of `rank` dimensions.
mlir::LogicalResult verifySize(mlir::Operation *op, llvm::StringRef name, int64_t size,
                               int64_t rank);

/// Every entry is a dimension of a tensor of rank `rank`.
mlir::LogicalResult verifyDimsInRange(mlir::Operation *op, llvm::StringRef name,
                                      llvm::ArrayRef<int64_t> dims, int64_t rank);

/// No entry occurs twice.
mlir::LogicalResult verifyUnique(mlir::Operation *op, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> dims);

/// No entry is smaller than `minimum`.
mlir::LogicalResult verifyAtLeast(mlir::Operation *op, llvm::StringRef name,
                                  llvm::ArrayRef<int64_t> values, int64_t minimum);

/// The result has this shape, as far as sizes are known.
mlir::LogicalResult verifyResultShape(mlir::Operation *op, llvm::ArrayRef<int64_t> expected);

/// Every dimension of `operand` has size 1, or the size of the dimension of the result's `shape` it
/// goes to.
mlir::LogicalResult verifyBroadcastSizes(mlir::Operation *op, mlir::RankedTensorType operand,
                                         llvm::ArrayRef<int64_t> shape,
                                         llvm::ArrayRef<int64_t> dims);

/// The result has `shape` with this padding around and between its elements. The lists have one
/// entry per dimension.
mlir::LogicalResult verifyPaddedShape(mlir::Operation *op, llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                                      llvm::ArrayRef<int64_t> interior);

/// The elements of a constant tensor of integers; nothing when `tensor` is no constant. What does
/// not fit them is the user's mistake also after passes, since folding makes constants
/// (UserErrorScope).
std::optional<llvm::SmallVector<int64_t>> constantIntegers(mlir::Value tensor);

} // namespace forge::stablehlo
