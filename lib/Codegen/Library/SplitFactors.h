// Products of f32 factors as products of bf16 pieces of them.
#ifndef FORGE_LIB_CODEGEN_LIBRARY_SPLITFACTORS_H
#define FORGE_LIB_CODEGEN_LIBRARY_SPLITFACTORS_H

#include "forge/Codegen/Target.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace forge {

/// Replaces contractions on tensors, from zeros, of f32 factors whose sizes are known by ones of
/// pieces. A factor that is an extended bf16 is one piece; of another one three are made, once for
/// all contractions that read it.
class FactorSplitter {
public:
  explicit FactorSplitter(const GPUChip &chip) : chip(chip) {}

  /// Whether strategy wgmma takes the contraction of pieces, and needs less time for it, with making
  /// the pieces, than f32 instructions for `contraction`. Nothing is changed.
  bool isWorth(mlir::linalg::LinalgOp contraction);
  /// Replaces `contraction` if it is worth it.
  void split(mlir::linalg::LinalgOp contraction);
  /// Pieces of what an elementwise operation computes are made there.
  void fuseIntoProducers();

private:
  using Factors = llvm::SmallVector<llvm::SmallVector<mlir::Value>, 2>;

  llvm::SmallVector<mlir::Value> piecesOf(mlir::Value factor);
  /// The contraction of pieces before `contraction`; null, and nothing made, if it is not worth it.
  mlir::linalg::GenericOp make(mlir::linalg::LinalgOp contraction);
  void unmake(mlir::linalg::LinalgOp contraction, mlir::linalg::GenericOp ofPieces);
  bool isFaster(mlir::linalg::LinalgOp contraction, mlir::linalg::GenericOp ofPieces,
                const Factors &factors) const;
  double secondsOfThreads(mlir::linalg::LinalgOp contraction) const;
  double secondsOfSplits(const Factors &factors) const;

  const GPUChip &chip;
  /// The operations that make pieces, by factor.
  llvm::MapVector<mlir::Value, mlir::linalg::GenericOp> made;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_SPLITFACTORS_H
