// The operations of a kernel, each linked to what its operands hold.
#ifndef FORGE_LIB_CODEGEN_ROWKERNELS_ROWLINKS_H
#define FORGE_LIB_CODEGEN_ROWKERNELS_ROWLINKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace forge {

/// What a buffer, or a tensor, holds: memory from before the kernel, one scalar everywhere, or a
/// result of an operation.
struct RowContent {
  enum { Memory, Splat, Stage } kind = Memory;
  mlir::Value splat;
  int stage = -1;
  unsigned result = 0;
};

/// One linalg.generic.
struct RowLink {
  mutable mlir::linalg::GenericOp op; // a handle: reading it changes nothing
  /// What its operands hold when it runs.
  llvm::SmallVector<RowContent> operands;
  /// For each loop the dimension of the row space, or kUnknownAxis.
  llvm::SmallVector<int> axes;
};

inline constexpr int kUnknownAxis = -1;

struct RowLinks {
  /// In the order of the operations.
  llvm::SmallVector<RowLink> links;
  /// What buffers and tensors hold in the end.
  llvm::DenseMap<mlir::Value, RowContent> holds;
  /// Of operations on tensors.
  llvm::SmallVector<mlir::Value> results;
  /// All operations of the kernel.
  llvm::SmallPtrSet<mlir::Operation *, 16> members;

  /// Fails, with the reason in `why`, on an operation that is none of a row kernel.
  static mlir::FailureOr<RowLinks> build(llvm::ArrayRef<mlir::Operation *> ops, std::string &why);

  /// Both ends of each handed value run over the same axes: those that one end knows become the
  /// other's. Fails, with the reason in `why`, where they differ.
  mlir::LogicalResult joinAxes(std::string &why);

  /// What `value` is a cast of.
  static mlir::Value baseOf(mlir::Value value);
  /// True for memory of the block, which others read afterwards.
  static bool isShared(mlir::Value value);
  /// True for memory that stays: not a temporary, and not computed here.
  bool isGiven(mlir::Value value) const;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWKERNELS_ROWLINKS_H
