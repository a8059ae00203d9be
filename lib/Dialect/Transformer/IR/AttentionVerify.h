// What attention, attention over pages and the gradients of attention check alike.
#ifndef FORGE_LIB_DIALECT_TRANSFORMER_IR_ATTENTIONVERIFY_H
#define FORGE_LIB_DIALECT_TRANSFORMER_IR_ATTENTIONVERIFY_H

#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Accumulation.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

namespace forge::transformer {

using namespace mlir;

/// attention_c4, attention_grad_c4, paged_attention_c4
inline LogicalResult checkHeads(Operation *op, int64_t queryHeads, int64_t keyHeads) {
  if (ShapedType::isDynamic(queryHeads) || ShapedType::isDynamic(keyHeads) ||
      (keyHeads != 0 && queryHeads % keyHeads == 0))
    return success();
  return op->emitOpError("expected query heads to be a multiple of the ")
         << keyHeads << " key heads, but got " << queryHeads;
}

/// The attributes: c7, c9, c10; and c15.
template <typename Op> LogicalResult checkScoring(Op op) {
  // attention_c7, attention_grad_c7, paged_attention_c7
  if (op.getScale() && !op.getScale()->isFinite())
    return op.emitOpError("expected a finite scale");
  // attention_c9, attention_grad_c9, paged_attention_c9
  if (op.getWindow() && static_cast<int64_t>(*op.getWindow()) < 1)
    return op.emitOpError("expected a window of 1 or more, but got ")
           << static_cast<int64_t>(*op.getWindow());
  // attention_c10, attention_grad_c10, paged_attention_c10
  if (op.getSoftCap() && (!op.getSoftCap()->isFinite() || !(op.getSoftCap()->convertToFloat() > 0)))
    return op.emitOpError("expected a soft_cap that is finite and above 0");
  // attention_c15, attention_grad_c14, paged_attention_c15
  return checkAccumulation(op, op.getQuery().getType().getElementType(), op.getAccumulate());
}

/// The vectors beside the tensors: c11 and c12.
template <typename Op> LogicalResult checkVectors(Op op) {
  ArrayRef<int64_t> query = op.getQuery().getType().getShape();
  auto check = [&](StringRef name, Value vector, int64_t size) -> LogicalResult {
    return vector ? checkShape(op, name, cast<RankedTensorType>(vector.getType()), {size})
                  : success();
  };
  // attention_c11, attention_grad_c11, paged_attention_c11
  if (failed(check("sinks", op.getSinks(), query[1])))
    return failure();
  // attention_c12, attention_grad_c12, paged_attention_c12
  return failed(check("lengths", op.getLengths(), query[0])) ||
                 failed(check("offsets", op.getOffsets(), query[0]))
             ? failure()
             : success();
}

/// attention_c6, attention_grad_c6
template <typename Op> LogicalResult verifyMask(Op op, ArrayRef<int64_t> scores) {
  auto mask = cast<RankedTensorType>(op.getMask().getType());
  if (mask.getRank() != 4)
    return op.emitOpError("expected rank 4 for mask, but got ") << mask.getRank();
  for (int64_t dim = 0; dim < 4; ++dim)
    if (mask.getDimSize(dim) != 1 && failed(checkDim(op, "dimension " + Twine(dim) + " of mask",
                                                     scores[dim], mask.getDimSize(dim))))
      return failure();
  return success();
}

/// attention_c1 to attention_c3, attention_grad_c1 to attention_grad_c3
template <typename Op> LogicalResult verifyKeysAndValues(Op op) {
  RankedTensorType query = op.getQuery().getType(), key = op.getKey().getType(),
                   value = op.getValue().getType();
  // attention_c1, attention_grad_c1
  for (auto [name, type] :
       {std::pair("query", query), std::pair("key", key), std::pair("value", value)}) {
    if (type.getRank() != 4)
      return op.emitOpError("expected rank 4 for ") << name << ", but got " << type.getRank();
    if (failed(checkDim(op, Twine("batch of ") + name, query.getDimSize(0), type.getDimSize(0))))
      return failure();
  }
  // attention_c2, attention_grad_c2
  if (failed(checkDim(op, "heads of value", key.getDimSize(1), value.getDimSize(1))) ||
      failed(checkDim(op, "length of value", key.getDimSize(2), value.getDimSize(2))))
    return failure();
  // attention_c3, attention_grad_c3
  return checkDim(op, "head dim of key", query.getDimSize(3), key.getDimSize(3));
}

} // namespace forge::transformer

#endif // FORGE_LIB_DIALECT_TRANSFORMER_IR_ATTENTIONVERIFY_H
