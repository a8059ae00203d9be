// Kernels whose strategies are tile programs.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_TILEPROGRAMS_H
#define FORGE_LIB_CODEGEN_STRATEGY_TILEPROGRAMS_H

#include "forge/Codegen/Strategy.h"

namespace forge {

/// Writes the tile program of kernels with a schedule of a strategy that has one.
class TileProgramWriter {
public:
  explicit TileProgramWriter(const GPUChip &chip) : chip(chip) {}

  /// Whether the strategy of `kernel`, a kernel function, writes tile programs, and it is none yet.
  static bool applies(mlir::func::FuncOp kernel);

  /// Checks the schedule, and writes the program in the place of the body. A counter of work that
  /// it takes becomes an operand of `users`, the calls of the kernel: memory of the host's
  /// function.
  mlir::LogicalResult write(mlir::func::FuncOp kernel, llvm::ArrayRef<mlir::Operation *> users);

private:
  mlir::Value counterOf(mlir::func::FuncOp host);

  const GPUChip &chip;
  /// All launches of a function share one.
  llvm::DenseMap<mlir::func::FuncOp, mlir::Value> counters;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_TILEPROGRAMS_H
