#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

LogicalResult ActivationOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

LogicalResult AddOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getLhs(), shapes);
}

LogicalResult MultiplyOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getLhs(), shapes);
}

LogicalResult EmbeddingOp::verify() {
  RankedTensorType table = getTable().getType();
  // embedding_c1
  if (table.getRank() != 2)
    return emitOpError("expected rank 2 for table, but got ") << table.getRank();
  // embedding_c2
  SmallVector<int64_t> shape(getIds().getType().getShape());
  shape.push_back(table.getDimSize(1));
  if (failed(checkShape(*this, "result", getResult().getType(), shape)))
    return failure();
  // embedding_c3
  return checkElementTypes(*this, {getTable(), getResult()});
}

LogicalResult EmbeddingOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < getIds().getType().getRank(); ++dim)
    sizes.push_back(sizeOf(builder, getLoc(), getIds(), dim));
  sizes.push_back(sizeOf(builder, getLoc(), getTable(), 1));
  shapes.push_back(sizes);
  return success();
}

} // namespace forge::transformer
