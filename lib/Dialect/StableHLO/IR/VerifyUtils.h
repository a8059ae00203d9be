// Checks that verifiers of several ops share. Each emits an op error that says what was expected
// and what was found, and returns failure; `name` is the attribute's name.
#pragma once

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

/// Every dimension of `operand` has size 1, or the size of the dimension of `result` it goes to.
mlir::LogicalResult verifyBroadcastSizes(mlir::Operation *op, mlir::RankedTensorType operand,
                                         mlir::RankedTensorType result,
                                         llvm::ArrayRef<int64_t> dims);

} // namespace forge::stablehlo
