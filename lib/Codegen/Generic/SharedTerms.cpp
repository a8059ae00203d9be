#include "SharedTerms.h"

#include "../Fusion/Expansions.h"

using namespace mlir;
using namespace forge;

/// Results that a thread has in registers, besides what each of their terms takes.
static constexpr int64_t kMostShared = 8;

bool forge::mayShareTerms(linalg::LinalgOp op, unsigned loop) {
  int64_t size = op.getStaticLoopRanges()[loop];
  return op.getNumReductionLoops() > 0 &&
         op.getIteratorTypesArray()[loop] == utils::IteratorType::parallel && size > 1 &&
         size <= kMostShared && llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isFunctionOfDim(loop);
         });
}

/// What the operations of the body cost that do not depend on `loop`, nor on what has been added
/// up.
static int64_t costWithout(linalg::LinalgOp op, unsigned loop) {
  llvm::SmallDenseSet<Value> dependent;
  for (OpOperand &operand : op->getOpOperands())
    if (op.isDpsInit(&operand) || op.getMatchingIndexingMap(&operand).isFunctionOfDim(loop))
      dependent.insert(op.getMatchingBlockArgument(&operand));
  int64_t cost = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    bool depends =
        inner.getNumRegions() > 0 || (index && index.getDim() == loop) ||
        llvm::any_of(inner.getOperands(), [&](Value value) { return dependent.contains(value); });
    if (depends)
      dependent.insert(inner.result_begin(), inner.result_end());
    else
      cost += costOf(inner);
  }
  return cost;
}

std::optional<unsigned> forge::loopOfSharedTerms(linalg::LinalgOp op) {
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (mayShareTerms(op, loop) && costWithout(op, loop) >= kLeastSharedCost)
      return loop;
  return std::nullopt;
}
