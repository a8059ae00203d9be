// Which elements of a tensor or buffer each step of a loop nest reads, found by running the index
// arithmetic.
#ifndef FORGE_LIB_CODEGEN_STRATEGY_COLUMNSREAD_H
#define FORGE_LIB_CODEGEN_STRATEGY_COLUMNSREAD_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace forge {

/// The body of the innermost of some loops as a straight line of operations on integers.
class StepsReads {
public:
  /// `loops`, outermost first, with nothing in them but the next one and the last one's body, of
  /// which the reads of `values` are looked at. Nothing if their places cannot be computed.
  static std::optional<StepsReads> of(llvm::ArrayRef<mlir::scf::ForOp> loops, mlir::Value values);

  size_t numReads() const { return reads.size(); }
  /// The number of the element, in row-major order, that each read is of in the step with these
  /// counters; nothing for a read that an `arith.select` leaves out there. Fails where one that is
  /// used is not known.
  mlir::LogicalResult run(llvm::ArrayRef<int64_t> counters,
                          llvm::SmallVectorImpl<std::optional<int64_t>> &elements);

  /// Whether a step with one more of counter number `counter`, of `extent`, does what the step
  /// before it does, with reads that are `weight` elements further on: it is an index of each read
  /// as it is, and nothing else that is computed depends on it.
  bool isShiftedBy(size_t counter, int64_t extent, int64_t weight) const;

private:
  struct Step {
    mlir::Operation *op;
    llvm::SmallVector<int, 4> operands;
    llvm::SmallVector<int, 1> results;
  };
  struct Read {
    int result;
    llvm::SmallVector<int, 4> indices;
  };

  int slotOf(mlir::Value value);
  void addBlock(mlir::Block &block, mlir::Value values);
  std::optional<int64_t> compute(const Step &step) const;

  llvm::DenseMap<mlir::Value, int> slots;
  llvm::SmallVector<int> counterSlots;
  llvm::SmallVector<Step> steps;
  llvm::SmallVector<Read> reads;
  llvm::SmallVector<int64_t> shape;
  /// Of each slot: its value where known, and whether the step uses it.
  std::vector<std::optional<int64_t>> known;
  std::vector<bool> used;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_STRATEGY_COLUMNSREAD_H
