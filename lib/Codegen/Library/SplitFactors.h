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
  /// Splits where the predicted time is less than the share `worth` of that of f32 instructions.
  explicit FactorSplitter(const GPUChip &chip, double worth = 0.9) : chip(chip), worth(worth) {}

  /// Whether strategy wgmma takes the contraction of pieces and is predicted to need less time,
  /// with making the pieces, than f32 instructions. Leaves the IR as it was.
  bool isWorth(mlir::linalg::LinalgOp contraction);
  /// Replaces `contraction` if it is worth it; otherwise says false.
  bool split(mlir::linalg::LinalgOp contraction);
  /// Pieces of what an elementwise operation computes are made there.
  void fuseIntoProducers();

private:
  using Factors = llvm::SmallVector<llvm::SmallVector<mlir::Value>, 2>;

  llvm::SmallVector<mlir::Value> piecesOf(mlir::Value factor, mlir::Operation *reader);
  /// The fastest contraction of pieces, before `contraction`, and the pieces as `factors`; null,
  /// and nothing made, if it is not worth it.
  mlir::linalg::GenericOp make(mlir::linalg::LinalgOp contraction, Factors &factors);
  void unmake(mlir::linalg::GenericOp ofPieces, const Factors &factors);
  void eraseUnreadPieces(const Factors &factors);
  bool mayBeWorth(mlir::linalg::LinalgOp contraction) const;
  /// Seconds that it takes with the pieces made; nothing if strategy wgmma does not take it.
  std::optional<double> secondsOf(mlir::linalg::GenericOp ofPieces, int64_t parts) const;
  double secondsOfThreads(mlir::linalg::LinalgOp contraction) const;
  double secondsOfSplits(const Factors &factors) const;

  const GPUChip &chip;
  double worth;
  /// The operations that make pieces, by factor.
  llvm::MapVector<mlir::Value, mlir::linalg::GenericOp> made;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_LIBRARY_SPLITFACTORS_H
