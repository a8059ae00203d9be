// The loops of running reductions; private to Fusion.
#ifndef FORGE_LIB_CODEGEN_FUSION_SCANNEST_H
#define FORGE_LIB_CODEGEN_FUSION_SCANNEST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {

/// Independent loops with nothing but the next in them, the innermost around `line`, which goes
/// along a line in steps of several elements.
struct ScanNest {
  llvm::SmallVector<mlir::scf::ForOp> outer;
  mlir::scf::ForOp line;
  /// What `line` carries: numbers, memory of its own, and the results, by their positions.
  llvm::SmallVector<unsigned> scalars, memories, results;
  /// Of each result the elements that a step writes, in order.
  llvm::SmallVector<llvm::SmallVector<mlir::tensor::InsertOp>> writes;
  /// The dimension along the line.
  int64_t dim;

  /// The loop whose counter is dimension `number` of the results; null for the line's own.
  mlir::scf::ForOp loopOf(int64_t number);
};

std::optional<ScanNest> matchScanNest(mlir::scf::ForOp line);

/// A reduction over some lines of a nest.
struct ScanReduction {
  mlir::linalg::GenericOp op;
  /// For each loop of `op` the dimension of the nest's results.
  llvm::SmallVector<int64_t> dims;
};

/// The nest with `reductions`, which are all that reads its results and take together the lines
/// along `lines`, dimensions of the results. Returns what replaces the reductions.
llvm::SmallVector<mlir::Value> reduceInside(mlir::OpBuilder &builder, ScanNest &nest,
                                            llvm::ArrayRef<ScanReduction> reductions,
                                            llvm::ArrayRef<int64_t> lines);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FUSION_SCANNEST_H
