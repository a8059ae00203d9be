// Canonical forms of control flow: a branch that is known replaces its op.
#include "Folding.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace forge::stablehlo {

/// Replaces `op` by the body of `region`, which takes no arguments.
static LogicalResult inlineBranch(Operation *op, Region &region, PatternRewriter &rewriter) {
  Operation *terminator = region.front().getTerminator();
  if (terminator->getOperandTypes() != op->getResultTypes())
    return rewriter.notifyMatchFailure(op, "the branch returns other types");
  rewriter.inlineBlockBefore(&region.front(), op);
  rewriter.replaceOp(op, terminator->getOperands());
  rewriter.eraseOp(terminator);
  return success();
}

LogicalResult IfOp::canonicalize(IfOp op, PatternRewriter &rewriter) {
  std::optional<SmallVector<int64_t>> pred = sizesOf(op.getPred());
  if (!pred)
    return rewriter.notifyMatchFailure(op, "the predicate is not constant");
  return inlineBranch(op, pred->front() ? op.getTrueBranch() : op.getFalseBranch(), rewriter);
}

LogicalResult CaseOp::canonicalize(CaseOp op, PatternRewriter &rewriter) {
  // An index that names no branch means the last one.
  int64_t last = static_cast<int64_t>(op.getBranches().size()) - 1, index = last;
  if (std::optional<SmallVector<int64_t>> constant = sizesOf(op.getIndex()))
    index = constant->front() < 0 ? last : std::min(constant->front(), last);
  else if (last != 0)
    return rewriter.notifyMatchFailure(op, "the index is not constant");
  return inlineBranch(op, op.getBranches()[index], rewriter);
}

OpFoldResult GetTupleElementOp::fold(FoldAdaptor) {
  auto tuple = getOperand().getDefiningOp<TupleOp>();
  if (!tuple)
    return {};
  Value element = tuple.getVal()[getIndex()];
  return element.getType() == getType() ? OpFoldResult(element) : OpFoldResult();
}

} // namespace forge::stablehlo
