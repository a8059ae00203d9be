#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

static LogicalResult verifyMask(AttentionOp op, ArrayRef<int64_t> scores) {
  auto mask = cast<RankedTensorType>(op.getMask().getType());
  if (mask.getRank() != 4)
    return op.emitOpError("expected rank 4 for mask, but got ") << mask.getRank();
  for (int64_t dim = 0; dim < 4; ++dim)
    if (mask.getDimSize(dim) != 1 && failed(checkDim(op, "dimension " + Twine(dim) + " of mask",
                                                     scores[dim], mask.getDimSize(dim))))
      return failure();
  return success();
}

LogicalResult AttentionOp::verify() {
  RankedTensorType query = getQuery().getType(), key = getKey().getType(),
                   value = getValue().getType();
  // attention_c1
  for (auto [name, type] :
       {std::pair("query", query), std::pair("key", key), std::pair("value", value)}) {
    if (type.getRank() != 4)
      return emitOpError("expected rank 4 for ") << name << ", but got " << type.getRank();
    if (failed(checkDim(*this, Twine("batch of ") + name, query.getDimSize(0), type.getDimSize(0))))
      return failure();
  }
  // attention_c2
  if (failed(checkDim(*this, "heads of value", key.getDimSize(1), value.getDimSize(1))) ||
      failed(checkDim(*this, "length of value", key.getDimSize(2), value.getDimSize(2))))
    return failure();
  // attention_c3
  if (failed(checkDim(*this, "head dim of key", query.getDimSize(3), key.getDimSize(3))))
    return failure();
  // attention_c4
  int64_t queryHeads = query.getDimSize(1), keyHeads = key.getDimSize(1);
  if (!ShapedType::isDynamic(queryHeads) && !ShapedType::isDynamic(keyHeads) &&
      (keyHeads == 0 || queryHeads % keyHeads != 0))
    return emitOpError("expected query heads to be a multiple of the ")
           << keyHeads << " key heads, but got " << queryHeads;
  // attention_c5
  if (failed(
          checkShape(*this, "result", getResult().getType(),
                     {query.getDimSize(0), queryHeads, query.getDimSize(2), value.getDimSize(3)})))
    return failure();
  // attention_c6
  if (getMask() && failed(verifyMask(*this, {query.getDimSize(0), queryHeads, query.getDimSize(2),
                                             key.getDimSize(2)})))
    return failure();
  // attention_c7
  if (getScale() && !getScale()->isFinite())
    return emitOpError("expected a finite scale");
  // attention_c8
  return checkElementTypes(*this, {getQuery(), getKey(), getValue(), getResult()});
}

LogicalResult AttentionOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim : {0, 1, 2})
    sizes.push_back(sizeOf(builder, getLoc(), getQuery(), dim));
  sizes.push_back(sizeOf(builder, getLoc(), getValue(), 3));
  shapes.push_back(sizes);
  return success();
}

} // namespace forge::transformer
