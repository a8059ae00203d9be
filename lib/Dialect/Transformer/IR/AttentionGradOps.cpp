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

/// The gradients of the mask, of the sinks and of the tables: c13.
static LogicalResult checkMoreGrads(AttentionGradOp op) {
  SmallVector<std::pair<StringRef, Type>> expected;
  if (op.hasMaskGrad())
    expected.emplace_back("mask", op.getMask().getType());
  if (op.getSinks())
    expected.emplace_back("sinks", op.getSinks().getType());
  for (Type table : op.getTables().getTypes())
    expected.emplace_back("a table", table);
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

/// attention_grad_c15, attention_grad_c16, attention_grad_c17
LogicalResult AttentionGradOp::verifyRegions() {
  if (getScore().empty() != getSlope().empty())
    return emitOpError("expected score and slope together, but got ")
           << (getScore().empty() ? "slope" : "score") << " alone";
  Type number = getAccumulationType();
  if (getSlope().empty() && !getTables().empty())
    return emitOpError("expected score and slope with tables");
  SmallVector<Type> reads;
  for (Type table : getTables().getTypes()) {
    reads.push_back(number);
    reads.append(cast<RankedTensorType>(table).getRank(), IndexType::get(getContext()));
  }
  return failed(checkScoreRegion(*this, getScore(), "score", number)) ||
                 failed(checkScoreRegion(*this, getSlope(), "slope", number, reads))
             ? failure()
             : success();
}

LogicalResult AttentionGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  SmallVector<Value> operands = {getQuery(), getKey(), getValue()};
  if (hasMaskGrad())
    operands.push_back(getMask());
  if (getSinks())
    operands.push_back(getSinks());
  llvm::append_range(operands, getTables());
  for (Value operand : operands)
    if (failed(reifyAs(builder, operand, shapes)))
      return failure();
  return success();
}

Type AttentionGradOp::getAccumulationType() {
  return accumulationType(getQuery().getType().getElementType(), getAccumulate());
}

/// Products along both head dimensions, sums along the keys, and over the queries of all heads that
/// share a key, and over all scores for an element of a table: the longest of them.
int64_t AttentionGradOp::getReductionLength() {
  RankedTensorType query = getQuery().getType(), key = getKey().getType(),
                   value = getValue().getType();
  if (!query.hasStaticShape() || !key.hasStaticShape() || !value.hasStaticShape())
    return ShapedType::kDynamic;
  int64_t members = query.getDimSize(1) / std::max<int64_t>(key.getDimSize(1), 1);
  if (!getTables().empty())
    return std::max(
        {query.getDimSize(3), value.getDimSize(3), int64_t{1},
         query.getDimSize(0) * query.getDimSize(1) * query.getDimSize(2) * key.getDimSize(2)});
  return std::max({query.getDimSize(3), value.getDimSize(3), key.getDimSize(2),
                   members * query.getDimSize(2), int64_t{1}});
}

} // namespace forge::transformer
