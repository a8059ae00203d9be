#include "NormalizationVerify.h"

using namespace mlir;

namespace forge::transformer {

//===----------------------------------------------------------------------===//
// softmax, log_softmax
//===----------------------------------------------------------------------===//

// softmax_c1, softmax_c2
LogicalResult SoftmaxOp::verify() { return verifySoftmax(*this, getInput().getType()); }

LogicalResult SoftmaxOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

Type SoftmaxOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

int64_t SoftmaxOp::getReductionLength() { return getInput().getType().getDimSize(getDimension()); }

// log_softmax_c1, log_softmax_c2
LogicalResult LogSoftmaxOp::verify() { return verifySoftmax(*this, getInput().getType()); }

LogicalResult LogSoftmaxOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

Type LogSoftmaxOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

int64_t LogSoftmaxOp::getReductionLength() {
  return getInput().getType().getDimSize(getDimension());
}

//===----------------------------------------------------------------------===//
// layer_norm, rms_norm
//===----------------------------------------------------------------------===//

LogicalResult verifyRows(Operation *op, RankedTensorType input,
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
  if (failed(checkEpsilon(*this, getEpsilon())))
    return failure();
  // layer_norm_c5
  return checkAccumulation(*this, getInput().getType().getElementType(), getAccumulate());
}

LogicalResult LayerNormOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

Type LayerNormOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

int64_t LayerNormOp::getReductionLength() { return getInput().getType().getShape().back(); }

LogicalResult RmsNormOp::verify() {
  // rms_norm_c1, rms_norm_c2
  if (failed(verifyRows(*this, getInput().getType(), {{"scale", getScale()}})))
    return failure();
  // rms_norm_c3
  if (failed(checkElementTypes(*this, {getInput(), getScale()})))
    return failure();
  // rms_norm_c4
  if (failed(checkEpsilon(*this, getEpsilon())))
    return failure();
  // rms_norm_c5
  if (getUnitOffset() && !getScale())
    return emitOpError("expected a scale with unit_offset");
  // rms_norm_c6
  return checkAccumulation(*this, getInput().getType().getElementType(), getAccumulate());
}

LogicalResult RmsNormOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getInput(), shapes);
}

Type RmsNormOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

int64_t RmsNormOp::getReductionLength() { return getInput().getType().getShape().back(); }

} // namespace forge::transformer
