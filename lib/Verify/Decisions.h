// What floats decide: comparisons, roundings to whole numbers, orders. An execution that rounds
// otherwise may decide otherwise where a value is within its error of the threshold.
#ifndef FORGE_LIB_VERIFY_DECISIONS_H
#define FORGE_LIB_VERIFY_DECISIONS_H

#include "Deviation.h"
#include "RoundingNoise.h"

namespace forge {

/// Every decision of one function on some inputs, in the order of execution. In turn:
///  1. An execution without rounding is recorded.
///  2. Executions that round at random decide the same, so that they measure what changes
///     gradually; how far the deciding values move is measured too.
///  3. Executions without rounding decide on values that were moved within their error: what comes
///     out otherwise is what a correct execution may give.
class Decisions {
public:
  /// An execution begins.
  void begin() { next.clear(); }

  /// 1. Called after each op.
  void record(mlir::Operation *op, llvm::ArrayRef<TensorRef> operands,
              llvm::ArrayRef<TensorRef> results);
  /// 2. Called after each op: puts the recorded decisions in place of the results.
  void replay(mlir::Operation *op, llvm::ArrayRef<TensorRef> operands,
              std::vector<TensorRef> &results);

  /// After all of 2. Whether any decision rests on rounded values.
  bool anyUncertain();

  enum class Move { Up, Down, Random };
  /// 3. Called before each op: moves the operands of decisions. Up and Down move the first operand
  ///    so and the others the other way, as far as their error goes; together they find every
  ///    decision of a monotone op that may fall otherwise.
  void move(mlir::Operation *op, std::vector<TensorRef> &operands, Move direction,
            RoundingNoise &random);
  /// In place of move, where nothing is moved.
  void count(mlir::Operation *op) { recordOf(op); }
  /// 3. Called after each op: whether it decided otherwise.
  bool decidedOtherwise(mlir::Operation *op, llvm::ArrayRef<TensorRef> results);
  /// Whether all uncertain decisions are those of monotone ops.
  bool allMonotone() const;

private:
  struct Record {
    std::vector<TensorRef> operands;
    std::vector<TensorRef> results;
    std::vector<Deviation> deviations;          // per operand; empty tensors for what is no float
    std::vector<std::vector<double>> intervals; // how far each element may be off
    bool uncertain = false;
  };
  Record *recordOf(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, std::vector<Record>> records;
  /// How often each op was executed since begin().
  llvm::DenseMap<mlir::Operation *, size_t> next;
  int64_t kept = 0;
};

/// How many standard deviations apart two correct executions may be.
constexpr double kDeviations = 6;

} // namespace forge

#endif // FORGE_LIB_VERIFY_DECISIONS_H
