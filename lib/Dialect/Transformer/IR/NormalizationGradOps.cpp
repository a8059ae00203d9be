#include "NormalizationVerify.h"

using namespace mlir;

namespace forge::transformer {

// softmax_grad_c1, softmax_grad_c3
LogicalResult SoftmaxGradOp::verify() { return verifySoftmax(*this, getOutput().getType()); }

Type SoftmaxGradOp::getAccumulationType() {
  return accumulationType(getOutput().getType().getElementType(), getAccumulate());
}

int64_t SoftmaxGradOp::getReductionLength() {
  return getOutput().getType().getDimSize(getDimension());
}

LogicalResult SoftmaxGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getOutput(), shapes);
}

// log_softmax_grad_c1, log_softmax_grad_c3
LogicalResult LogSoftmaxGradOp::verify() { return verifySoftmax(*this, getOutput().getType()); }

Type LogSoftmaxGradOp::getAccumulationType() {
  return accumulationType(getOutput().getType().getElementType(), getAccumulate());
}

int64_t LogSoftmaxGradOp::getReductionLength() {
  return getOutput().getType().getDimSize(getDimension());
}

LogicalResult LogSoftmaxGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyAs(builder, getOutput(), shapes);
}

/// Terms in the longest sum of a norm's gradients: along a row, or over all rows.
static int64_t longestSum(RankedTensorType input) {
  if (!input.hasStaticShape())
    return ShapedType::kDynamic;
  int64_t length = std::max<int64_t>(input.getShape().back(), 1);
  return std::max(length, input.getNumElements() / length);
}

/// The shapes of results that are one tensor like `input` and `vectors` of its last dimension.
static LogicalResult reifyRows(OpBuilder &builder, Value input, unsigned vectors, Shapes &shapes) {
  if (failed(reifyAs(builder, input, shapes)))
    return failure();
  OpFoldResult length = shapes.back().back();
  for (unsigned i = 0; i < vectors; ++i)
    shapes.push_back({length});
  return success();
}

LogicalResult LayerNormGradOp::verify() {
  // layer_norm_grad_c1, layer_norm_grad_c2
  if (failed(verifyRows(
          *this, getInput().getType(),
          {{"scale", getScale()}, {"scale_grad", getScaleGrad()}, {"shift_grad", getShiftGrad()}})))
    return failure();
  // layer_norm_grad_c3
  if (failed(checkElementTypes(*this, {getInput(), getScale(), getScaleGrad(), getShiftGrad()})))
    return failure();
  // layer_norm_grad_c4
  if (failed(checkEpsilon(*this, getEpsilon())))
    return failure();
  // layer_norm_grad_c5
  return checkAccumulation(*this, getInput().getType().getElementType(), getAccumulate());
}

Type LayerNormGradOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

int64_t LayerNormGradOp::getReductionLength() { return longestSum(getInput().getType()); }

LogicalResult LayerNormGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyRows(builder, getInput(), 2, shapes);
}

LogicalResult RmsNormGradOp::verify() {
  // rms_norm_grad_c1, rms_norm_grad_c2
  if (failed(verifyRows(*this, getInput().getType(),
                        {{"scale", getScale()}, {"scale_grad", getScaleGrad()}})))
    return failure();
  // rms_norm_grad_c3
  if (failed(checkElementTypes(*this, {getInput(), getScale(), getScaleGrad()})))
    return failure();
  // rms_norm_grad_c4
  if (failed(checkEpsilon(*this, getEpsilon())))
    return failure();
  // rms_norm_grad_c5
  return checkAccumulation(*this, getInput().getType().getElementType(), getAccumulate());
}

Type RmsNormGradOp::getAccumulationType() {
  return accumulationType(getInput().getType().getElementType(), getAccumulate());
}

int64_t RmsNormGradOp::getReductionLength() { return longestSum(getInput().getType()); }

LogicalResult RmsNormGradOp::reifyResultShapes(OpBuilder &builder, Shapes &shapes) {
  return reifyRows(builder, getInput(), 1, shapes);
}

} // namespace forge::transformer
