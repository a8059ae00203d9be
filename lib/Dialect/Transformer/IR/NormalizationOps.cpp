#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

using namespace mlir;

namespace forge::transformer {

LogicalResult SoftmaxOp::verify() {
  // softmax_c1
  int64_t rank = getInput().getType().getRank(), dimension = getDimension();
  if (dimension < 0 || dimension >= rank)
    return emitOpError("expected dimension from 0 to ") << rank - 1 << ", but got " << dimension;
  return success();
}

LogicalResult SoftmaxOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

/// What both norms ask of their rows and of the vectors beside them: c1 and c2.
static LogicalResult verifyRows(Operation *op, RankedTensorType input,
                                ArrayRef<std::pair<StringRef, Value>> vectors) {
  if (input.getRank() < 1)
    return op->emitOpError("expected rank 1 or more for input, but got 0");
  for (auto [name, vector] : vectors)
    if (vector && failed(checkShape(op, name, cast<RankedTensorType>(vector.getType()),
                                    {input.getShape().back()})))
      return failure();
  return success();
}

LogicalResult LayerNormOp::verify() {
  // layer_norm_c1, layer_norm_c2
  if (failed(
          verifyRows(*this, getInput().getType(), {{"scale", getScale()}, {"shift", getShift()}})))
    return failure();
  // layer_norm_c3
  if (failed(checkElementTypes(*this, {getInput(), getScale(), getShift()})))
    return failure();
  // layer_norm_c4
  return checkEpsilon(*this, getEpsilon());
}

LogicalResult LayerNormOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

LogicalResult RmsNormOp::verify() {
  // rms_norm_c1, rms_norm_c2
  if (failed(verifyRows(*this, getInput().getType(), {{"scale", getScale()}})))
    return failure();
  // rms_norm_c3
  if (failed(checkElementTypes(*this, {getInput(), getScale()})))
    return failure();
  // rms_norm_c4
  return checkEpsilon(*this, getEpsilon());
}

LogicalResult RmsNormOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

} // namespace forge::transformer
