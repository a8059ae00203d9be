#include "AttentionVerify.h"

using namespace mlir;

namespace forge::transformer {

/// The element types: c8.
static LogicalResult checkTypes(AttentionGradOp op) {
  if (failed(checkElementTypes(
          op, {op.getQuery(), op.getKey(), op.getValue(), op.getSinks(), op.getCotangent()})))
    return failure();
  if (!op.getLseCotangent())
    return success();
  Type lse = getElementTypeOrSelf(op.getLseCotangent().getType()),
       expected = op.getAccumulationType();
  if (lse != expected)
    return op.emitOpError("expected element type ")
           << expected << " for lse_cotangent, but got " << lse;
  return success();
}

/// The gradients of the mask and of the sinks: c13.
static LogicalResult checkMoreGrads(AttentionGradOp op) {
  SmallVector<std::pair<StringRef, Type>> expected;
  if (op.hasMaskGrad())
    expected.emplace_back("mask", op.getMask().getType());
  if (op.getSinks())
    expected.emplace_back("sinks", op.getSinks().getType());
  if (op.getMoreGrads().size() != expected.size())
    return op.emitOpError("expected ")
           << 3 + expected.size() << " results, but got " << op->getNumResults();
  for (auto [value, operand] : llvm::zip(op.getMoreGrads(), expected))
    if (value.getType() != operand.second)
      return op.emitOpError("expected type ") << operand.second << " for the gradient of "
                                              << operand.first << ", but got " << value.getType();
  return success();
}

LogicalResult AttentionGradOp::verify() {
  if (failed(verifyKeysAndValues(*this)))
    return failure();
  RankedTensorType query = getQuery().getType(), key = getKey().getType();
  if (failed(checkHeads(*this, query.getDimSize(1), key.getDimSize(1))))
    return failure();
  // attention_grad_c5
  SmallVector<int64_t> rows(query.getShape().drop_back());
  if (getLseCotangent() &&
      failed(checkShape(*this, "lse_cotangent", cast<RankedTensorType>(getLseCotangent().getType()),
                        rows)))
    return failure();
  rows.push_back(getValue().getType().getDimSize(3));
  if (failed(checkShape(*this, "cotangent", getCotangent().getType(), rows)))
    return failure();
  // attention_grad_c6
  if (failed(checkMask(*this)) || failed(checkScoring(*this)) || failed(checkVectors(*this)))
    return failure();
  // attention_grad_c8
  if (failed(checkTypes(*this)))
    return failure();
  // attention_grad_c13
  return checkMoreGrads(*this);
}

/// attention_grad_c15, attention_grad_c16
LogicalResult AttentionGradOp::verifyRegions() {
  if (getScore().empty() != getSlope().empty())
    return emitOpError("expected score and slope together, but got ")
           << (getScore().empty() ? "slope" : "score") << " alone";
  Type number = getAccumulationType();
  return failed(checkScoreRegion(*this, getScore(), "score", number)) ||
                 failed(checkScoreRegion(*this, getSlope(), "slope", number))
             ? failure()
             : success();
}

LogicalResult AttentionGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  SmallVector<Value> operands = {getQuery(), getKey(), getValue()};
  if (hasMaskGrad())
    operands.push_back(getMask());
  if (getSinks())
    operands.push_back(getSinks());
  for (Value operand : operands)
    if (failed(reifyAs(builder, operand, shapes)))
      return failure();
  return success();
}

Type AttentionGradOp::getAccumulationType() {
  return accumulationType(getQuery().getType().getElementType(), getAccumulate());
}

/// Products along both head dimensions, sums along the keys, and over the queries of all heads that
/// share a key: the longest of them.
int64_t AttentionGradOp::getReductionLength() {
  RankedTensorType query = getQuery().getType(), key = getKey().getType(),
                   value = getValue().getType();
  if (!query.hasStaticShape() || !key.hasStaticShape() || !value.hasStaticShape())
    return ShapedType::kDynamic;
  int64_t members = query.getDimSize(1) / std::max<int64_t>(key.getDimSize(1), 1);
  return std::max({query.getDimSize(3), value.getDimSize(3), key.getDimSize(2),
                   members * query.getDimSize(2), int64_t{1}});
}

} // namespace forge::transformer
