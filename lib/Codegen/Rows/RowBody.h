// The body of a linalg operation as vector code: operands, masks, operations.
#ifndef FORGE_LIB_CODEGEN_ROWS_ROWBODY_H
#define FORGE_LIB_CODEGEN_ROWS_ROWBODY_H

#include "RowVectorizer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace forge {

/// Emits the body for one vector of the plan's loop. `ivs` holds the index of every other loop
/// while it does.
class RowBody {
public:
  RowBody(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op, const VectorPlan &plan)
      : b(rewriter), op(op), plan(plan), loc(op.getLoc()), ivs(op.getNumLoops()) {}

protected:
  mlir::Value index(int64_t value);
  /// The position in `operand` at lane 0 of the vector that starts at `at`.
  llvm::SmallVector<mlir::Value> position(mlir::OpOperand *operand, mlir::Value at);
  mlir::VectorType vectorOf(mlir::Type element) {
    return mlir::VectorType::get({plan.lanes}, element);
  }
  mlir::Value broadcast(mlir::Value value);
  mlir::Value load(mlir::OpOperand *operand, mlir::Value at, mlir::Value mask, mlir::Value last);
  /// Loads what is the same in all lanes, at the indices in `ivs`.
  void loadInvariants();
  /// The body on the vector that starts at `at`; returns, for each result, the vector to store or
  /// to combine. `mask` is null for a full vector; `last` is the last valid index.
  llvm::SmallVector<mlir::Value> emitBody(mlir::Value at, mlir::Value mask, mlir::Value last);
  /// True in the lanes from `at` on that lie before `size`.
  mlir::Value maskFrom(mlir::Value at, mlir::Value size, std::optional<int64_t> known);
  mlir::Value lastIndex(mlir::Value size);

  mlir::RewriterBase &b;
  mlir::linalg::GenericOp op;
  const VectorPlan &plan;
  mlir::Location loc;
  llvm::SmallVector<mlir::Value> ivs;

private:
  mlir::Value gather(mlir::OpOperand *operand, mlir::Value at, mlir::Value last);
  void emitScalarOrVector(mlir::Operation &inner, mlir::IRMapping &mapping, mlir::Value at);
  mlir::Value laneNumbers(mlir::Type type);

  llvm::DenseMap<mlir::OpOperand *, mlir::Value> invariant;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_ROWS_ROWBODY_H
