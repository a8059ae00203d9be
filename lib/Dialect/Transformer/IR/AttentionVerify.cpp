#include "AttentionVerify.h"

using namespace mlir;

namespace forge::transformer {

/// attention_c13, attention_grad_c15, paged_attention_c13: the types that a score region takes and
/// yields.
static LogicalResult checkScoreTypes(Operation *op, Region &region, StringRef name, Type number,
                                     TypeRange reads) {
  Block &block = region.front();
  if (!llvm::hasSingleElement(region))
    return op->emitOpError("expected ") << name << " to be one block";
  Type index = IndexType::get(op->getContext());
  SmallVector<Type> expected = {number, index, index, index, index};
  if (!llvm::equal(block.getArgumentTypes(), expected))
    return op->emitOpError("expected ")
           << name << " to take " << number << " and four indices, but got ("
           << block.getArgumentTypes() << ")";
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("expected ") << name << " to end in transformer.yield";
  if (yield.getValue().getType() != number)
    return yield.emitOpError("expected ") << number << ", but got " << yield.getValue().getType();
  // attention_grad_c17
  if (yield.getReads().getTypes() != reads)
    return yield.emitOpError("expected (")
           << reads << ") behind the value, but got (" << yield.getReads().getTypes() << ")";
  return success();
}

LogicalResult checkScoreRegion(Operation *op, Region &region, StringRef name, Type number,
                               TypeRange reads) {
  if (region.empty())
    return success();
  if (failed(checkScoreTypes(op, region, name, number, reads)))
    return failure();
  // attention_c14, attention_grad_c16, paged_attention_c14
  for (Operation &inner : region.front())
    if (inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner))
      return inner.emitOpError("expected operations without effects and regions in ")
                 .append(name)
                 .attachNote(op->getLoc())
             << "the region belongs to this operation";
  return success();
}

} // namespace forge::transformer
