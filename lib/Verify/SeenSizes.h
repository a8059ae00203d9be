// The sizes that dimensions have in an execution, where types leave them open.
#ifndef FORGE_LIB_VERIFY_SEENSIZES_H
#define FORGE_LIB_VERIFY_SEENSIZES_H

#include "RoundingProfile.h"

#include "forge/Verify/Interpreter.h"

namespace forge {

/// Follows an execution, and ends it once that is known to be too much work.
class SeenSizes : public InterpreterHook {
public:
  explicit SeenSizes(double mostWork = 0) : mostWork(mostWork) {}

  void before(mlir::Operation *op, std::vector<TensorRef> &operands) override;
  void after(mlir::Operation *op, llvm::ArrayRef<TensorRef> operands,
             std::vector<TensorRef> &results) override;
  bool stops() const override { return work() > mostWork; }

  /// Element operations of what was executed, and of what it ended before.
  double work() const { return totalWork + foreseen; }
  /// The largest sizes seen of operand or result `i` of `op`; for what was not executed, those of
  /// the type, with `dynamicSize` for what it leaves open.
  reference::Dims operand(mlir::Operation *op, unsigned i, int64_t dynamicSize) const;
  reference::Dims result(mlir::Operation *op, unsigned i, int64_t dynamicSize) const;

private:
  static double foreseenWork(mlir::Operation *op, llvm::ArrayRef<TensorRef> operands);

  struct Sizes {
    std::vector<reference::Dims> operands, results;
  };
  llvm::DenseMap<mlir::Operation *, Sizes> seen;
  double mostWork;
  double totalWork = 0;
  /// Of the operation that is about to be executed.
  double foreseen = 0;
};

/// Elements that `op` computes, each counted as often as it has terms.
double workOf(mlir::Operation *op, OperandShape operandShape, OperandShape resultShape);

/// Whether a type in `function`, or in what it may call, leaves a size open.
bool hasOpenSizes(mlir::func::FuncOp function);

} // namespace forge

#endif // FORGE_LIB_VERIFY_SEENSIZES_H
