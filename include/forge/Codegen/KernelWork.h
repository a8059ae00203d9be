// What a kernel has to do at the least, and how long a chip takes for it at the least.
#ifndef FORGE_CODEGEN_KERNELWORK_H
#define FORGE_CODEGEN_KERNELWORK_H

#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace forge {

/// Of one call of a kernel function on tensors.
struct KernelWork {
  /// Bytes: of what is read of the arguments, once each, and of the results.
  int64_t bytesRead = 0, bytesWritten = 0;
  /// Floating-point operations, conversions not counted.
  int64_t flops = 0;
  /// Multiplications of sums of products, and the terms of the longest such sum.
  int64_t multiplications = 0, terms = 0;
  /// The widest element of the factors of such products, in bits; 0: there are none.
  unsigned factorBits = 0;
};

/// Floating-point operations of `op`: those of its body, once per iteration, and of loops in it as
/// often as they are repeated; nothing if a size or a number of iterations is not known.
std::optional<int64_t> flopsOf(mlir::linalg::LinalgOp op);

/// Nothing if a size is not known.
std::optional<KernelWork> workOf(mlir::func::FuncOp kernel);

/// Seconds in which memory moves the bytes, and arithmetic units do the operations.
double memorySeconds(const KernelWork &work, const GPUChip &chip);
double arithmeticSeconds(const KernelWork &work, const GPUChip &chip);
/// The larger of both: no kernel is faster.
double floorSeconds(const KernelWork &work, const GPUChip &chip);

/// Predictions for strategies: the floor; the floor, with products by threads one by one and no
/// matrix units, and whole sectors of memory for elements that are read across, as in a transpose.
std::optional<double> predictFloor(mlir::func::FuncOp kernel, const GPUChip &chip);
std::optional<double> predictByThreads(mlir::func::FuncOp kernel, const GPUChip &chip);
/// The same where `isTiled` says which operations read such elements in tiles, along memory, and
/// threads take `costOfProduct` times the time of a multiplication and an addition by all lanes for
/// each, if there is one.
std::optional<double> predictByThreads(mlir::func::FuncOp kernel, const GPUChip &chip,
                                       llvm::function_ref<bool(mlir::linalg::LinalgOp)> isTiled,
                                       std::optional<double> costOfProduct);

} // namespace forge

#endif // FORGE_CODEGEN_KERNELWORK_H
