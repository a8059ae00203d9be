// Operations that are created in a block, and erased again if they turn out to be of no use.
#ifndef FORGE_LIB_CODEGEN_FLASHBACKWARD_NEWOPERATIONS_H
#define FORGE_LIB_CODEGEN_FLASHBACKWARD_NEWOPERATIONS_H

#include "ScoreProgram.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// The axes of rows with the outer ones; and with the keys behind them.
llvm::SmallVector<unsigned> rowAxes(const ScoreProgram &program);
llvm::SmallVector<unsigned> matrixAxes(const ScoreProgram &program);

/// A map from `numLoops` loops to `loops`.
mlir::AffineMap projection(mlir::Builder &b, unsigned numLoops, llvm::ArrayRef<unsigned> loops);

/// Adds what `place` is computed from: memory, values from outside, and, where asked for, results
/// of reductions.
void collectSources(const ScoreProgram &program, AttentionGraph::Place place,
                    llvm::SetVector<mlir::Value> &values, bool withReductions = true);

class NewOperations {
public:
  /// In the block of `like`, at its place in the source.
  explicit NewOperations(mlir::Operation *like) : b(like->getLoc(), like) {}

  template <typename OpTy> OpTy created(OpTy op) {
    operations.push_back(op);
    return op;
  }
  /// Goes to behind what computes `values`.
  void insertBehind(llvm::ArrayRef<mlir::Value> values);
  /// The operation before which the next one is created; null at the end of the block.
  mlir::Operation *next() const;
  /// Zeros of f32, to start a sum from.
  mlir::Value zeros(llvm::ArrayRef<int64_t> sizes);
  /// `op` on other inputs, from a start of its own; both are added to `members`.
  mlir::linalg::GenericOp cloneOn(mlir::linalg::GenericOp op, mlir::ValueRange inputs,
                                  llvm::ArrayRef<mlir::AffineMap> maps,
                                  llvm::SmallVectorImpl<mlir::Operation *> &members);
  /// How many there are; those from number `first` on are erased.
  size_t count() const { return operations.size(); }
  void erase(size_t first = 0);

  mlir::ImplicitLocOpBuilder b;

private:
  llvm::SmallVector<mlir::Operation *> operations;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHBACKWARD_NEWOPERATIONS_H
